import { ENCODED_BEGIN, encodedKeyFrom, MAX_KEY_CHARS } from './encoded-key.ts';
import type { Stretch } from './encoded-key.ts';
import { MARK } from './redact-rules.ts';

/** What may stand before the closing marker on its line. */
const MAX_PREFIX_CHARS = 200;

const BEGIN =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 (?:[A-Z]{1,20} )?PRIVATE KEY ----|PuTTY-User-Key-File-\d: [a-z0-9@.-]{1,60}/y;
const END =
  /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|---- END SSH2 (?:[A-Z]{1,20} )?PRIVATE KEY ----|Private-(?:MAC|Hash):/;
/** Where something else begins, whatever it is. */
const ANY_BEGIN = /-----BEGIN |---- BEGIN |PuTTY-User-Key-File-/g;
const KEY_BEGIN = new RegExp(`${ANY_BEGIN.source}|${ENCODED_BEGIN}`, 'g');
const END_HERE = new RegExp(END.source, 'y');

/** Lines of a key may be lines, or escaped in a string. */
const BREAK = /\r\n|\n|\r|\\r\\n|\\n/g;
/** Signs in a row that only a line of a key, and not a word, ends in. */
const BODY_SIGNS = 16;
/** The same where no opening marker says what it is. */
const SURE_BODY_SIGNS = 40;
const LAST_LINE = /^[ \t]*[A-Za-z0-9+/]{1,80}={0,2}[ \t]*$/;
const HEADER =
  /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Encryption|Key-Derivation|Argon2-[A-Za-z]+|P(?:ublic|rivate)-Lines): /;
const NO_WORDS = /^[^A-Za-z0-9/]*$/;
const LEAST_CHARS = 8;
/** Signs in a row that a key has, whatever joins its lines, and the most between two of them: a header, what stands before a line. */
const RUN = /[A-Za-z0-9+/]{16,}/g;
const MAX_GAP_CHARS = 400;
/** Longer than any closing marker. */
const MAX_MARKER_CHARS = 100;

/**
 * The private key whose opening marker is at `at`. What has no closing marker is a key as far as its lines are a key's.
 * @param isWhole nothing comes behind the text
 * @returns `open` where more of the text has to be seen
 */
export function keyFrom(text: string, at: number, isWhole: boolean): Stretch | 'open' | undefined {
  if (text.startsWith(ENCODED_BEGIN, at)) return encodedKeyFrom(text, at, isWhole);
  BEGIN.lastIndex = at;
  const begin = BEGIN.exec(text)?.[0];
  if (begin === undefined) return undefined;
  const from = at + begin.length;
  const upTo = Math.min(nextOf(ANY_BEGIN, text, from), at + MAX_KEY_CHARS);
  const behind = text.slice(from, upTo);
  const closed = closedBody(behind);
  if (closed.end !== 0) return { start: at, end: from + closed.end };
  const body = readBody(behind);
  const goesOn =
    !isWhole && text.length === from + behind.length && behind.length < MAX_KEY_CHARS - begin.length;
  if (goesOn && (body.isOpen || closed.isOpen)) return 'open';
  return body.end === 0 ? undefined : { start: at, end: from + body.end };
}

/** Whether a key begins at `at` that may go on behind the end of the text. */
export function isKeyBegun(text: string, at: number): boolean {
  return keyFrom(text, at, false) !== undefined;
}

function nextOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  const next = pattern.exec(text);
  return next === null ? text.length : next.index;
}

/** What stands between both markers, if it is mostly a key's: how its lines are joined does not matter. */
function closedBody(text: string): Body {
  const { reach, runs } = runsOf(text);
  const closing = END.exec(text.slice(0, reach));
  if (closing === null) return { end: 0, isOpen: text.length < reach };
  const said = text.slice(0, closing.index);
  const isKey =
    !said.includes(MARK) &&
    isMostlyRuns(
      said,
      runs.filter(({ end }) => end <= closing.index),
    );
  return { end: isKey ? closing.index + closing[0].length : 0, isOpen: false };
}

/** The private key that begins before `at` and goes on behind it. */
export function keyAcross(text: string, at: number): Stretch | undefined {
  for (let begin = nextOf(KEY_BEGIN, text, 0); begin < at; begin = nextOf(KEY_BEGIN, text, begin + 1)) {
    const key = keyFrom(text, begin, true);
    if (key !== undefined && key !== 'open' && key.end > at) return key;
  }
  return undefined;
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
    const bodyEnd =
      endOfBody(said, BODY_SIGNS) ??
      (isLast && end > 0 ? endOfBody(said, 1) : undefined) ??
      endOfJoined(said, isLast);
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

/** Where the signs end of lines that are joined to one, or that something stands behind. */
function endOfJoined(line: string, isLast: boolean): number | undefined {
  const runs = Array.from(line.matchAll(RUN), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  const last = runs.at(-1);
  if (last === undefined || !runs.some((run) => isSure(line, run))) return undefined;
  const rest = /^={0,2}(?:.{1,8}?[A-Za-z0-9+/]{1,15}={0,2})?$/.exec(isLast ? line.slice(last.end) : '');
  return last.end + (rest?.[0].length ?? 0);
}

interface Runs {
  readonly runs: readonly Stretch[];
  /** a key's end is before it */
  readonly reach: number;
}

function runsOf(text: string): Runs {
  const runs: Stretch[] = [];
  let last = 0;
  for (const { index, 0: found } of text.matchAll(RUN)) {
    if (index - last > MAX_GAP_CHARS) break;
    last = index + found.length;
    runs.push({ start: index, end: last });
  }
  return { runs, reach: last + MAX_GAP_CHARS + MAX_MARKER_CHARS };
}

function isMostlyRuns(text: string, runs: readonly Stretch[]): boolean {
  if (runs.some((run) => isSure(text, run))) return true;
  const signs = runs.map(({ start, end }) => text.slice(start, end)).join('');
  return isMixed(signs) && 2 * signs.length >= text.replaceAll(/\s/g, '').length;
}

function isSure(text: string, { start, end }: Stretch): boolean {
  return end - start >= SURE_BODY_SIGNS && isMixed(text.slice(start, end));
}

/** As base64 of what is random is; a path or a name in code is not. */
function isMixed(signs: string): boolean {
  return /[A-Z]/.test(signs) && /[a-z]/.test(signs) && /\d/.test(signs);
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
