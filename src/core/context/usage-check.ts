import type { Usage } from '../model/usage.ts';
import { contextTokens, isKnownUsage } from '../model/usage.ts';

/** Less than this share of the estimate is no error of the estimate any more. */
const LEAST_SHARE = 0.75;

/** Estimates of short requests are off by more than a share says. */
const LEAST_MISSING = 2_000;

/** Less than a request can be, by more than so many tokens, is no way of counting it. */
const LEAST_UNTRUE = 500;

/**
 * Tokens that the server seems to have cut off a request without a word, as some local servers do with what does not
 * fit, or not to have counted, as others do with what they have cached; undefined where nothing speaks for it.
 * `estimated` is the whole request as far as its reports go and our own count behind them, without what that may be off
 * by; `least` what it must be at the least, whatever was reported before.
 */
export function tokensClipped(usage: Usage | undefined, estimated: number, least = 0): number | undefined {
  if (!isKnownUsage(usage)) return undefined;
  const tokens = contextTokens(usage);
  const missing = estimated - tokens;
  const isClipped = tokens < estimated * LEAST_SHARE && missing >= LEAST_MISSING;
  const isUntrue = tokens < least - LEAST_UNTRUE;
  return isClipped || isUntrue ? Math.round(Math.max(missing, least - tokens)) : undefined;
}
