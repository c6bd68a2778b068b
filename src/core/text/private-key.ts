import { MARK } from './redact-rules.ts';

/** A stretch of a text, in UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Longest private key that is known as one, markers included. */
export const MAX_KEY_CHARS = 16_384;
/** What may stand before the closing marker on its line. */
const MAX_PREFIX_CHARS = 200;

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const END = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
const END_HERE = new RegExp(END.source, 'y');

/** Lines of a key may be lines, or escaped in a string. */
const BREAK = /\r\n|\n|\r|\\r\\n|\\n/g;
/** Signs in a row that only a line of a key, and not a word, ends in. */
const BODY_SIGNS = 16;
/** The same where no opening marker says what it is. */
const SURE_BODY_SIGNS = 40;
const LAST_LINE = /^[ \t]*[A-Za-z0-9+/]{1,80}={0,2}[ \t]*$/;
const HEADER = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): /;
const NO_WORDS = /^[^A-Za-z0-9/]*$/;
const LEAST_CHARS = 8;

/**
 * The private key whose opening marker is at `at`. What has no closing marker is a key as far as its lines are a key's.
 * @param isWhole nothing comes behind the text
 * @returns `open` where more of the text has to be seen
 */
export function keyFrom(text: string, at: number, isWhole: boolean): Stretch | 'open' | undefined {
  BEGIN.lastIndex = at;
  const begin = BEGIN.exec(text)?.[0];
  if (begin === undefined) return undefined;
  const from = at + begin.length;
  const behind = text.slice(from, at + MAX_KEY_CHARS);
  const next = behind.indexOf('-----BEGIN ');
  const body = readBody(next < 0 ? behind : behind.slice(0, next));
  if (body.isOpen && next < 0 && !isWhole && text.length < at + MAX_KEY_CHARS) return 'open';
  return body.end === 0 ? undefined : { start: at, end: from + body.end };
}

/** The private key that begins before `at` and goes on behind it. */
export function keyAcross(text: string, at: number): Stretch | undefined {
  for (let begin = 0; ;) {
    begin = text.indexOf('-----BEGIN ', begin);
    if (begin < 0 || begin >= at) return undefined;
    const key = keyFrom(text, begin, true);
    if (key !== undefined && key !== 'open' && key.end > at) return key;
    begin += 1;
  }
}

interface Body {
  /** 0 where there is none */
  readonly end: number;
  /** it came to the end of the text without a line that is no key's */
  readonly isOpen: boolean;
}

function readBody(text: string): Body {
  let end = 0;
  let chars = 0;
  let isDoubtful = false;
  for (const { line, start, isLast } of linesOf(text)) {
    if (line.includes(MARK)) return { end, isOpen: false }; // what another secret was in has been decided
    const closing = END.exec(line);
    const said = line.slice(0, closing?.index);
    const bodyEnd = endOfBody(said, BODY_SIGNS) ?? (isLast && end > 0 ? endOfBody(said, 1) : undefined);
    if (LAST_LINE.test(said)) chars += said.length;
    if (closing !== null) {
      const isKey = end > 0 || bodyEnd !== undefined || chars >= LEAST_CHARS;
      return { end: isKey ? start + closing.index + closing[0].length : 0, isOpen: false };
    }
    // Only the line before the closing marker may be too short to be known.
    if (isDoubtful) return { end, isOpen: isLast };
    if (bodyEnd !== undefined) end = start + bodyEnd;
    else if (!NO_WORDS.test(line) && !HEADER.test(line)) {
      if (end === 0 && chars === 0) return { end, isOpen: isLast };
      isDoubtful = true;
    }
  }
  return { end, isOpen: true };
}

const BEHIND = ' \t"\'`,;\\';

/** Where the signs end that a line ends in, whatever stands before them: a line number, the mark of a diff. */
function endOfBody(line: string, least: number): number | undefined {
  let end = line.length;
  const isBehind = () =>
    BEHIND.includes(line.charAt(end - 1)) || (line[end - 1] === '+' && line[end - 2] === ' ');
  while (end > 0 && isBehind()) end -= 1;
  let start = end;
  while (start > end - 2 && line[start - 1] === '=') start -= 1;
  const signs = line.slice(Math.max(0, start - least), start);
  return signs.length === least && /^[A-Za-z0-9+/]*$/.test(signs) ? end : undefined;
}

interface Line {
  readonly line: string;
  readonly start: number;
  readonly isLast: boolean;
}

function* linesOf(text: string): Generator<Line> {
  let start = 0;
  for (const found of text.matchAll(BREAK)) {
    yield { line: text.slice(start, found.index), start, isLast: false };
    start = found.index + found[0].length;
  }
  yield { line: text.slice(start), start, isLast: true };
}

/**
 * The rest of a private key whose closing marker is at `at`, and whose beginning is not in the text.
 * @param from what is before belongs to something else
 */
export function keyUpTo(text: string, at: number, from: number): Stretch | undefined {
  END_HERE.lastIndex = at;
  const end = END_HERE.exec(text)?.[0];
  if (end === undefined) return undefined;
  const lineStart = startOfLine(text, at, Math.max(0, at - MAX_PREFIX_CHARS - 1));
  if (at - lineStart > MAX_PREFIX_CHARS || text.slice(lineStart, at).includes(MARK)) return undefined;
  const start = bodyBefore(text, lineStart, Math.max(from, at - MAX_KEY_CHARS));
  return start === undefined ? undefined : { start, end: at + end.length };
}

/**
 * Where the lines begin that stand directly before `end` and could be the rest of a key.
 * @param end the beginning of a line
 * @param from not further back
 */
export function bodyBefore(text: string, end: number, from: number): number | undefined {
  let start: number | undefined;
  let lineEnd = end;
  for (let isFirst = true; lineEnd > from; isFirst = false) {
    const breakStart = text.startsWith('\r\n', lineEnd - 2) ? lineEnd - 2 : lineEnd - 1;
    const lineStart = startOfLine(text, breakStart, from);
    const line = text.slice(lineStart, Math.max(lineStart, breakStart));
    if (endOfBody(line, SURE_BODY_SIGNS) !== undefined) start = lineStart;
    else if (!isFirst || !LAST_LINE.test(line)) break;
    lineEnd = lineStart;
    if (lineStart <= from) break;
  }
  return start;
}

function startOfLine(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && text[start - 1] !== '\n' && text[start - 1] !== '\r') start -= 1;
  return start;
}
