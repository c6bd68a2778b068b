import type { Entry } from './entry.ts';

/**
 * A fold over a log that only grows: what was folded is kept beside the log, so each call costs what came since the
 * last one. Equal to folding from the start, which any other log, and one that lost its end, gets.
 *
 * @param step changes `state` in place; whoever gets the state only reads it
 */
export function incremental<State>(
  start: () => State,
  step: (state: State, entry: Entry) => void,
): (entries: readonly Entry[]) => State {
  const known = new WeakMap<readonly Entry[], { state: State; count: number; last: Entry | undefined }>();
  return (entries) => {
    let memo = known.get(entries);
    if (memo === undefined || memo.count > entries.length || memo.last !== entries[memo.count - 1]) {
      memo = { state: start(), count: 0, last: undefined };
      known.set(entries, memo);
    }
    for (; memo.count < entries.length; memo.count += 1) {
      const entry = entries[memo.count];
      if (entry !== undefined) step(memo.state, entry);
      memo.last = entry;
    }
    return memo.state;
  };
}
