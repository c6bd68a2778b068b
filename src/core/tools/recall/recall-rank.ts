import type { Passage, Pause, Scan, ScannedPart } from './recall-scan.ts';
import type { QueryTerms, Span } from './recall-terms.ts';
import { isUnspacedAt, isWordAt, runEnd, wordEnd, wordHash } from './recall-words.ts';

/** Passages that are looked at closely; among more than these a query says too little to tell them apart. */
const MAX_RANKED = 1_000;
/** Less than this share of the best one's score is noise. */
const NOISE = 0.25;
/** What a word in the line above or below counts. */
const NEAR = 0.35;
/** What words that stand together as in the query add. */
const TOGETHER = 0.6;
/** Two words further apart, in characters, do not stand together. */
const GAP = 40;
const USUAL_LENGTH = 80;

export interface Ranked {
  readonly passage: Passage;
  readonly score: number;
  /** nearly all of the query is in the passage */
  readonly isWhole: boolean;
  readonly words: readonly Word[];
}

/** A word of a passage with the query's terms in it. */
export interface Word extends Span {
  readonly bits: number;
}

export interface RankOptions {
  readonly terms: QueryTerms;
  readonly weightOf: (part: ScannedPart) => number;
  readonly pause: Pause;
}

/** So many passages are looked at closely before others may have their turn. */
const SLICE = 50;

/**
 * Best first, the newest of equals first. BM25 over passages, where a term counts once; a second look at the best of
 * them adds how far the words stand together as they do in the query.
 */
export async function rankPassages(
  scan: Scan,
  { terms, weightOf, pause }: RankOptions,
): Promise<readonly Ranked[]> {
  const rarity = scan.counts.map((count) => Math.log(1 + (scan.total - count + 0.5) / (count + 0.5)));
  const sum = sumOfBits(rarity);
  const whole = 0.8 * sum(terms.count === 0 ? 0 : 2 ** terms.count - 1);
  const scored = scan.parts.map((part) => ({ part, scores: scoresIn(part, sum, weightOf(part)) }));
  await pause();
  const together = togetherShare(pairsOf(terms.order), rarity);
  const ranked: Ranked[] = [];
  for (const { passage, score } of bestOf(scored, scan.found)) {
    const words = wordsOf(terms, passage);
    const isWhole = sum(passage.bits) >= whole;
    ranked.push({ passage, score: score * (1 + TOGETHER * together(words)), isWhole, words });
    const due = ranked.length % SLICE === 0 ? pause() : undefined;
    if (due !== undefined) await due;
  }
  ranked.sort((a, b) => b.score - a.score);
  const noise = NOISE * (ranked[0]?.score ?? 0);
  return ranked.filter(({ score }) => score >= noise);
}

interface Scored {
  readonly part: ScannedPart;
  /** of each passage; 0 where it holds nothing */
  readonly scores: Float64Array;
}

function scoresIn({ spans, bits }: ScannedPart, sum: (bits: number) => number, weight: number): Float64Array {
  return Float64Array.from(bits, (held, line) => {
    if (held === 0) return 0;
    const near = ((bits[line - 1] ?? 0) | (bits[line + 1] ?? 0)) & ~held;
    const chars = (spans[2 * line + 1] ?? 0) - (spans[2 * line] ?? 0);
    return (weight * (sum(held) + NEAR * sum(near))) / (0.9 + (0.1 * chars) / USUAL_LENGTH);
  });
}

/** The newest first; where more have the least score than are looked at, the newest of those. */
function bestOf(scored: readonly Scored[], found: number): readonly Omit<Ranked, 'isWhole' | 'words'>[] {
  const least = leastScore(scored, found);
  let better = 0;
  for (const { scores } of scored) for (const score of scores) if (score > least) better += 1;
  let ties = MAX_RANKED - better;
  const best: { passage: Passage; score: number }[] = [];
  for (const { part, scores } of scored.toReversed())
    for (let line = scores.length - 1; line >= 0; line -= 1) {
      const score = scores[line] ?? 0;
      if (score === 0 || score < least || (score === least && ties-- <= 0)) continue;
      best.push({ passage: passageAt(part, line), score });
    }
  return best;
}

/** The score of the last one that is looked at closely. */
function leastScore(scored: readonly Scored[], found: number): number {
  if (found <= MAX_RANKED) return 0;
  const all = new Float64Array(found);
  let count = 0;
  for (const { scores } of scored) for (const score of scores) if (score > 0) all[count++] = score;
  return all.sort()[found - MAX_RANKED] ?? 0;
}

function passageAt({ entry, index, part, spans, bits }: ScannedPart, line: number): Passage {
  const [start = 0, end = 0] = spans.subarray(2 * line, 2 * line + 2);
  return { entry, index, part, line, start, end, bits: bits[line] ?? 0 };
}

/** Sums of the same few sets of terms, over and over. */
function sumOfBits(values: readonly number[]): (bits: number) => number {
  const known = new Map<number, number>();
  return (bits) => {
    const before = known.get(bits);
    if (before !== undefined) return before;
    const sum = values.reduce((total, value, index) => total + ((bits >> index) & 1 ? value : 0), 0);
    known.set(bits, sum);
    return sum;
  };
}

type Pair = readonly [first: number, second: number];

/** Neighbours in the query, each pair once. */
function pairsOf(order: readonly number[]): readonly Pair[] {
  const pairs = new Map(
    order.slice(1).map((term, index): [number, Pair] => {
      const first = order[index] ?? 0;
      return [first * 32 + term, [first, term]];
    }),
  );
  return [...pairs.values()];
}

/** Share of the query's neighbouring words that are neighbours here too, by rarity. */
function togetherShare(
  pairs: readonly Pair[],
  rarity: readonly number[],
): (words: readonly Word[]) => number {
  const worth = pairs.map(([first, second]) => Math.min(rarity[first] ?? 0, rarity[second] ?? 0));
  const all = worth.reduce((sum, value) => sum + value, 0);
  return (words) => {
    if (all === 0) return 0;
    const matched = words.filter(({ bits }) => bits !== 0);
    const stands = ([first, second]: Pair) =>
      matched.some((word, index) => {
        const next = matched[index + 1];
        if (next === undefined || !((word.bits >> first) & 1) || !((next.bits >> second) & 1)) return false;
        return next.start - word.end <= GAP;
      });
    return pairs.reduce((sum, pair, index) => sum + (stands(pair) ? (worth[index] ?? 0) : 0), 0) / all;
  };
}

/** The words of a passage; of an unspaced script its characters. */
function wordsOf({ bitsOf }: QueryTerms, { part: { text }, start, end }: Passage): readonly Word[] {
  const words: Word[] = [];
  for (let at = start; at < end;) {
    if (!isWordAt(text, at)) {
      at += 1;
      continue;
    }
    const isUnspaced = isUnspacedAt(text, at);
    const next = isUnspaced ? at + 1 : wordEnd(text, at, runEnd(text, at, end));
    const pair = isUnspaced && next < end ? bitsOf(wordHash(text, at, at + 2)) : 0;
    const bits = pair | bitsOf(wordHash(text, at, next));
    words.push({ start: at, end: next, bits });
    at = next;
  }
  return words;
}
