import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { TiktokenBPE } from 'js-tiktoken/lite';
import { BytePairs, readRanks } from './byte-pairs.ts';
import { createTextCounter } from './text-counter.ts';

/**
 * A program of its own: counts each message's texts and answers with the counts, in order. Given the path of the
 * ranks, megabytes that take a while to load: that is why nothing of this runs in the extension host's thread.
 */
function main(): void {
  const { ranks } = workerData as { readonly ranks: string };
  const encoding = JSON.parse(readFileSync(ranks, 'utf8')) as TiktokenBPE;
  const pairs = new BytePairs(readRanks(encoding.bpe_ranks));
  const count = createTextCounter({
    pattern: new RegExp(encoding.pat_str, 'gu'),
    count: (piece) => pairs.count(piece),
  });
  parentPort?.on('message', (texts: readonly string[]) => parentPort?.postMessage(texts.map(count)));
}

main();
