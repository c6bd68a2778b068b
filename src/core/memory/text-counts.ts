import type { TokenCounter } from '../ports/token-counter.ts';

/** The model's own tokenizer may take so much more than the reference does. */
const OTHERS_TAKE = 1.15;
/** An estimate from characters may be off by so much besides. */
const ESTIMATE_OFF = 1.25;
const MOST_KNOWN = 2_000;
/** A text whose lines are new takes two passes: one that finds out which they are, one that knows. */
const MOST_PASSES = 3;

/** Tokens of texts that are asked for again and again, so that a bound on them holds for any model. */
export class TextCounts {
  readonly #known = new Map<string, number>();
  readonly #counter: TokenCounter;
  readonly #estimate: (text: string) => number;

  constructor(counter: TokenCounter, estimate: (text: string) => number) {
    this.#counter = counter;
    this.#estimate = estimate;
  }

  /** What `work` gives when every text it asks about is counted. It is pure, and may be run several times. */
  async counted<T>(work: (tokensOf: (text: string) => number) => T): Promise<T> {
    for (let pass = 1; ; pass += 1) {
      const unknown = new Set<string>();
      const made = work((text) => this.#tokensOf(text, unknown));
      if (unknown.size === 0 || pass === MOST_PASSES || !(await this.#count([...unknown]))) return made;
    }
  }

  #tokensOf(text: string, unknown: Set<string>): number {
    const known = this.#known.get(text);
    if (known === undefined) unknown.add(text);
    return Math.ceil((known ?? this.#estimate(text) * ESTIMATE_OFF) * OTHERS_TAKE);
  }

  async #count(texts: readonly string[]): Promise<boolean> {
    const counts = await this.#counter.count(texts);
    if (counts === undefined) return false;
    if (this.#known.size + texts.length > MOST_KNOWN) this.#known.clear();
    texts.forEach((text, index) => this.#known.set(text, counts[index] ?? this.#estimate(text)));
    return true;
  }
}
