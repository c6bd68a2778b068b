import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openMemoryStore } from '../../../src/node/memory/open-memory-store.ts';
import { loadTestSql } from '../../support/load-test-sql.ts';
import { temporaryFolder } from '../../support/tool-bench.ts';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => openMemoryStore({ folder, name: 'p', loadSql: loadTestSql });
const journals = () => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const journalBytes = () =>
  journals().reduce(
    (sum, name) => sum + (statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

it('a journal whose few lines are long gets its checkpoint by their bytes', async () => {
  const store = await open();
  const text = 'ü'.repeat(500_000); // a megabyte
  const base = (name: string) => ({ kind: 'base' as const, file: '/MEMORY.md', text: name + text });
  await store.write([base('first')]);
  expect(journalBytes()).toBeGreaterThan(1_000_000);
  for (const name of ['b', 'c', 'd']) await store.write([base(name)]);
  await vi.waitFor(() => expect(journals()).toEqual([]), { timeout: 10_000 });
  expect(store.baseOf('/MEMORY.md')).toBe(`d${text}`);
  await store.write([base('last')]);
  expect(journalBytes()).toBeLessThan(1_100_000);
  await store.dispose();
  const again = await open();
  expect(again.baseOf('/MEMORY.md')).toBe(`last${text}`);
  await again.dispose();
});
