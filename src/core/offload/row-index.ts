import { ColourState, coloursAfter } from './colours.ts';
import type { OutputBytes } from './output-bytes.ts';
import type { LinePoint } from './output-rows.ts';
import { OutputEnds } from './output-ends.ts';
import { BEGINNING, countLines, rowsOfLine } from './output-rows.ts';

/** A place up to which lines, rows and colours are known. */
interface IndexPoint extends LinePoint {
  /** colours in force, as one sequence; empty for none */
  readonly style: string;
}

/** Bytes from point to point, about: what is read to find a place between them. */
const POINT_BYTES = 64_000;
/** Bytes that are read and counted at a time, before others have their turn. */
const SLICE_BYTES = 4 * POINT_BYTES;

const FIRST_POINT: IndexPoint = { ...BEGINNING, style: '' };

/** Lets others have their turn. */
export type Pause = () => Promise<void>;

/**
 * Where lines and rows begin in an output, at some of its places; found by reading all of it once, and read on as the
 * output grows. A few bytes of memory for 64 kB.
 */
export class RowIndex {
  readonly #points: IndexPoint[] = [FIRST_POINT];
  #source: OutputBytes;
  /** bytes that were read; those of a sequence that the output ends in are not counted yet */
  #seen = 0;
  #step: Promise<void> | undefined;
  #isClosed = false;
  readonly #pause: Pause;
  readonly #ends = new OutputEnds();

  constructor(source: OutputBytes, pause: Pause) {
    this.#source = source;
    this.#pause = pause;
  }

  get source(): OutputBytes {
    return this.#source;
  }

  get isComplete(): boolean {
    return this.#seen >= this.#source.size;
  }

  /** Bytes in which all lines are counted. */
  get seen(): number {
    return this.#seen;
  }

  /** Lines in what was seen, and rows: those that end, and a last one that does not. */
  get counted(): { readonly lines: number; readonly rows: number } {
    const { line, lineByte, row } = this.#last;
    const open = this.#seen - lineByte;
    return open === 0 ? { lines: line - 1, rows: row } : { lines: line, rows: row + rowsOfLine(open) };
  }

  /** What was counted is still there, as far as its beginning and its end tell. @throws the system's error */
  isOf(source: OutputBytes): Promise<boolean> {
    return this.#ends.areOf(source);
  }

  /** The same output, that has grown or stayed as it was. */
  grow(source: OutputBytes): void {
    this.#source = source;
  }

  /** Counts on in the background. */
  begin(): void {
    // What cannot be read is said to whoever asks for a page of it.
    this.until(() => this.#isClosed).catch(() => undefined);
  }

  /** Stops what was begun. */
  close(): void {
    this.#isClosed = true;
  }

  /** Counts until it is enough, or all of it is counted. @throws the system's error */
  async until(isEnough: () => boolean): Promise<void> {
    while (!this.isComplete && !isEnough()) {
      this.#step ??= this.#countSlice().finally(() => (this.#step = undefined));
      await this.#step;
    }
  }

  /**
   * The last point of which it is true, as it is of all before it; and the bytes from there to the next, in which the
   * last line is of which it is true.
   */
  async around(isBefore: (point: IndexPoint) => boolean): Promise<{ point: IndexPoint; bytes: Uint8Array }> {
    const at = this.#indexOfLast(isBefore);
    const point = this.#points[at] ?? FIRST_POINT;
    const end = this.#points[at + 1]?.byte ?? point.byte;
    return { point, bytes: await this.#source.read(point.byte, end) };
  }

  /** The colours in force at a byte that was counted. */
  async styleAt(byte: number): Promise<string> {
    const point = this.#points[this.#indexOfLast((each) => each.byte <= byte)] ?? FIRST_POINT;
    return coloursAfter(point.style, await this.#source.read(point.byte, byte));
  }

  get #last(): IndexPoint {
    return this.#points.at(-1) ?? FIRST_POINT;
  }

  #indexOfLast(isBefore: (point: IndexPoint) => boolean): number {
    let low = 0;
    let high = this.#points.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const point = this.#points[middle];
      if (point !== undefined && isBefore(point)) low = middle;
      else high = middle;
    }
    return low;
  }

  async #countSlice(): Promise<void> {
    await this.#pause();
    const begin = this.#last.byte;
    const bytes = await this.#source.read(begin, begin + SLICE_BYTES);
    let at = 0;
    let counted = -1;
    while (at < bytes.length && at > counted) {
      counted = at;
      at = this.#count(bytes.subarray(at, at + POINT_BYTES)) - begin;
    }
    this.#ends.add(bytes, begin);
    this.#seen = begin + bytes.length;
  }

  /** Up to which byte: not behind the beginning of a sequence that the bytes end in. */
  #count(bytes: Uint8Array): number {
    const last = this.#last;
    const colours = new ColourState(last.style);
    let read = bytes.length;
    const point = countLines(last, bytes, {
      onEscape(at) {
        // No line ends in the beginning of a sequence: only where this was counted to has to be put right.
        if (!colours.see(bytes, at)) read = Math.min(read, at);
      },
    });
    const before = read === bytes.length ? point.last : (bytes[read - 1] ?? last.last);
    const { style } = colours;
    if (read > 0) this.#points.push({ ...point, byte: last.byte + read, last: before, style });
    return last.byte + read;
  }
}
