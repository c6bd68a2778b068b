import { AbortedError } from '../../src/core/model/errors.ts';
import type { Clock } from '../../src/core/ports/clock.ts';

export interface FixedClock extends Clock {
  /** milliseconds that were slept, in order */
  readonly slept: number[];
  /** what `now` answers from here on */
  set(now: string): void;
}

/** A clock that stands still; sleeping costs nothing and is recorded. */
export function fixedClock(start = '2026-03-01T12:00:00.000Z'): FixedClock {
  let now = new Date(start);
  const slept: number[] = [];
  return {
    slept,
    set: (value) => (now = new Date(value)),
    now: () => now,
    sleep(ms, signal) {
      if (signal.aborted) return Promise.reject(new AbortedError());
      slept.push(ms);
      return Promise.resolve();
    },
  };
}
