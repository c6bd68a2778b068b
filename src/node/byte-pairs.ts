import { MinHeap } from './min-heap.ts';

/** Every token of a vocabulary by its bytes (as a string of them, one character a byte), and the order of merging. */
export type Ranks = ReadonlyMap<string, number>;

/** Ranks as js-tiktoken keeps them: lines of a mark, the first rank, and tokens in base64. */
export function readRanks(lines: string): Ranks {
  const ranks = new Map<string, number>();
  for (const line of lines.split('\n')) {
    const [, first, ...tokens] = line.split(' ');
    tokens.forEach((token, index) =>
      ranks.set(Buffer.from(token, 'base64').toString('latin1'), Number(first) + index),
    );
  }
  return ranks;
}

/** Room for a position beside a rank in one number. */
const POSITIONS = 2 ** 24;

const NONE = -1;

/**
 * Counts the tokens of one piece of a text, exactly as byte pair encoding defines them: of all neighbours that are a
 * token together, those of the lowest rank are merged, the leftmost first, until none are left. js-tiktoken looks
 * through the whole piece for every merge, which takes minutes for a run without breaks; a heap of the pairs takes
 * n log n, so that a piece may be of any length.
 */
export class BytePairs {
  readonly #ranks: Ranks;
  /** of every two bytes: half of all look-ups, and much faster than those by string */
  readonly #twoBytes: Int32Array;
  readonly #queue = new MinHeap();
  /** by a part's first byte: where the next part begins, where the one before it does, its rank with the next */
  #next = new Int32Array(0);
  #previous = new Int32Array(0);
  #rank = new Int32Array(0);

  constructor(ranks: Ranks) {
    this.#ranks = ranks;
    this.#twoBytes = Int32Array.from({ length: 2 ** 16 }, (_, both) => {
      const bytes = String.fromCharCode(both >> 8, both & 0xff);
      return ranks.get(bytes) ?? NONE;
    });
  }

  count(piece: string): number {
    const bytes = Buffer.from(piece).toString('latin1');
    if (bytes.length < 2 || this.#ranks.has(bytes)) return Math.min(1, bytes.length);
    this.#begin(bytes);
    let parts = bytes.length;
    for (let key = this.#queue.pop(); key !== undefined; key = this.#queue.pop()) {
      const at = key % POSITIONS;
      // A pair that changed since has been queued again under its new rank.
      if (this.#rank[at] !== (key - at) / POSITIONS) continue;
      this.#merge(bytes, at);
      parts--;
    }
    return parts;
  }

  #begin(bytes: string): void {
    if (this.#next.length <= bytes.length) {
      const room = 2 * bytes.length + 1;
      this.#next = new Int32Array(room);
      this.#previous = new Int32Array(room);
      this.#rank = new Int32Array(room);
    }
    for (let at = 0; at <= bytes.length; at++) {
      this.#next[at] = at + 1;
      this.#previous[at] = at - 1;
    }
    for (let at = 0; at < bytes.length; at++) this.#rankPair(bytes, at);
  }

  #merge(bytes: string, at: number): void {
    const taken = this.#next[at] ?? 0;
    const after = this.#next[taken] ?? 0;
    this.#rank[taken] = NONE;
    this.#next[at] = after;
    this.#previous[after] = at;
    this.#rankPair(bytes, at);
    const before = this.#previous[at] ?? NONE;
    if (before !== NONE) this.#rankPair(bytes, before);
  }

  /** Queues the part that begins here with the one after it, where both together are a token. */
  #rankPair(bytes: string, at: number): void {
    const middle = this.#next[at] ?? 0;
    const rank = middle < bytes.length ? this.#rankOf(bytes, at, this.#next[middle] ?? 0) : NONE;
    this.#rank[at] = rank;
    if (rank !== NONE) this.#queue.push(rank * POSITIONS + at);
  }

  #rankOf(bytes: string, start: number, end: number): number {
    if (end - start === 2)
      return this.#twoBytes[(bytes.charCodeAt(start) << 8) | bytes.charCodeAt(start + 1)] ?? NONE;
    return this.#ranks.get(bytes.slice(start, end)) ?? NONE;
  }
}
