import type { ModelError } from '../model/errors.ts';

export const MAX_RETRIES = 5;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** Longer than this nobody waits in front of a panel: then the person decides. */
const MAX_ASKED_DELAY_MS = 5 * 60_000;

/**
 * How long to wait before the next try, in milliseconds, or undefined when there should be none. What the server asks
 * for is honoured; otherwise the delay doubles from one second to a minute, with jitter so that many clients that
 * failed together do not come back together.
 * @param attempt from 1, of {@link MAX_RETRIES}
 * @param random in [0, 1)
 */
export function retryDelay(error: ModelError, attempt: number, random: number): number | undefined {
  if (!error.isTransient || attempt > MAX_RETRIES) return undefined;
  if (error.retryAfterMs !== undefined)
    return error.retryAfterMs <= MAX_ASKED_DELAY_MS ? error.retryAfterMs : undefined;
  const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return Math.round(ceiling * (0.75 + random * 0.25));
}
