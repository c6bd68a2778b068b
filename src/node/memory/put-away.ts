import { promises as fs } from 'node:fs';
import { recordsOf } from './load-store.ts';
import type { StoreFiles } from './store-files.ts';

/** Ends a sealed journal whose records the images have. What its damaged lines were nobody knows: those are kept. */
export async function putAway(files: StoreFiles, name: string): Promise<void> {
  const file = files.at(name);
  const text = await fs.readFile(file, 'utf8').catch(() => ''); // another window was faster
  const isWhole = text === '' || text.endsWith('\n');
  const lines = text.split('\n').filter((line) => line !== '');
  if (isWhole && recordsOf(lines, files.folder).damaged === 0) await fs.rm(file, { force: true });
  else await files.quarantine(file, 'memory.jsonl');
}
