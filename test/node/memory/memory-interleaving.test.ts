import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Memory } from '../../../src/core/model/memory.ts';
import type { MemoryChange, MemoryStore } from '../../../src/core/ports/memory-store.ts';
import { openMemoryStore } from '../../../src/node/memory/open-memory-store.ts';
import { forget, put } from '../../support/builders/memories.ts';
import { loadTestSql } from '../../support/load-test-sql.ts';
import { temporaryFolder } from '../../support/tool-bench.ts';

const WINDOWS = 3;

const id = fc.constantFrom('m1', 'm2', 'm3');
const change: fc.Arbitrary<MemoryChange> = fc.oneof(
  fc.tuple(id, fc.constantFrom('Tabs.', 'Spaces.', 'Both.')).map(([of, text]) => put(of, text)),
  id.map((of) => forget(of)),
  id.map((of) => ({ kind: 'restore', id: of }) as const),
  id.map((of) => ({ kind: 'used', ids: [of], atMs: 9 }) as const),
);
const step = fc.record({
  window: fc.nat(WINDOWS - 1),
  act: fc.oneof(
    { weight: 6, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom('refresh' as const, 'reopen' as const, 'leave' as const) },
  ),
});

it('windows that write, read, come and go in any order agree with each other and with what is on the disk', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.constantFrom(1, 2, 5, 1_000),
      async (steps, lines) => {
        const folder = temporaryFolder();
        const open = () =>
          openMemoryStore({ folder, name: 'p', loadSql: loadTestSql, checkpointLines: lines });
        const windows = await Promise.all(Array.from({ length: WINDOWS }, open));
        const left: MemoryStore[] = [];
        const pending: Promise<unknown>[] = [];
        for (const { window, act } of steps) {
          const store = windows[window]!;
          if (act === 'refresh') pending.push(store.refresh());
          else if (typeof act !== 'string') pending.push(store.write(act));
          // One that is left has crashed as far as the others know: its lines are there, its checkpoint is not.
          else {
            if (act === 'leave') left.push(store);
            else await store.dispose();
            windows[window] = await open();
          }
        }
        await Promise.all(pending);
        for (const store of windows) await store.refresh();
        const fresh = await open();
        for (const store of windows) {
          expect(byId(store.all())).toEqual(byId(fresh.all()));
          for (const of of ['m1', 'm2', 'm3']) expect(store.isForgotten(of)).toBe(fresh.isForgotten(of));
          expect(
            store
              .search('tabs spaces both', 9)
              .map(({ memory }) => memory.id)
              .sort(),
          ).toEqual(
            fresh
              .all()
              .map((memory) => memory.id)
              .sort(),
          );
        }
        for (const store of [...windows, ...left, fresh]) await store.dispose();
        rmSync(folder, { recursive: true });
      },
    ),
    { numRuns: 25 },
  );
}, 120_000);

function byId(memories: readonly Memory[]): readonly Memory[] {
  return [...memories].sort((a, b) => (a.id < b.id ? -1 : 1));
}
