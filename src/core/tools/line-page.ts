import { takeStart } from '../text/bound-text.ts';
import { completeEnd, renderTerminal, withoutControls } from '../text/terminal-text.ts';
import { endBeforeSecret } from './secrets-across.ts';

/** Of a longer line only the beginning is shown; the rest is read by bytes. */
const MAX_LINE_CHARS = 2_000;
/** Kept free for what is said of the page as a whole. */
const NOTE_CHARS = 300;
/** A line that a terminal would write over is shown as it is in the end, up to this length. */
const MAX_RENDERED_CHARS = 100_000;

/** A line of a file, whole or, of a very long one, its beginning. */
export interface PageLine {
  /** without its ending */
  readonly text: string;
  readonly isWhole: boolean;
  /** how long all of it is, in words */
  readonly length: string;
  /** the byte of the file at which a character of it is; undefined where that is not known */
  byteAt(character: number): number | undefined;
}

export interface LineRange {
  /** from 1 */
  readonly offset: number;
  readonly limit: number;
  /** most characters of the result */
  readonly maxChars: number;
}

export interface LinePage {
  /** numbered, as `cat -n` prints them */
  readonly shown: readonly string[];
  /** number of the first line behind the page */
  readonly next: number;
  /** what is not shown of its lines, and where to read it */
  readonly cutNotes: readonly string[];
}

/**
 * As many lines as fit, one at least.
 * @param lines from the first one of the page on
 * @param isTerminal what the lines would look like on a terminal is shown, without control sequences
 */
export function takePage(lines: Iterable<PageLine>, range: LineRange, isTerminal: boolean): LinePage {
  const noteRoom = Math.min(NOTE_CHARS, range.maxChars / 2);
  let room = range.maxChars - noteRoom;
  const maxLine = Math.min(MAX_LINE_CHARS, Math.floor(room / 2));
  const shown: string[] = [];
  const cutNotes: string[] = [];
  let next = range.offset;
  for (const line of lines) {
    if (shown.length >= range.limit) break;
    const { text, shownChars, isCut } = isTerminal ? terminalText(line, maxLine) : plainText(line, maxLine);
    const numbered = `${String(next).padStart(6)}\t${text.toWellFormed()}${isCut ? '…' : ''}`;
    // Every cut has its note: where there is no room for it, the page ends before.
    const notes = isCut ? [cutNote(next, line, shownChars)] : [];
    room -= [numbered, ...notes].join('[]\n').length + 1;
    if (room < 0 && shown.length > 0) break;
    shown.push(numbered);
    cutNotes.push(...notes);
    next++;
  }
  return { shown, next, cutNotes };
}

interface ShownText {
  readonly text: string;
  /** of the line */
  readonly shownChars: number;
  readonly isCut: boolean;
}

function plainText({ text, isWhole }: PageLine, max: number): ShownText {
  const start = takeStart(text, max);
  if (isWhole && start.length === text.length) return { text, shownChars: text.length, isCut: false };
  const shownChars = endBeforeSecret(text, start.length);
  return { text: text.slice(0, shownChars), shownChars, isCut: true };
}

function terminalText(line: PageLine, max: number): ShownText {
  if (line.isWhole && line.text.length <= MAX_RENDERED_CHARS) {
    const text = renderTerminal(line.text);
    if (text.length <= max) return { text, shownChars: line.text.length, isCut: false };
  }
  const start = takeStart(line.text, max);
  const whole = start.slice(0, completeEnd(start));
  return { text: withoutControls(whole).replaceAll('\r', ''), shownChars: whole.length, isCut: true };
}

function cutNote(number: number, line: PageLine, shownChars: number): string {
  const offset = line.byteAt(shownChars);
  const readOn = offset === undefined ? '' : `; read on with byte_offset=${offset}`;
  return `line ${number} has ${line.length}, of which ${shownChars} are shown${readOn}`;
}
