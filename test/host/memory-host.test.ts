import { equal, match, ok, rejects } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { MemoryHost } from '../../src/host/memory-host.ts';

const installed = path.join(vscode.extensions.getExtension('plimsoll.plimsoll')?.extensionPath ?? '', 'dist');

describe('the memory of the folder that is open', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  let storage: string;
  let host: MemoryHost;

  beforeEach(() => (storage = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-storage-'))));
  afterEach(async () => {
    await host.close();
    for (const folder of [storage, path.join(root, '.plimsoll'), path.join(root, 'notes')])
      rmSync(folder, { recursive: true, force: true });
  });

  const open = (dist: string) =>
    new MemoryHost({
      ...{ storage, dist, counter: { count: () => Promise.resolve(undefined) } },
      onChanged: () => undefined,
    });

  it('is told to be of no use as long as its store cannot be opened', async () => {
    const dist = path.join(storage, 'dist');
    host = open(dist);
    equal(await host.section(), undefined);
    equal(host.port.isUnavailable?.(), true);
    await rejects(host.port.search('', 1), /sql-wasm/);
    symlinkSync(installed, dist, 'junction');
    await host.section();
    equal(host.port.isUnavailable?.(), false);
  });

  it('takes in at once what happens to the file that a link leads to', async () => {
    host = open(installed);
    mkdirSync(path.join(root, '.plimsoll'), { recursive: true });
    mkdirSync(path.join(root, 'notes'));
    const real = path.join(root, 'notes/memory.md');
    writeFileSync(real, '- Use httpie\n');
    symlinkSync('../notes/memory.md', path.join(root, '.plimsoll/MEMORY.md'));
    match((await host.section()) ?? '', /Use httpie/);
    await sleep(1_000); // the watchers begin to look
    writeFileSync(real, `${readFileSync(real, 'utf8')}- Use tabs\n`);
    const isNamed = () => /Use tabs <!-- m/.test(readFileSync(real, 'utf8'));
    for (let waited = 0; waited < 10_000 && !isNamed(); waited += 100) await sleep(100);
    ok(isNamed());
  });
});
