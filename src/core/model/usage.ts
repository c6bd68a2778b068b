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

/** What a server accepted can be a little more than the window it is thought to have, but not so much more. */
const MOST_OF_WINDOW = 1.5;

/**
 * Zero or missing usage is unknown, not zero: some servers report nothing. So is what no window of so many tokens can
 * have taken: some count all requests together, or something else.
 */
export function isKnownUsage(
  usage: Usage | undefined,
  window: number | undefined = Number.MAX_SAFE_INTEGER,
): usage is Usage {
  if (usage === undefined) return false;
  const tokens = contextTokens(usage);
  return tokens > 0 && tokens <= window * MOST_OF_WINDOW;
}
