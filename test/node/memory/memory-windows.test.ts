import { readdirSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openMemoryStore } from '../../../src/node/memory/open-memory-store.ts';
import { put } from '../../support/builders/memories.ts';
import { loadTestSql } from '../../support/load-test-sql.ts';
import type { MemoryProcess, MemoryProgram } from '../../support/memory-process.ts';
import { buildMemoryProgram } from '../../support/memory-process.ts';
import { temporaryFolder } from '../../support/tool-bench.ts';

let program: MemoryProgram;
let folder: string;
const windows: MemoryProcess[] = [];
beforeAll(async () => (program = await buildMemoryProgram()));
afterAll(() => program.remove());
beforeEach(() => (folder = temporaryFolder()));
afterEach(async () => {
  await Promise.all(windows.splice(0).map((window) => window.kill()));
  rmSync(folder, { recursive: true, force: true });
});

function another(checkpointLines = 1_000): MemoryProcess {
  const window = program.start(folder, { checkpointLines });
  windows.push(window);
  return window;
}
const open = (checkpointLines = 1_000) =>
  openMemoryStore({ folder, name: 'p', loadSql: loadTestSql, checkpointLines });
const ids = (store: { all(): readonly { readonly id: string }[] }) => store.all().map(({ id }) => id);
const writing = (name: string, count: number) =>
  `(async () => { for (let n = 0; n < ${count}; n++) { await store.write([put('${name}' + n, 'x'.repeat(n % 9 * 900)),
    { kind: 'used', ids: ['shared'], atMs: n }]); say('${name}' + n); } })()`;

describe('windows that write at the same time', () => {
  it.each([
    ['never', 100_000],
    ['often', 7],
    ['after every line', 1],
  ])(
    'lose nothing and count nothing twice, checkpoints coming %s',
    async (_, checkpointLines) => {
      const own = await open(checkpointLines);
      await own.write([put('shared', 'Used by all.')]);
      const names = ['a', 'b', 'c'];
      const count = 20;
      const others = names.map(() => another(checkpointLines));
      await Promise.all(others.map((other, index) => other.run(writing(names[index]!, count))));
      await own.refresh();
      const fresh = await open();
      for (const store of [own, fresh]) {
        const expected = names.flatMap((name) => Array.from({ length: count }, (_, n) => `${name}${n}`));
        expect(ids(store).sort()).toEqual([...expected, 'shared'].sort());
        expect(store.get('shared')?.uses).toBe(names.length * count);
        expect(store.notice).toBeUndefined();
      }
      for (const other of others) {
        await other.run('store.refresh()');
        expect(await other.run(`store.get('shared').uses`)).toBe(names.length * count);
        await other.run('store.dispose()');
      }
      await own.dispose();
      await fresh.dispose();
      expect(readdirSync(folder).sort()).toEqual(['memory.sqlite', 'memory.sqlite.bak']);
    },
    60_000,
  );

  it('are alone in what they do exclusively, from process to process', async () => {
    const own = await open();
    await own.write([put('n', '0')]);
    const adding = `(async () => { for (let n = 0; n < 15; n++) await store.exclusively(async () => {
      const count = Number(store.get('n').text); await sleep(2); await store.write([put('n', String(count + 1))]); }) })()`;
    await Promise.all([another(), another(5), another()].map((other) => other.run(adding)));
    await own.refresh();
    expect(own.get('n')?.text).toBe('45');
    await own.dispose();
  });
});

describe('a window that is killed', () => {
  it.each([
    ['in the midst of writing', 100_000],
    ['in the midst of checkpoints', 1],
  ])(
    '%s loses nothing of what was written, and nothing is there twice',
    async (_, checkpointLines) => {
      const said: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        const own = await open();
        await own.write([put('shared', 'x', { uses: said.length })]);
        await own.dispose();
        const window = another(checkpointLines);
        await window.run('1');
        const running = window.run(writing(`r${round}-`, 10_000)).catch(String);
        while (window.said.length < 3 + round) await sleep(1);
        await sleep(round * 3);
        await window.kill();
        expect(await running).toContain('killed');
        said.push(...window.said);
        const after = await open();
        expect(ids(after)).toEqual(expect.arrayContaining(said));
        // The last one may have been written and not been said.
        const written = ids(after).length - 1;
        expect(written - said.length).toBeLessThanOrEqual(1 + round);
        expect(new Set(ids(after)).size).toBe(ids(after).length);
        expect(after.get('shared')!.uses - (said.length - window.said.length)).toBeLessThanOrEqual(
          window.said.length + 1,
        );
        expect(after.get('shared')!.uses).toBeGreaterThanOrEqual(said.length);
        await after.dispose();
      }
      expect(said.length).toBeGreaterThan(9);
    },
    90_000,
  );

  it('while it holds the lock keeps the next one waiting for a few seconds at most', async () => {
    const window = another();
    void window.run(`store.exclusively(async () => { say('in'); await sleep(60_000); })`).catch(String);
    while (window.said.length === 0) await sleep(10);
    await window.kill();
    const others = [await open(), await open(), await open()];
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, (inside += 1));
      await sleep(150);
      inside -= 1;
    };
    await others[0]!.write([put('m1', 'Writing needs no lock.')]);
    const remote = another();
    await Promise.all([
      ...others.map((other) => other.exclusively(work)),
      remote.run('store.exclusively(() => sleep(1))'),
    ]);
    expect(most).toBe(1);
    for (const other of others) await other.dispose();
  });

  it('a lock that is held and renewed is waited for, however long', async () => {
    const window = another();
    const holding = window.run(
      `store.exclusively(async () => { say('in'); await sleep(5_000); say('out'); })`,
    );
    while (window.said.length === 0) await sleep(10);
    const own = await open();
    await own.exclusively(() => Promise.resolve(expect(window.said).toEqual(['in', 'out'])));
    await holding;
    await own.dispose();
  });
});
