import type { Usage } from '../model/usage.ts';
import { contextTokens, isKnownUsage } from '../model/usage.ts';

/** Less than this share of the estimate is no error of the estimate any more. */
const LEAST_SHARE = 0.75;

/** Estimates of short requests are off by more than a share says. */
const LEAST_MISSING = 2_000;

/**
 * Tokens that the server seems to have cut off a request without a word, as some local servers do with what does not
 * fit; undefined where nothing speaks for it. `estimated` is the whole request by our own count, without what that may be
 * off by.
 */
export function tokensClipped(usage: Usage | undefined, estimated: number): number | undefined {
  if (!isKnownUsage(usage)) return undefined;
  const missing = estimated - contextTokens(usage);
  const isClipped = contextTokens(usage) < estimated * LEAST_SHARE && missing >= LEAST_MISSING;
  return isClipped ? missing : undefined;
}
