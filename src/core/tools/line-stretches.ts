import { completeEnd } from '../text/terminal-text.ts';

/** A longer line is cut into stretches. */
const MAX_LINE_BYTES = 100_000;
const STRETCH_BYTES = 50_000;
/** Bytes that two stretches have in common: what is not longer lies whole in one of them. */
const OVERLAP_BYTES = 5_000;
/** As far back as the beginning of a control sequence is looked for. */
const MAX_SEQUENCE_BYTES = 4_096;
const NEWLINE = 0x0a;

/** A line without its `\n`, or a part of a very long one. */
export interface Stretch {
  /** from 1 */
  readonly line: number;
  /** where in the file it begins */
  readonly byte: number;
  readonly bytes: Uint8Array;
  /** nothing of its line comes before it */
  readonly isFirst: boolean;
  /** nothing of its line comes behind it */
  readonly isLast: boolean;
}

/** Cuts a stream of UTF-8 into lines, and long lines into stretches that overlap; no control sequence is cut. */
export class LineCutter {
  #line = 1;
  #isFirst = true;
  #bytes: Uint8Array = new Uint8Array();
  /** where in the file they begin */
  #start = 0;
  /** how many of them are behind us */
  #at = 0;

  *add(bytes: Uint8Array, isEnd: boolean): Generator<Stretch> {
    this.#start += this.#at;
    this.#bytes = joined(this.#bytes.subarray(this.#at), bytes);
    this.#at = 0;
    while (this.#at < this.#bytes.length) {
      const newline = this.#bytes.indexOf(NEWLINE, this.#at);
      const end = newline < 0 ? this.#bytes.length : newline;
      if (end - this.#at > (this.#isFirst ? MAX_LINE_BYTES : STRETCH_BYTES)) yield this.#cutStretch();
      else if (newline >= 0 || isEnd) yield this.#endLine(end);
      else return;
    }
  }

  #cutStretch(): Stretch {
    const end = cutBefore(this.#bytes, this.#at + STRETCH_BYTES);
    const stretch = this.#stretch(end, false);
    this.#at = cutBefore(this.#bytes, end - OVERLAP_BYTES);
    this.#isFirst = false;
    return stretch;
  }

  #endLine(end: number): Stretch {
    const stretch = this.#stretch(end, true);
    this.#at = end + 1;
    this.#isFirst = true;
    this.#line += 1;
    return stretch;
  }

  #stretch(end: number, isLast: boolean): Stretch {
    const bytes = this.#bytes.subarray(this.#at, end);
    return { line: this.#line, byte: this.#start + this.#at, bytes, isFirst: this.#isFirst, isLast };
  }
}

/** At `at`, or before the character or the control sequence that is cut there. */
function cutBefore(bytes: Uint8Array, at: number): number {
  let cut = at;
  while (cut > at - 3 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  const window = bytes.subarray(Math.max(0, cut - MAX_SEQUENCE_BYTES), cut);
  return cut - window.length + completeEnd(String.fromCharCode(...window));
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
