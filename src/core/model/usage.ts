/** What a provider reports for one request, in tokens. The three input parts are disjoint. */
export interface Usage {
  /** input read at full price */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** Tokens of the window that a request filled: the uncached part alone would be a meter that lies. */
export function contextTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite;
}

/** Zero or missing usage is unknown, not zero: some servers report nothing. */
export function isKnownUsage(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && contextTokens(usage) > 0;
}
