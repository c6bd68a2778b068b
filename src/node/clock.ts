import { setTimeout as delay } from 'node:timers/promises';
import { AbortedError } from '../core/model/errors.ts';
import type { Clock } from '../core/ports/clock.ts';

/** The longest that one timer can wait; beyond it Node fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  async sleep(ms, signal) {
    try {
      await delay(Math.min(Math.max(0, ms), MAX_DELAY_MS), undefined, { signal });
    } catch (error) {
      if (signal.aborted) throw new AbortedError();
      throw error;
    }
  },
  deadline: (ms) => AbortSignal.timeout(ms),
};
