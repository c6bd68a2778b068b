import { AbortedError } from '../../src/core/model/errors.ts';
import type { Clock } from '../../src/core/ports/clock.ts';

export interface FixedClock extends Clock {
  /** milliseconds that were slept, in order */
  readonly slept: number[];
  /** what `now` answers from here on */
  set(now: string): void;
  /** lets every deadline pass that was set so far and is of so many milliseconds at the most */
  pass(ms: number): void;
}

/** A clock that stands still; sleeping costs nothing and is recorded, and no deadline passes by itself. */
export function fixedClock(start = '2026-03-01T12:00:00.000Z'): FixedClock {
  let now = new Date(start);
  const slept: number[] = [];
  const deadlines: { readonly ms: number; readonly over: AbortController }[] = [];
  return {
    slept,
    set: (value) => (now = new Date(value)),
    now: () => now,
    deadline(ms) {
      const over = new AbortController();
      deadlines.push({ ms, over });
      return over.signal;
    },
    pass: (most) => deadlines.filter(({ ms }) => ms <= most).forEach(({ over }) => over.abort()),
    sleep(ms, signal) {
      if (signal.aborted) return Promise.reject(new AbortedError());
      slept.push(ms);
      return Promise.resolve();
    },
  };
}
