import { AbortedError } from '../model/errors.ts';

/** @throws AbortedError */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AbortedError();
}
