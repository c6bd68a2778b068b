import { cutBefore } from '../../model/cut-text.ts';
import type { EntryPart } from './recall-text.ts';
import { isUnspacedAt, isWordAt, runEnd, wordEnd, wordHash } from './recall-words.ts';

/** Where the passages of a text are, and the words in each: numbers only, for a session has half a million words. */
export interface PassageIndex {
  /** start and end of each passage in turn */
  readonly spans: Uint32Array;
  /** of all words, as {@link wordHash} makes them: an identifier's as a whole and in its parts, of unspaced scripts pairs and single characters */
  readonly words: Int32Array;
  /** for each passage the place behind its last word */
  readonly ends: Uint32Array;
}

/** What is said never changes, so it is read once, by the first search that comes by. */
const known = new WeakMap<EntryPart, PassageIndex>();

export function passageIndex(part: EntryPart): PassageIndex {
  const index = known.get(part) ?? indexOf(part.text);
  known.set(part, index);
  return index;
}

/** A passage of a part; empty where there is no such one. */
export function passageText(part: EntryPart, line: number): string {
  const { spans } = passageIndex(part);
  return part.text.slice(spans[2 * line] ?? 0, spans[2 * line + 1] ?? 0).trimEnd();
}

function indexOf(text: string): PassageIndex {
  const spans: number[] = [];
  const words: number[] = [];
  const ends: number[] = [];
  const addWords = wordCollector(text, words);
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const lineEnd = newline < 0 ? text.length : newline;
    while (start < lineEnd) {
      const end = passageEnd(text, start, lineEnd);
      if (!isBlank(text, start, end)) {
        spans.push(start, end);
        addWords(start, end);
        ends.push(words.length);
      }
      start = end;
    }
    start = lineEnd + 1;
  }
  return { spans: Uint32Array.from(spans), words: Int32Array.from(words), ends: Uint32Array.from(ends) };
}

function wordCollector(text: string, words: number[]): (start: number, end: number) => void {
  const add = (start: number, end: number) => words.push(wordHash(text, start, end));
  const addParts = (start: number, end: number) => {
    for (let at = start; at < end;) {
      const next = wordEnd(text, at, end);
      if (next - at < end - start) add(at, next);
      at = next;
    }
  };
  const addPairs = (start: number, end: number) => {
    for (let at = start; at < end; at += 1) {
      add(at, at + 1);
      if (at + 2 <= end) add(at, at + 2);
    }
  };
  return (start, end) => {
    for (let at = start; at < end;) {
      if (!isWordAt(text, at)) {
        at += 1;
        continue;
      }
      const next = runEnd(text, at, end);
      if (isUnspacedAt(text, at)) addPairs(at, next);
      else {
        add(at, next);
        addParts(at, next);
      }
      at = next;
    }
  };
}

/** Longer lines are cut, at the best place there is behind each of these lengths. */
const WHOLE = 300;
const AT_SENTENCE = 140;
const AT_SPACE = 240;
const AT_SIGN = 400;
const ANYWHERE = 800;

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
