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
  const haystack = toLf(text);
  const needle = toLf(old);
  const places: number[] = [];
  if (needle === '') return places;
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + 1)) places.push(at);
  return places;
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
  const parts: string[] = [];
  let inserted = '';
  let done = 0;
  let free = 0;
  for (const place of places) {
    if (place < free) continue;
    free = place + old.length;
    const start = original(place + same.start);
    const end = original(free - same.end);
    const fresh = withEndings(middle, endingsAround(text, start, end));
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

function endingsAround(text: string, start: number, end: number): Endings {
  const own = [...text.slice(start, end).matchAll(/\r?\n/g)].map((found) => found[0] as LineEnding);
  return { own, more: own.at(-1) ?? endingBefore(text, start) ?? endingAfter(text, end) ?? '\n' };
}

function endingBefore(text: string, position: number): LineEnding | undefined {
  const at = position === 0 ? -1 : text.lastIndexOf('\n', position - 1);
  if (at === -1) return undefined;
  return text[at - 1] === '\r' ? '\r\n' : '\n';
}

function endingAfter(text: string, position: number): LineEnding | undefined {
  const at = text.indexOf('\n', position);
  if (at === -1) return undefined;
  return text[at - 1] === '\r' ? '\r\n' : '\n';
}

function withEndings(lf: string, endings: Endings): string {
  const [first = '', ...others] = lf.split('\n');
  return first + others.map((line, index) => (endings.own[index] ?? endings.more) + line).join('');
}
