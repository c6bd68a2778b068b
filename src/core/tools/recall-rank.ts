import type { Passage, Scan } from './recall-scan.ts';
import type { QueryTerms, Span } from './recall-terms.ts';
import { matchRun } from './recall-terms.ts';
import { isUnspacedAt, isWordAt, runEnd, wordEnd } from './recall-words.ts';

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
}

/** A word of a passage with the query's terms in it. */
export interface Word extends Span {
  readonly bits: number;
}

/**
 * Best first, the newest of equals first. BM25 over passages, where a term counts once; a second look at the best of
 * them adds how far the words stand together as they do in the query.
 */
export function rankPassages(
  { passages, counts, total }: Scan,
  terms: QueryTerms,
  weightOf: (passage: Passage) => number,
): readonly Ranked[] {
  const rarity = counts.map((count) => Math.log(1 + (total - count + 0.5) / (count + 0.5)));
  const sum = sumOfBits(rarity);
  const all = sum(terms.count === 0 ? 0 : 2 ** terms.count - 1);
  const first = passages.map((passage, index) => {
    const near = nearBits(passages, index) & ~passage.bits;
    const length = 0.9 + (0.1 * (passage.end - passage.start)) / USUAL_LENGTH;
    return (weightOf(passage) * (sum(passage.bits) + NEAR * sum(near))) / length;
  });
  const least = first.length <= MAX_RANKED ? 0 : ([...first].sort((a, b) => b - a)[MAX_RANKED - 1] ?? 0);
  const together = togetherShare(pairsOf(terms.order), rarity);
  let ties = MAX_RANKED - first.reduce((better, score) => better + (score > least ? 1 : 0), 0);
  const ranked: Ranked[] = [];
  // From the newest: where more have the least score than are looked at, those are the ones.
  for (let at = passages.length - 1; at >= 0; at -= 1) {
    const passage = passages[at];
    const score = first[at] ?? 0;
    if (passage === undefined || score < least) continue;
    if (score === least && ties-- <= 0) continue;
    const isWhole = sum(passage.bits) >= 0.8 * all;
    ranked.push({ passage, score: score * (1 + TOGETHER * together(wordsOf(terms, passage))), isWhole });
  }
  ranked.sort((a, b) => b.score - a.score);
  const noise = NOISE * (ranked[0]?.score ?? 0);
  return ranked.filter(({ score }) => score >= noise);
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

/** What the lines above and below hold. */
function nearBits(passages: readonly Passage[], index: number): number {
  const passage = passages[index];
  if (passage === undefined) return 0;
  return besides(passage, passages[index - 1], -1) | besides(passage, passages[index + 1], 1);
}

function besides(passage: Passage, other: Passage | undefined, distance: number): number {
  return other?.part === passage.part && other.line === passage.line + distance ? other.bits : 0;
}

function pairsOf(order: readonly number[]): ReadonlySet<number> {
  return new Set(order.slice(1).map((term, index) => pairKey(order[index] ?? 0, term)));
}

function pairKey(first: number, second: number): number {
  return first * 32 + second;
}

/** Share of the query's neighbouring words that are neighbours here too, by rarity. */
function togetherShare(
  pairs: ReadonlySet<number>,
  rarity: readonly number[],
): (words: readonly Word[]) => number {
  const worth = (pair: number) => Math.min(rarity[Math.floor(pair / 32)] ?? 0, rarity[pair % 32] ?? 0);
  const all = [...pairs].reduce((sum, pair) => sum + worth(pair), 0);
  return (words) => {
    if (all === 0) return 0;
    const matched = words.filter(({ bits }) => bits !== 0);
    const found = new Set<number>();
    matched.slice(1).forEach((word, index) => {
      const before = matched[index];
      if (before === undefined || word.start - before.end > GAP) return;
      for (const first of termsIn(before.bits))
        for (const second of termsIn(word.bits)) found.add(pairKey(first, second));
    });
    return [...found].reduce((sum, pair) => sum + (pairs.has(pair) ? worth(pair) : 0), 0) / all;
  };
}

function termsIn(bits: number): readonly number[] {
  return Array.from({ length: 32 - Math.clz32(bits) }, (_, term) => term).filter(
    (term) => (bits >> term) & 1,
  );
}

/** The words of a passage; of an unspaced script its characters. */
export function wordsOf(terms: QueryTerms, { part: { text }, start, end }: Passage): readonly Word[] {
  const words: Word[] = [];
  for (let at = start; at < end;) {
    if (!isWordAt(text, at)) {
      at += 1;
      continue;
    }
    const next = isUnspacedAt(text, at) ? at + 1 : wordEnd(text, at, runEnd(text, at, end));
    const seen = { start: at, end: isUnspacedAt(text, at) ? Math.min(at + 2, end) : next };
    words.push({ start: at, end: next, bits: matchRun(terms, text, seen) });
    at = next;
  }
  return words;
}
