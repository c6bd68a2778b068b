import type { OutputMatch, OutputSearchResult } from '../model/output-page.ts';
import { MOST_MATCHED_ROWS } from '../model/output-page.ts';
import { AbortedError } from '../model/errors.ts';
import { isOverwritten, seenText, settledText } from './control-sequences.ts';
import type { SeenText } from './control-sequences.ts';
import { readAhead } from './output-bytes.ts';
import type { OutputBytes } from './output-bytes.ts';
import { decodeRow } from './output-page.ts';
import { BEGINNING, NEWLINE, countLines, lastCut, piecesBefore, rowAt } from './output-rows.ts';
import type { LinePoint } from './output-rows.ts';
import type { Pause } from './row-index.ts';

/**
 * Bytes that are searched at a time. Strings of more than 128 kB are large objects to the engine: making one costs fifty
 * times as much.
 */
const CHUNK_BYTES = 60_000;
/** Bytes that are read at a time, before others have their turn. */
const AHEAD_BYTES = 4 * CHUNK_BYTES;

export interface OutputQuery {
  /** literal */
  readonly text: string;
  readonly isCaseSensitive: boolean;
}

export interface SearchContext {
  readonly signal: AbortSignal;
  readonly pause: Pause;
  /** rows with a match that are kept */
  readonly most?: number;
}

/**
 * All places where the text is seen in the output: control sequences between its characters do not matter, what
 * was written over is not seen, a match goes over no line's end, and begins behind the one before.
 * @throws AbortedError, or the system's error
 */
export async function searchOutput(
  source: OutputBytes,
  query: OutputQuery,
  { signal, pause, most = MOST_MATCHED_ROWS }: SearchContext,
): Promise<OutputSearchResult> {
  const search = new Search(query, most);
  const ahead = readAhead(source, AHEAD_BYTES);
  while (search.place.byte < source.size && !search.isPointless) {
    await pause();
    if (signal.aborted) throw new AbortedError('another search has begun');
    const { byte } = search.place;
    const bytes = await ahead.read(byte, byte + CHUNK_BYTES);
    search.add(bytes, byte + bytes.length >= source.size);
  }
  return search.result;
}

/** A row, by where it ends in a text. */
interface TextRow extends Omit<OutputMatch, 'count'> {
  readonly end: number;
}

/** The end of a text in a line that goes on: a match may begin in it. */
interface Rest {
  readonly text: string;
  readonly rows: readonly TextRow[];
  /** as {@link seenText} gives it */
  readonly held: string;
}

const NO_REST: Rest = { text: '', rows: [], held: '' };

class Search {
  place: LinePoint = BEGINNING;
  readonly #needle: string;
  readonly #fold: (text: string) => string;
  readonly #found: FoundRows;
  #count = 0;
  #rest = NO_REST;

  constructor({ text, isCaseSensitive }: OutputQuery, most: number) {
    this.#fold = isCaseSensitive ? (each) => each : foldCase;
    this.#needle = this.#fold(text);
    this.#found = new FoundRows(most);
  }

  /** Nothing is not looked for, and nothing is found over a line's end. */
  get isPointless(): boolean {
    return this.#needle === '' || this.#needle.includes('\n');
  }

  get result(): OutputSearchResult {
    const { matches, isCut } = this.#found;
    return { matches, count: this.#count, isCut };
  }

  /** Takes as many whole rows as the bytes hold. */
  add(bytes: Uint8Array, isEnd: boolean): void {
    const taken: Taken = { bytes, isEnd, length: isEnd ? bytes.length : rowsEnd(bytes, this.place) };
    const body = bytes.subarray(0, taken.length);
    const seen = this.#seenOf(taken, decodeRow(body));
    const text = this.#rest.text + this.#fold(seen.text);
    const places = placesOf(this.#needle, text);
    this.#count += places.length;
    const isOpen = body.at(-1) !== NEWLINE;
    if (isOpen || (places.length > 0 && !this.#found.isCut)) {
      const rows = this.#rowsOf(taken, text);
      this.#found.add(places, rows);
      this.#rest = { ...this.#restOf(text, rows, places.at(-1)), held: seen.held };
    }
    if (!isOpen) this.#rest = NO_REST;
    this.place = countLines(this.place, body);
  }

  /** What is seen of the rows; where something is written over, row by row, as rows are shown. */
  #seenOf({ bytes, isEnd, length }: Taken, raw: string): SeenText {
    let { held } = this.#rest;
    if (!isOverwritten(raw)) return seenText(held + raw);
    const texts: string[] = [];
    let offset = this.place.byte - this.place.lineByte;
    for (let at = 0; at < length;) {
      const bounds = rowAt(bytes, { at, offset, isEnd });
      if (bounds === undefined) break;
      const seen = settledText(held + decodeRow(bytes.subarray(at, bounds.textEnd)));
      texts.push(seen.text, bounds.end > bounds.textEnd ? '\n' : '');
      held = bounds.endsLine ? '' : seen.held;
      offset = bounds.endsLine ? 0 : offset + bounds.end - at;
      at = bounds.end;
    }
    return { text: texts.join(''), held };
  }

  #restOf(text: string, rows: readonly TextRow[], lastPlace: number | undefined): Omit<Rest, 'held'> {
    const free = lastPlace === undefined ? 0 : lastPlace + this.#needle.length;
    const from = Math.max(free, text.length - this.#needle.length + 1);
    return {
      text: text.slice(from),
      rows: rows.filter(({ end }) => end > from).map((row) => ({ ...row, end: row.end - from })),
    };
  }

  /** The rows of what was left over and of what is taken, by where they end in the text of both. */
  #rowsOf({ bytes, isEnd, length }: Taken, text: string): readonly TextRow[] {
    const rows = [...this.#rest.rows];
    let { held } = this.#rest;
    let end = this.#rest.text.length;
    let { line, lineByte } = this.place;
    let row = this.place.row + piecesBefore(this.place.byte - lineByte);
    for (let at = 0; at < length; row += 1) {
      const byte = this.place.byte + at;
      const bounds = rowAt(bytes, { at, offset: byte - lineByte, isEnd });
      if (bounds === undefined) break;
      if (bounds.endsLine) {
        end = endOfLine(text, end);
        held = '';
      } else {
        const seen = settledText(held + decodeRow(bytes.subarray(at, bounds.end)));
        end += seen.text.length;
        held = seen.held;
      }
      rows.push({ row, line, byte, end });
      at = bounds.end;
      if (!bounds.endsLine) continue;
      line += 1;
      lineByte = this.place.byte + at;
    }
    return rows;
  }
}

interface Taken {
  readonly bytes: Uint8Array;
  /** nothing comes behind them */
  readonly isEnd: boolean;
  /** bytes of the whole rows */
  readonly length: number;
}

/** Behind the last line that ends, or the last piece of a line that is longer than the bytes. */
function rowsEnd(bytes: Uint8Array, { byte, lineByte }: LinePoint): number {
  const newline = bytes.lastIndexOf(NEWLINE);
  return newline >= 0 ? newline + 1 : lastCut(bytes, byte - lineByte);
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline + 1;
}

function placesOf(needle: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) places.push(at);
  return places;
}

/**
 * Unicode's simple lower case: every character becomes one of the same length, whatever is around it. The language's
 * own differs for two letters.
 */
function foldCase(text: string): string {
  return text.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase();
}

/** The rows in which matches begin, in order. */
class FoundRows {
  readonly matches: OutputMatch[] = [];
  isCut = false;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** @param places where matches begin in a text, in order */
  add(places: readonly number[], rows: readonly TextRow[]): void {
    let at = 0;
    for (const place of places) {
      while (at < rows.length - 1 && (rows[at]?.end ?? 0) <= place) at += 1;
      const row = rows[at];
      if (row !== undefined) this.#note(row);
    }
  }

  #note({ row, line, byte }: TextRow): void {
    const last = this.matches.at(-1);
    if (last?.row === row) this.matches[this.matches.length - 1] = { ...last, count: last.count + 1 };
    else if (this.matches.length < this.#most) this.matches.push({ row, line, byte, count: 1 });
    else this.isCut = true;
  }
}
