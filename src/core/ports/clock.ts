/** Time, so that the core has no clock of its own. */
export interface Clock {
  now(): Date;
  /** @throws AbortedError when `signal` fires first */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Fires after so many milliseconds; keeps no process alive. */
  deadline(ms: number): AbortSignal;
}
