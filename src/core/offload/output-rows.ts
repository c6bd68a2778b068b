import { ROW_BYTES } from '../model/output-page.ts';
import { incompleteSequenceAt } from './control-sequences.ts';

// Rows. A line of at most ROW_BYTES (without its line end) is one. A longer one is cut about every STEP bytes: each cut
// is looked for backwards from a multiple of STEP, so that how many rows a line has follows from its length alone, and
// where one of them begins from the bytes around it, wherever in a line of any length.

/** Bytes that a cut goes back at most, to fall before a control sequence. */
const MOST_BACK = 400;
const MAX_CHAR_BYTES = 4;
const STEP = ROW_BYTES - MOST_BACK - MAX_CHAR_BYTES;

export const NEWLINE = 0x0a;
const RETURN = 0x0d;
const ESCAPE = 0x1b;

/** @param length bytes of a line, without its line end */
export function rowsOfLine(length: number): number {
  return length <= ROW_BYTES ? 1 : Math.ceil(length / STEP);
}

/** A row in a stretch of bytes. */
export interface RowBounds {
  /** where the next row begins */
  readonly end: number;
  /** the line end is left out */
  readonly textEnd: number;
  /** nothing of its line comes behind it */
  readonly endsLine: boolean;
}

/** Where in a stretch of bytes a row begins. */
export interface RowStart {
  readonly at: number;
  /** bytes of its line before it */
  readonly offset: number;
  /** nothing comes behind the bytes */
  readonly isEnd: boolean;
}

/** Bytes in which every row ends that begins with them. */
export const ROW_REACH = ROW_BYTES + 2;

/** The row that begins there; undefined where more bytes are needed to see its end. */
export function rowAt(bytes: Uint8Array, { at, offset, isEnd }: RowStart): RowBounds | undefined {
  const next = (piecesBefore(offset) + 1) * STEP;
  // What the line may reach without being cut behind this row.
  const whole = at + (offset === 0 ? ROW_BYTES : next - offset);
  const reach = bytes.subarray(at, whole + 2);
  const newline = reach.indexOf(NEWLINE);
  if (newline < 0 && !isEnd && at + reach.length < whole + 2) return undefined;
  const end = newline < 0 ? at + reach.length : at + newline + 1;
  const textEnd = newline < 0 ? end : bytes[end - 2] === RETURN && newline > 0 ? end - 2 : end - 1;
  if (textEnd <= whole) return { end, textEnd, endsLine: true };
  const cut = cutBefore(bytes, at + next - offset);
  return { end: cut, textEnd: cut, endsLine: false };
}

/** How many pieces of a line begin before this one, that has so many bytes of the line before it. */
export function piecesBefore(offset: number): number {
  return Math.ceil(offset / STEP);
}

/** Where the piece of a long line begins, as bytes of the line before it. `read` gets bytes of the line. */
export async function pieceStart(
  piece: number,
  read: (start: number, end: number) => Promise<Uint8Array>,
): Promise<number> {
  if (piece === 0) return 0;
  const from = piece * STEP - MOST_BACK - MAX_CHAR_BYTES;
  const around = await read(from, piece * STEP + 1);
  return from + cutBefore(around, piece * STEP - from);
}

/** A piece that begins at this byte of its line or before it, by few rows at most; the line may end with the byte. */
export function pieceBefore(offset: number): number {
  return offset < ROW_REACH ? 0 : Math.floor(offset / STEP) - 1;
}

/** The last place where bytes that hold no newline can be cut into rows, the first of them at `offset` of its line. */
export function lastCut(bytes: Uint8Array, offset: number): number {
  return cutBefore(bytes, Math.floor((offset + bytes.length - 2) / STEP) * STEP - offset);
}

/** At `at`, or before the character or the control sequence that is cut there. */
function cutBefore(bytes: Uint8Array, at: number): number {
  const cut = characterStart(bytes, at);
  const window = bytes.subarray(Math.max(0, cut - MOST_BACK), cut);
  if (!window.includes(ESCAPE)) return cut;
  const sequence = incompleteSequenceAt(String.fromCharCode(...window));
  return sequence === undefined ? cut : cut - window.length + sequence;
}

/** Bytes that are no character by themselves are cut anywhere: each of them is shown as one that is missing. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && at - start < MAX_CHAR_BYTES && isContinuation(bytes[start])) start -= 1;
  return characterLength(bytes[start]) > at - start ? start : at;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** By its first byte; 0 where none begins with it. */
function characterLength(first = 0): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

export interface LineStart {
  /** from 1 */
  readonly line: number;
  /** where it begins */
  readonly lineByte: number;
  /** rows before it */
  readonly row: number;
}

/** How far lines and rows are counted, and the line that this is in. */
export interface LinePoint extends LineStart {
  readonly byte: number;
  /** the byte before, for a line end that is cut */
  readonly last: number;
}

export const BEGINNING: LinePoint = { byte: 0, last: 0, line: 1, lineByte: 0, row: 0 };

export interface Watch {
  /** asked of every line: counting stops in the one before, where it is true */
  readonly isFar?: (line: LineStart) => boolean;
  /** told of every escape character */
  readonly onEscape?: (at: number) => void;
}

/** Counts on. */
export function countLines(from: LinePoint, bytes: Uint8Array, { isFar, onEscape }: Watch = {}): LinePoint {
  let { line, lineByte, row } = from;
  const { length } = bytes;
  for (let index = 0; index < length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte > ESCAPE) continue; // nearly all of them
    if (byte === ESCAPE) onEscape?.(index);
    if (byte !== NEWLINE) continue;
    const before = index === 0 ? from.last : bytes[index - 1];
    const next = from.byte + index + 1;
    const lineLength = next - 1 - lineByte;
    const rows = rowsOfLine(before === RETURN && lineLength > 0 ? lineLength - 1 : lineLength);
    if (isFar?.({ line: line + 1, lineByte: next, row: row + rows }) === true) break;
    line += 1;
    lineByte = next;
    row += rows;
  }
  return { byte: from.byte + length, last: bytes.at(-1) ?? from.last, line, lineByte, row };
}
