import type { OutputPlace, OutputRow } from '../model/output-page.ts';
import type { OutputBytes } from './output-bytes.ts';
import { ROW_REACH, countLines, pieceBefore, pieceStart, rowAt } from './output-rows.ts';
import type { LinePoint, LineStart } from './output-rows.ts';
import type { RowIndex } from './row-index.ts';

/** Bytes that are read at a time for a page. */
const BITE = 64_000;
/** Rows of the longest page. */
const MOST_ROWS = 1_000;

export interface RowsOfPage {
  readonly rows: readonly OutputRow[];
  /** of the first one */
  readonly firstRow: number;
  /** colours in force where the page begins, as one sequence; empty for none */
  readonly style: string;
}

/** A row, and the line that it is in. */
interface PlacedRow {
  readonly row: number;
  readonly byte: number;
  readonly line: number;
  readonly lineByte: number;
}

/**
 * Some rows, from the place on. A place behind the end is that of the last row.
 * @param count most rows to return
 * @throws the system's error
 */
export async function readPage(index: RowIndex, at: OutputPlace, count: number): Promise<RowsOfPage> {
  const most = Math.max(1, Math.min(count, MOST_ROWS));
  await index.until(() => reaches(index, at));
  const { source } = index;
  if (source.size === 0) return { rows: [], firstRow: 0, style: '' };
  const first = await placeOf(index, clamped(index, at, most));
  const [rows, style] = await Promise.all([readRows(source, first, most), index.styleAt(first.byte)]);
  return { rows, firstRow: first.row, style };
}

/** The index knows where that is. */
function reaches(index: RowIndex, at: OutputPlace): boolean {
  if (at === 'end') return false;
  // The last row that was counted may go on.
  if ('row' in at) return at.row < index.counted.rows - 1;
  if ('line' in at) return at.line < index.counted.lines;
  return at.byte < index.seen - ROW_REACH;
}

function clamped(index: RowIndex, at: OutputPlace, count: number): Exclude<OutputPlace, 'end'> {
  const { rows, lines } = index.counted;
  if (at === 'end') return { row: Math.max(0, rows - count) };
  if ('row' in at) return { row: clamp(at.row, rows - 1) };
  if ('line' in at) return { line: Math.max(1, clamp(at.line, lines)) };
  return { byte: clamp(at.byte, index.source.size - 1) };
}

function clamp(value: number, most: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.min(Math.floor(value), most)) : 0;
}

async function placeOf(index: RowIndex, at: Exclude<OutputPlace, 'end'>): Promise<PlacedRow> {
  if ('row' in at) {
    const line = await lineOf(index, (point) => point.row <= at.row);
    return pieceOf(index.source, line, at.row - line.row);
  }
  if ('line' in at) return pieceOf(index.source, await lineOf(index, (point) => point.line <= at.line), 0);
  const line = await lineOf(index, (point) => point.lineByte <= at.byte);
  return rowOfByte(index.source, line, at.byte);
}

/** The last line of which it is true; it is true of all before it. */
async function lineOf(index: RowIndex, isBefore: (line: LineStart) => boolean): Promise<LinePoint> {
  const { point, bytes } = await index.around(isBefore);
  const isFar = (line: LineStart) => line.lineByte >= index.source.size || !isBefore(line);
  return countLines(point, bytes, { isFar });
}

async function pieceOf(source: OutputBytes, line: LinePoint, piece: number): Promise<PlacedRow> {
  const read = (start: number, end: number) => source.read(line.lineByte + start, line.lineByte + end);
  const offset = await pieceStart(piece, read);
  return { row: line.row + piece, byte: line.lineByte + offset, line: line.line, lineByte: line.lineByte };
}

async function rowOfByte(source: OutputBytes, line: LinePoint, byte: number): Promise<PlacedRow> {
  let placed = await pieceOf(source, line, pieceBefore(byte - line.lineByte));
  const bytes = await source.read(placed.byte, byte + ROW_REACH);
  const from = placed.byte;
  for (;;) {
    const row = rowIn(source, { bytes, from }, placed);
    if (row === undefined || from + row.end > byte) return placed;
    placed = { ...placed, row: placed.row + 1, byte: from + row.end };
  }
}

interface Window {
  readonly bytes: Uint8Array;
  /** where they begin in the output */
  readonly from: number;
}

function rowIn(source: OutputBytes, { bytes, from }: Window, { byte, lineByte }: PlacedRow) {
  const isEnd = from + bytes.length >= source.size;
  return rowAt(bytes, { at: byte - from, offset: byte - lineByte, isEnd });
}

async function readRows(source: OutputBytes, first: PlacedRow, count: number): Promise<readonly OutputRow[]> {
  const rows: OutputRow[] = [];
  let window: Window = { bytes: new Uint8Array(), from: first.byte };
  let at = first;
  while (rows.length < count && at.byte < source.size) {
    const row = rowIn(source, window, at);
    if (row === undefined) {
      window = { bytes: await source.read(at.byte, at.byte + BITE), from: at.byte };
      continue;
    }
    rows.push(rowOf(window, at, row.textEnd));
    const byte = window.from + row.end;
    at = row.endsLine
      ? { row: at.row + 1, byte, line: at.line + 1, lineByte: byte }
      : { ...at, row: at.row + 1, byte };
  }
  return rows;
}

function rowOf({ bytes, from }: Window, { byte, line, lineByte }: PlacedRow, textEnd: number): OutputRow {
  const text = decodeRow(bytes.subarray(byte - from, textEnd));
  return byte === lineByte ? { line, text, byte } : { text, byte };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Of bytes that begin and end between characters; what is no character is replaced. */
export function decodeRow(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
