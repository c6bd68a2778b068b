import path from 'node:path';
import type { SqlJsStatic } from 'sql.js';
import type { MemoryStore } from '../../core/ports/memory-store.ts';
import { DiskMemoryStore } from './disk-memory-store.ts';
import { loadStore } from './load-store.ts';
import type { LoadedStore } from './load-store.ts';
import { StoreFiles } from './store-files.ts';

/** Lines are read again whenever a store is opened: a thousand take some 20 ms. */
const CHECKPOINT_LINES = 1_000;
/** Each write that changes MEMORY.md has the whole text of it in its line: a large one fills a journal in a few. */
const CHECKPOINT_BYTES = 4_000_000;

export interface MemoryStoreOptions {
  /** where it is kept: a folder of its own on this machine; made when something is written */
  readonly folder: string;
  /** for people: which project it is of */
  readonly name: string;
  readonly loadSql: () => Promise<SqlJsStatic>;
  /** lines of the journal after which the image is written anew */
  readonly checkpointLines?: number;
  /** bytes of it, after which the same is done */
  readonly checkpointBytes?: number;
}

/**
 * Opens a project's memory, or begins it. What is damaged is put aside and told in `notice`.
 * @throws NewerStoreError for a store of a newer version of the product, or the system's own error where its files
 * cannot be read
 */
export async function openMemoryStore(options: MemoryStoreOptions): Promise<MemoryStore> {
  const { folder, name, checkpointLines = CHECKPOINT_LINES, checkpointBytes = CHECKPOINT_BYTES } = options;
  const checkpointAt = { lines: checkpointLines, bytes: checkpointBytes };
  const files = new StoreFiles(folder);
  const sql = await options.loadSql();
  const loaded = await loadStore(files, sql);
  const notice = noticeOf(loaded);
  for (const image of loaded.damagedImages) await files.quarantine(image);
  const store = new DiskMemoryStore(loaded, { name, notice, sql, files, checkpointAt });
  // Words that were forgotten are in the journal until now.
  if (loaded.hasForgotten || notice !== undefined || loaded.size.isDue(checkpointAt))
    await store.checkpoint();
  return store;
}

function noticeOf({ damagedImages, isImageLost, damagedLines, contents }: LoadedStore): string | undefined {
  const lines = [...damagedLines.values()].reduce((sum, count) => sum + count, 0);
  const words = [
    ...damagedImages.map(
      (file) => `${path.basename(file)} was damaged and is kept under another name beside it.`,
    ),
    ...(isImageLost ? ['What was written since is there, older memories could not be read.'] : []),
    ...(damagedImages.length > 0 && !isImageLost ? ['Its copy is whole: nothing is lost.'] : []),
    ...(lines > 0
      ? [
          `${lines} damaged ${lines === 1 ? 'line' : 'lines'} of the journal could not be read; the file is kept.`,
        ]
      : []),
    ...(contents.damagedRows > 0 ? [`${contents.damagedRows} memories could not be read.`] : []),
  ];
  return words.length > 0 ? words.join(' ') : undefined;
}
