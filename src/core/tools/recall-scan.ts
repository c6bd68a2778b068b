import { cutBefore } from '../model/cut-text.ts';
import type { Entry } from '../model/entry.ts';
import type { EntryPart } from './recall-text.ts';
import { entryParts } from './recall-text.ts';
import type { QueryTerms, Span } from './recall-terms.ts';
import { matchText } from './recall-terms.ts';
import { isWordAt } from './recall-words.ts';

/** A line; of a long one some sentences. The unit that is ranked, because a fact is a line and not a file. */
export interface Passage extends Span {
  readonly entry: Entry;
  /** position of the entry among those searched: higher is newer */
  readonly index: number;
  readonly part: EntryPart;
  /** position of the passage in its part */
  readonly line: number;
  /** the query's terms that it holds */
  readonly bits: number;
}

export interface Scan {
  /** those that hold a term, oldest first */
  readonly passages: readonly Passage[];
  /** how many passages hold each term */
  readonly counts: readonly number[];
  /** how many passages there are */
  readonly total: number;
  /** how many entries were searched */
  readonly entries: number;
}

/** Lets others have their turn now and then; undefined where that is not due. @throws AbortedError */
export type Pause = () => Promise<void> | undefined;

/** Reads all that was said, once. */
export async function scanEntries(entries: readonly Entry[], terms: QueryTerms, pause: Pause): Promise<Scan> {
  const passages: Passage[] = [];
  const counts = Array.from({ length: terms.count }, () => 0);
  let total = 0;
  let searched = 0;
  for (const [index, entry] of entries.entries()) {
    const parts = entryParts(entry).filter((part) => part.isEcho !== true);
    if (parts.length > 0) searched += 1;
    for (const part of parts) total += scanPart({ entry, index, part }, terms, { passages, counts });
    const due = pause();
    if (due !== undefined) await due;
  }
  return { passages, counts, total, entries: searched };
}

type Place = Pick<Passage, 'entry' | 'index' | 'part'>;

function scanPart(
  place: Place,
  terms: QueryTerms,
  found: { readonly passages: Passage[]; readonly counts: number[] },
): number {
  const { entry, index, part } = place;
  const { text } = part;
  let line = 0;
  for (const span of passagesOf(text)) {
    const bits = matchText(terms, text, span);
    if (bits !== 0) {
      found.passages.push({ entry, index, part, start: span.start, end: span.end, line, bits });
      addBits(found.counts, bits);
    }
    line += 1;
  }
  return line;
}

function addBits(counts: number[], bits: number): void {
  for (let rest = bits; rest !== 0; rest &= rest - 1) {
    const term = 31 - Math.clz32(rest & -rest);
    counts[term] = (counts[term] ?? 0) + 1;
  }
}

/** Longer lines are cut, at the best place there is behind each of these lengths. */
const WHOLE = 300;
const AT_SENTENCE = 140;
const AT_SPACE = 240;
const AT_SIGN = 400;
const ANYWHERE = 800;

/** Passages of a text in order, without the line ends; blank lines are none. */
export function* passagesOf(text: string): Generator<Span> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const lineEnd = newline < 0 ? text.length : newline;
    while (start < lineEnd) {
      const end = passageEnd(text, start, lineEnd);
      if (!isBlank(text, start, end)) yield { start, end };
      start = end;
    }
    start = lineEnd + 1;
  }
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (!isSpaceAt(text, at)) return false;
  return true;
}

function passageEnd(text: string, start: number, lineEnd: number): number {
  if (lineEnd - start <= WHOLE) return lineEnd;
  for (let at = start + AT_SENTENCE; at < lineEnd - 1; at += 1) {
    const length = at - start;
    if (length >= ANYWHERE) return cutBefore(text, at);
    if (endsSentence(text, at)) return at + 1;
    if (length >= AT_SPACE && isSpaceAt(text, at)) return at + 1;
    if (length >= AT_SIGN && !isWordAt(text, at)) return at + 1;
  }
  return lineEnd;
}

function endsSentence(text: string, at: number): boolean {
  const sign = text.charAt(at);
  return '。！？；'.includes(sign) || ('.!?;'.includes(sign) && isSpaceAt(text, at + 1));
}

function isSpaceAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0x3000;
}
