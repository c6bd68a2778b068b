import type { Candidate } from './evict.ts';

/** What tokens cost, in units of one plain input token: written to the cache, read from it, written by the model. */
const PRICE = { write: 1.25, read: 0.1, output: 5 } as const;

export interface Economy {
  /** tokens of the next request */
  readonly load: number;
  /** where the next compaction comes; undefined: there is none */
  readonly line: number | undefined;
  /** what a compaction leaves */
  readonly floor: number;
  /** tokens that a round adds */
  readonly growth: number;
  /** tokens from the beginning of the request to each place in `spoken` */
  readonly before: (index: number) => number;
}

/**
 * The batch of evictions that is worth its break, or none. A break makes everything behind the first evicted result be
 * sent anew, so a batch is priced by where it begins: what is sent anew, against what every round until the next
 * compaction then does not hold, and against the compaction being put off.
 */
export function worthwhileBatch(
  candidates: readonly Candidate[],
  leastFreed: number,
  economy: Economy,
): readonly Candidate[] {
  let best: { readonly batch: readonly Candidate[]; readonly gain: number } | undefined;
  const fromTheEnd = [...candidates].sort((a, b) => b.index - a.index);
  let freed = 0;
  fromTheEnd.forEach(({ frees, index }, place) => {
    freed += frees;
    if (freed < leastFreed) return;
    const gain = gainOf(freed, index, economy);
    if (best === undefined || gain > best.gain) best = { batch: fromTheEnd.slice(0, place + 1), gain };
  });
  return best !== undefined && (best as { gain: number }).gain > 0 ? [...best.batch].reverse() : [];
}

/** What the batch saves until the next compaction, in units of one plain input token. */
function gainOf(freed: number, index: number, { load, line, floor, growth, before }: Economy): number {
  const sentAnew = Math.max(0, load - before(index) - freed) * (PRICE.write - PRICE.read);
  if (line === undefined) return Number.POSITIVE_INFINITY; // nothing else will relieve the window
  const without = stretch(load, line, growth);
  const withIt = stretch(load - freed, line, growth);
  const usual = usualRound(floor, line, growth);
  return without.cost + (withIt.rounds - without.rounds) * usual - withIt.cost - sentAnew;
}

/** Rounds until the load has grown to the line, and what they read. */
function stretch(
  load: number,
  line: number,
  growth: number,
): { readonly rounds: number; readonly cost: number } {
  const rounds = Math.max(0, (line - load) / growth);
  return { rounds, cost: (rounds * PRICE.read * (load + Math.max(load, line))) / 2 };
}

/** What a round costs on the average of a whole cycle, from one compaction to the next. */
function usualRound(floor: number, line: number, growth: number): number {
  const rounds = Math.max(1, (line - floor) / growth);
  const compaction = floor * (PRICE.write - PRICE.read) + line * PRICE.read + 1_000 * PRICE.output;
  return (PRICE.read * (floor + line)) / 2 + compaction / rounds;
}
