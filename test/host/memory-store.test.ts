import { deepEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { loadSql } from '../../src/node/memory/load-sql.ts';
import { openMemoryStore } from '../../src/node/memory/open-memory-store.ts';
import { forget, put } from '../support/builders/memories.ts';

describe('a memory store in the extension host', () => {
  it('keeps memories, with the SQLite that lies beside the program', async () => {
    const dist = path.join(vscode.extensions.getExtension('plimsoll.plimsoll')?.extensionPath ?? '', 'dist');
    const folder = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-memory-'));
    const open = () => openMemoryStore({ folder, name: 'p', loadSql: () => loadSql(dist) });
    const store = await open();
    await store.write([put('m1', 'Use tabs.'), put('m2', 'Use spaces.'), forget('m2')]);
    await store.dispose();
    const again = await open();
    deepEqual(
      again.search('tabs spaces', 5).map(({ memory }) => memory.id),
      ['m1'],
    );
    deepEqual([again.notice, again.isForgotten('m2')], [undefined, true]);
    await again.dispose();
    rmSync(folder, { recursive: true });
  });
});
