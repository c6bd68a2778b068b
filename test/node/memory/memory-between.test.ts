import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DiskMemoryStore } from '../../../src/node/memory/disk-memory-store.ts';
import { loadStore } from '../../../src/node/memory/load-store.ts';
import { StoreFiles } from '../../../src/node/memory/store-files.ts';
import { put } from '../../support/builders/memories.ts';
import { loadTestSql } from '../../support/load-test-sql.ts';
import { temporaryFolder } from '../../support/tool-bench.ts';

// What another window does between two steps of this one.

let folder: string;
const stores: DiskMemoryStore[] = [];
beforeEach(() => (folder = temporaryFolder()));
afterEach(async () => {
  for (const store of stores.splice(0)) await store.dispose();
  rmSync(folder, { recursive: true, force: true });
});

type Step = () => Promise<unknown>;

class HeldUpFiles extends StoreFiles {
  afterLook: Step | undefined;
  beforeSeal: Step | undefined;

  override async look() {
    const seen = await super.look();
    const step = this.afterLook;
    this.afterLook = undefined;
    await step?.();
    return seen;
  }

  override async seal() {
    await this.beforeSeal?.();
    return super.seal();
  }
}

async function window(files = new StoreFiles(folder)): Promise<DiskMemoryStore> {
  const sql = await loadTestSql();
  const options = {
    name: 'p',
    notice: undefined,
    sql,
    files,
    checkpointAt: { lines: 1_000, bytes: Infinity },
  };
  const store = new DiskMemoryStore(await loadStore(files, sql), options);
  stores.push(store);
  return store;
}

const ids = (store: DiskMemoryStore) => store.all().map(({ id }) => id);

it('a journal that is begun just before it is sealed is in the image', async () => {
  const files = new HeldUpFiles(folder);
  const [own, other] = [await window(files), await window()];
  files.beforeSeal = () => other.write([put('m1', 'Just in time.')]);
  await own.checkpoint();
  expect(ids(await window())).toEqual(['m1']);
  expect(ids(own)).toEqual(['m1']);
});

it.each([
  ['sealed', (other: DiskMemoryStore) => other.checkpoint()],
  [
    'sealed, and the next one begun',
    async (other: DiskMemoryStore) => {
      await other.checkpoint();
      await other.write([put('m2', 'Later.')]);
    },
  ],
])('a journal that is %s just after it was looked at is read all the same', async (_, act) => {
  const files = new HeldUpFiles(folder);
  const [own, other] = [await window(files), await window()];
  await other.write([put('m1', 'Before.')]);
  files.afterLook = () => act(other);
  await own.refresh();
  expect(ids(own)).toEqual(ids(other));
});
