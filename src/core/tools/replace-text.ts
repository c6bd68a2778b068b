import type { LineEnding } from './text-lines.ts';
import { toLf } from './text-lines.ts';

export interface Replacement {
  readonly text: string;
  /** what was put in, without the parts that stood there before */
  readonly inserted: string;
}

/**
 * Every place where `old` stands in the text, line endings not looked at: positions in the text with `\r\n` read as
 * `\n`. Places that overlap are all named, so a caller can tell one match from several.
 */
export function findText(text: string, old: string): readonly number[] {
  return findAll(toLf(text), toLf(old));
}

/** Knuth, Morris and Pratt: `indexOf` from place to place is quadratic where places overlap. */
function findAll(haystack: string, needle: string): readonly number[] {
  const places: number[] = [];
  const first = needle === '' ? -1 : haystack.indexOf(needle);
  if (first === -1) return places;
  const borders = bordersOf(needle);
  let matched = 0;
  for (let at = first; at < haystack.length; at++) {
    const code = haystack.charCodeAt(at);
    while (matched > 0 && needle.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === code) matched++;
    if (matched < needle.length) continue;
    places.push(at + 1 - needle.length);
    matched = borders[matched - 1] ?? 0;
  }
  return places;
}

/** For every beginning of the text: the length of the longest shorter one that it ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(length) === code) length++;
    borders[at] = length;
  }
  return borders;
}

/**
 * Replaces `old` at the places given (of {@link findText}; one that overlaps the one before is passed over). Only what
 * differs between old and new is exchanged; a new line ends as the line that it replaces did, or as its neighbour does.
 */
export function replaceText(text: string, places: readonly number[], change: TextChange): Replacement {
  const old = toLf(change.old);
  const now = toLf(change.now);
  const same = commonEnds(old, now);
  const middle = now.slice(same.start, now.length - same.end);
  const original = originalPositions(text);
  const endingsAround = endingsOf(text);
  const parts: string[] = [];
  let inserted = '';
  let done = 0;
  let free = 0;
  for (const place of places) {
    if (place < free) continue;
    free = place + old.length;
    const start = original(place + same.start);
    const end = original(free - same.end);
    const fresh = withEndings(middle, () => endingsAround(start, end));
    parts.push(text.slice(done, start), fresh);
    inserted += fresh;
    done = end;
  }
  return { text: [...parts, text.slice(done)].join(''), inserted };
}

export interface TextChange {
  readonly old: string;
  readonly now: string;
}

/** Lengths of what two texts begin and end with in common, not overlapping. */
function commonEnds(a: string, b: string): { readonly start: number; readonly end: number } {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { start, end };
}

/** Turns a position in the text with `\r\n` read as `\n` into the position in the text itself. */
function originalPositions(text: string): (position: number) => number {
  const shortened: number[] = [];
  for (const found of text.matchAll(/\r\n/g)) shortened.push(found.index - shortened.length);
  return (position) => position + countBelow(shortened, position);
}

/** How many of the sorted numbers are below the limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Endings {
  /** of the lines that are replaced, in order */
  readonly own: readonly LineEnding[];
  /** for lines beyond those */
  readonly more: LineEnding;
}

/** Looks endings up by the positions of all line feeds, as one line may hold any number of places. */
function endingsOf(text: string): (start: number, end: number) => Endings {
  let found: readonly number[] | undefined;
  const endingAt = (feed: number | undefined): LineEnding | undefined =>
    feed === undefined ? undefined : text[feed - 1] === '\r' ? '\r\n' : '\n';
  return (start, end) => {
    const feeds = (found ??= [...text.matchAll(/\n/g)].map(({ index }) => index));
    const from = countBelow(feeds, start);
    const to = countBelow(feeds, end);
    const own = feeds.slice(from, to).map((feed) => endingAt(feed) ?? '\n');
    return { own, more: own.at(-1) ?? endingAt(feeds[from - 1]) ?? endingAt(feeds[to]) ?? '\n' };
  };
}

function withEndings(lf: string, find: () => Endings): string {
  const [first = '', ...others] = lf.split('\n');
  if (others.length === 0) return first;
  const { own, more } = find();
  return first + others.map((line, index) => (own[index] ?? more) + line).join('');
}
