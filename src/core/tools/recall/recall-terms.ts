import { isUnspacedAt, isWordAt, lowerCase, runEnd, wordEnd, wordHash } from './recall-words.ts';

/** One bit of a number each: what a passage holds of a query is then compared in no time. */
const MAX_TERMS = 31;
const SHORTEST_STEM = 3;
/** What a word may have beyond a stem. */
const ENDINGS = ['s', 'es', 'd', 'ed', 'ing', 'e', 'r', 'er', 'rs', 'ers', 'ion', 'ions', 'ly'];
const SIEVE = 0x10000;

/** The words of a query, ready to be looked for. */
export interface QueryTerms {
  /** how many there are: bits 0 to count - 1 stand for them */
  readonly count: number;
  /** the terms as they follow each other in the query */
  readonly order: readonly number[];
  /** which terms a word is, by its hash */
  readonly bitsOf: (word: number) => number;
}

/** Words, and the parts of identifiers; of a long query the longest ones, which say most. */
export function queryTerms(query: string): QueryTerms {
  const text = query.normalize('NFC');
  const words = wordsOfQuery(text);
  const long = words.filter((word) => word.length > 1);
  const used = (long.length > 0 ? long : words).map(stemOf);
  const chosen = [...new Set(used)].sort((a, b) => b.length - a.length).slice(0, MAX_TERMS);
  const order = used.map((stem) => chosen.indexOf(stem)).filter((index) => index >= 0);
  return { count: chosen.length, order, bitsOf: bitsByHash(chosen) };
}

/** A term is known by the hashes of all its forms. Most words of a text are none of them, and passed over by one look. */
function bitsByHash(stems: readonly string[]): QueryTerms['bitsOf'] {
  const known = new Map<number, number>();
  const sieve = new Uint8Array(SIEVE);
  stems.forEach((stem, index) => {
    for (const form of formsOf(stem)) {
      const hash = wordHash(form, 0, form.length);
      known.set(hash, (known.get(hash) ?? 0) | (1 << index));
      sieve[hash & (SIEVE - 1)] = 1;
    }
  });
  return (word) => (sieve[word & (SIEVE - 1)] === 0 ? 0 : (known.get(word) ?? 0));
}

/** Of an unspaced script what follows does not matter. */
function formsOf(stem: string): readonly string[] {
  const isInflected = stem.length >= SHORTEST_STEM && !isUnspacedAt(stem, 0);
  return isInflected ? [stem, ...ENDINGS.map((ending) => stem + ending)] : [stem];
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

/** A stretch of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
