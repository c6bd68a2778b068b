import type { OutputBytes } from './output-bytes.ts';

/** Bytes that are remembered of each end. */
const END_BYTES = 4_096;

/** The first and the last bytes of what was read of an output, by which it is known again. */
export class OutputEnds {
  #head: Uint8Array = new Uint8Array();
  #tail: Uint8Array = new Uint8Array();
  /** bytes that were read */
  #read = 0;

  /** @param from where they begin: at most where those before ended */
  add(bytes: Uint8Array, from: number): void {
    if (this.#head.length < END_BYTES) this.#head = joined(this.#head, bytes, from).slice(0, END_BYTES);
    const tailStart = this.#read - this.#tail.length;
    const isEnough = bytes.length >= END_BYTES;
    this.#tail = (isEnough ? bytes : joined(this.#tail, bytes, from - tailStart)).slice(-END_BYTES);
    this.#read = from + bytes.length;
  }

  /** It still begins with what was read first, and what was read last is where it was. @throws the system's error */
  async areOf(source: OutputBytes): Promise<boolean> {
    if (source.size < this.#read) return false;
    const tail = await source.read(this.#read - this.#tail.length, this.#read);
    return areSame(tail, this.#tail) && areSame(await source.read(0, this.#head.length), this.#head);
  }
}

/** @param at where the second begins in the first, or right behind it; it is cut there */
function joined(first: Uint8Array, second: Uint8Array, at: number): Uint8Array {
  const kept = first.subarray(0, Math.max(0, at));
  const whole = new Uint8Array(kept.length + second.length);
  whole.set(kept);
  whole.set(second, kept.length);
  return whole;
}

function areSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
