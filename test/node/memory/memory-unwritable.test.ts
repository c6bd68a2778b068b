import { chmodSync, chownSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MemoryProcess, MemoryProgram } from '../../support/memory-process.ts';
import { openMemoryStore } from '../../../src/node/memory/open-memory-store.ts';
import { put } from '../../support/builders/memories.ts';
import { loadTestSql } from '../../support/load-test-sql.ts';
import { buildMemoryProgram } from '../../support/memory-process.ts';
import { temporaryFolder } from '../../support/tool-bench.ts';

/** Nobody's, on every system that has it: root may write what may not be written. */
const NOBODY = 65_534;

describe.skipIf(process.platform === 'win32')('a store that cannot be written', () => {
  let program: MemoryProgram;
  let folder: string;
  const windows: MemoryProcess[] = [];
  beforeAll(async () => (program = await buildMemoryProgram()));
  afterAll(() => program.remove());
  beforeEach(() => (folder = path.join(temporaryFolder(), 'memory')));
  afterEach(async () => {
    await Promise.all(windows.splice(0).map((window) => window.kill()));
    rmSync(path.dirname(folder), { recursive: true, force: true });
  });
  const open = () => openMemoryStore({ folder, name: 'p', loadSql: loadTestSql });
  const another = (options: { readonly fileBytes?: number; readonly uid?: number }) => {
    const window = program.start(folder, { checkpointLines: 1_000, ...options });
    windows.push(window);
    return window;
  };
  const ids = (window: MemoryProcess) => window.run('store.all().map(({ id }) => id).sort()');

  it('for want of room says so, has changed nothing, and goes on when there is room', async () => {
    const window = another({ fileBytes: 2_048 });
    await window.run(`store.write([put('m1', 'There is room.')])`);
    await expect(window.run(`store.write([put('m2', 'x'.repeat(5_000)), put('m3', 'y')])`)).rejects.toThrow(
      /EFBIG/,
    );
    await expect(window.run(`store.write([put('m4', 'Not even this.')])`)).rejects.toThrow(/EFBIG/);
    expect(await ids(window)).toEqual(['m1']);
    expect(await window.run('store.refresh()')).toBe(false);

    const own = await open();
    expect(own.all().map(({ id }) => id)).toEqual(['m1']);
    expect(own.notice).toContain('the file is kept');
    await window.run(`store.write([put('m5', 'Room again.')])`);
    await own.refresh();
    expect(own.all().map(({ id }) => id)).toEqual(['m1', 'm5']);
    await window.run('store.dispose()');
    await own.dispose();
    const last = await open();
    expect(last.all().map(({ id }) => id)).toEqual(['m1', 'm5']);
    await last.dispose();
  });

  it('for want of permission is read, and says why it is not written', async () => {
    const own = await open();
    await own.write([put('m1', 'In the image.')]);
    await own.dispose();
    const again = await open();
    await again.write([put('m2', 'In the journal.')]);
    chmodSync(path.dirname(folder), 0o755);
    for (const name of readdirSync(folder)) asOthers(path.join(folder, name), 0o400);
    asOthers(folder, 0o500);
    const window = another(process.getuid?.() === 0 ? { uid: NOBODY } : {});
    expect(await ids(window)).toEqual(['m1', 'm2']);
    await expect(window.run(`store.write([put('m3', 'No.')])`)).rejects.toThrow(/EACCES|EPERM/);
    expect(await window.run('store.exclusively(async () => store.all().length)')).toBe(2);
    expect(await window.run('store.dispose()')).toBe(null);
    expect(readdirSync(folder).sort()).toEqual(['memory.jsonl', 'memory.sqlite', 'memory.sqlite.bak']);
    chmodSync(folder, 0o700);
    await again.dispose();
  });
});

function asOthers(file: string, mode: number): void {
  if (process.getuid?.() === 0) chownSync(file, NOBODY, NOBODY);
  chmodSync(file, mode);
}
