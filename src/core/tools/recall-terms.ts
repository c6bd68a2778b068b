import {
  isUnspacedAt,
  isWordAt,
  kindAt,
  LOWER,
  lowerAt,
  lowerCase,
  runEnd,
  SEPARATOR,
  UNSPACED,
  UPPER,
  wordEnd,
} from './recall-words.ts';

/** One bit of a number each: what a passage holds of a query is then compared in no time. */
const MAX_TERMS = 31;
const SHORTEST_STEM = 3;
const ENDINGS = new Set(['', 's', 'es', 'd', 'ed', 'ing', 'e', 'r', 'er', 'rs', 'ers', 'ion', 'ions', 'ly']);
const LONGEST_ENDING = 4;
const KEYS = 0x10000;

interface Term {
  /** what a word must begin with, in small letters */
  readonly stem: string;
  readonly bit: number;
  /** a pair of characters: what follows does not matter */
  readonly isUnspaced: boolean;
}

/** The words of a query, ready to be looked for. */
export interface QueryTerms {
  /** how many there are: bits 0 to count - 1 stand for them */
  readonly count: number;
  /** the terms as they follow each other in the query */
  readonly order: readonly number[];
  /** by the first two characters */
  readonly byKey: ReadonlyMap<number, readonly Term[]>;
  /** 1 for each of those keys: most words of a text are passed over by one look */
  readonly hasKey: Uint8Array;
}

/** Words, and the parts of identifiers; of a long query the longest ones, which say most. */
export function queryTerms(query: string): QueryTerms {
  const text = query.normalize('NFC');
  const words = wordsOfQuery(text);
  const long = words.filter((word) => word.length > 1);
  const used = (long.length > 0 ? long : words).map(stemOf);
  const chosen = [...new Set(used)].sort((a, b) => b.length - a.length).slice(0, MAX_TERMS);
  const byKey = new Map<number, Term[]>();
  const hasKey = new Uint8Array(KEYS);
  chosen.forEach((stem, index) => {
    const term = { stem, bit: 1 << index, isUnspaced: isUnspacedAt(stem, 0) };
    const key = keyOf(stem, 0, stem.length);
    byKey.set(key, [...(byKey.get(key) ?? []), term]);
    hasKey[key] = 1;
  });
  const order = used.map((stem) => chosen.indexOf(stem)).filter((index) => index >= 0);
  return { count: chosen.length, order, byKey, hasKey };
}

function wordsOfQuery(text: string): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < text.length;) {
    if (!isWordAt(text, at)) {
      at += 1;
      continue;
    }
    const end = runEnd(text, at, text.length);
    words.push(...(isUnspacedAt(text, at) ? pairs(text.slice(at, end)) : runAndParts(text, at, end)));
    at = end;
  }
  return words;
}

function pairs(run: string): readonly string[] {
  if (run.length <= 2) return [run];
  return Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2));
}

function runAndParts(text: string, start: number, end: number): readonly string[] {
  const parts: string[] = [];
  for (let at = start; at < end;) {
    const next = wordEnd(text, at, end);
    parts.push(lowerCase(text.slice(at, next)));
    at = next;
  }
  return parts.length === 1 ? parts : [...parts.filter((part) => part.length > 1), parts.join('')];
}

/** Without its English ending, so that `decisions` finds a decision. */
function stemOf(word: string): string {
  const ending = /^[a-z]{5,}$/.test(word) ? (/(?:ing|ed|es|(?<!s)s)$/.exec(word)?.[0] ?? '') : '';
  const stem = word.slice(0, word.length - ending.length);
  return stem.length < SHORTEST_STEM ? word : stem;
}

function keyOf(text: string, start: number, end: number): number {
  const second = end - start > 1 ? lowerAt(text, start + 1) : 0;
  return pairKey(lowerAt(text, start), second);
}

function pairKey(first: number, second: number): number {
  return (first * 31 + second) & (KEYS - 1);
}

/**
 * Which terms the stretch holds, as bits. Every character of a session goes through here: a word is looked at only where
 * one may begin (the kind of character changes) with two characters that a term begins with.
 */
export function matchText(terms: QueryTerms, text: string, { start, end }: Span): number {
  let bits = 0;
  let previous = SEPARATOR;
  let run = start;
  for (let at = start; at < end; at += 1) {
    const kind = kindAt(text, at);
    const before = previous;
    previous = kind;
    if (kind === SEPARATOR) continue;
    if (before === SEPARATOR || (before === UNSPACED) !== (kind === UNSPACED)) run = at;
    const mayBegin = kind !== before || kind === UPPER || kind === UNSPACED;
    if (!mayBegin || !mayMatch(terms, text, at)) continue;
    const next = runEnd(text, run, end);
    bits |= matchRun(terms, text, { start: run, end: next });
    at = next - 1;
    previous = kind === UNSPACED ? UNSPACED : LOWER;
  }
  return bits;
}

function mayMatch({ hasKey }: QueryTerms, text: string, at: number): boolean {
  const first = lowerAt(text, at);
  if (hasKey[pairKey(first, 0)] === 1) return true;
  return at + 1 < text.length && hasKey[pairKey(first, lowerAt(text, at + 1))] === 1;
}

/** Which terms the run from `start` to `end` holds, as bits. */
export function matchRun(terms: QueryTerms, text: string, span: Span): number {
  const { start, end } = span;
  if (isUnspacedAt(text, start)) return matchUnspaced(terms, text, span);
  let bits = 0;
  let at = start;
  while (at < end) {
    const next = wordEnd(text, at, end);
    if (at === start && next === end) return matchWord(terms, text, span);
    bits |= matchWord(terms, text, { start: at, end: next });
    at = next;
  }
  return bits | matchWord(terms, text, span);
}

/** A stretch of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

function matchUnspaced(terms: QueryTerms, text: string, { start, end }: Span): number {
  let bits = 0;
  for (let at = start; at < end; at += 1) {
    bits |= matchWord(terms, text, { start: at, end: Math.min(at + 2, end) });
    bits |= matchWord(terms, text, { start: at, end: at + 1 });
  }
  return bits;
}

function matchWord(terms: QueryTerms, text: string, span: Span): number {
  const key = keyOf(text, span.start, span.end);
  if (terms.hasKey[key] !== 1) return 0;
  const candidates = terms.byKey.get(key) ?? [];
  let bits = 0;
  for (const term of candidates) if (isMatch(term, text, span)) bits |= term.bit;
  return bits;
}

function isMatch({ stem, isUnspaced }: Term, text: string, { start, end }: Span): boolean {
  const rest = end - start - stem.length;
  if (rest < 0 || rest > LONGEST_ENDING) return false;
  for (let index = 0; index < stem.length; index += 1)
    if (lowerAt(text, start + index) !== stem.charCodeAt(index)) return false;
  if (rest === 0) return true;
  const isInflected = !isUnspaced && stem.length >= SHORTEST_STEM;
  return isInflected && ENDINGS.has(lowerCase(text.slice(end - rest, end)));
}
