/** Counts tokens with a real tokenizer, off the event loop. */
export interface TokenCounter {
  /**
   * Counts of the texts, in order. Bounded work for any text: what the tokenizer cannot read in time is estimated.
   * Resolves to undefined when no tokenizer is up; never rejects.
   */
  count(texts: readonly string[]): Promise<readonly number[] | undefined>;
}
