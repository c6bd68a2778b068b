/** Numbers in [0, 1) that are the same for the same seed (mulberry32), and what is drawn with them. */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = [...seed].reduce(
      (hash, sign) => Math.imul(hash ^ sign.charCodeAt(0), 16_777_619),
      2_166_136_261,
    );
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** whole, from 0 to `end` - 1 */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  isOneOf(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** by a distribution that is known at some of its quantiles, between them on a logarithmic scale */
  quantile(known: readonly (readonly [share: number, value: number])[]): number {
    const share = this.next();
    const above = known.findIndex(([at]) => at > share);
    const [from, low] = known[above - 1] ?? [0, 1];
    const [to, high] = known[above] ?? [1, low];
    return Math.round(low * (high / low) ** ((share - from) / (to - from)));
  }
}
