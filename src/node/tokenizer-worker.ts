import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { TiktokenBPE } from 'js-tiktoken/lite';
import { Tiktoken } from 'js-tiktoken/lite';
import { createBoundedCounter } from './bounded-count.ts';

/**
 * A program of its own: counts each message's texts and answers with the counts, in order. Given the path of the
 * ranks, which take seconds to load: that is why nothing of this runs in the extension host's thread.
 */
function main(): void {
  const { ranks } = workerData as { readonly ranks: string };
  const encoding = JSON.parse(readFileSync(ranks, 'utf8')) as TiktokenBPE;
  const tokenizer = new Tiktoken(encoding);
  const count = createBoundedCounter({
    pattern: new RegExp(encoding.pat_str, 'gu'),
    // Without the empty lists a text that holds a special token's name would be refused.
    count: (piece) => tokenizer.encode(piece, [], []).length,
  });
  parentPort?.on('message', (texts: readonly string[]) => parentPort?.postMessage(count(texts)));
}

main();
