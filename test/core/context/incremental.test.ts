import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import { incremental } from '../../../src/core/model/incremental.ts';
import { reliefHistoryOf } from '../../../src/core/context/relief-history.ts';
import type { Entry } from '../../../src/core/model/entry.ts';
import { logOf, user } from '../../support/builders/entries.ts';
import { randomLog } from '../../support/builders/random-log.ts';

/** A fold that says what it saw, and counts its steps. */
function watched() {
  let steps = 0;
  const seen = incremental<string[]>(
    () => [],
    (state, { id }) => {
      steps += 1;
      state.push(id);
    },
  );
  return { seen, steps: () => steps };
}

const some = logOf(user('a'), user('b'), user('c'));

describe('a fold over a log that grows', () => {
  it('looks at each entry once', () => {
    const { seen, steps } = watched();
    const log: Entry[] = [...some];
    expect(seen(log)).toEqual(['e1', 'e2', 'e3']);
    log.push(...logOf(...Array.from({ length: 4 }, () => user('d'))).slice(3));
    expect(seen(log)).toEqual(['e1', 'e2', 'e3', 'e4']);
    seen(log);
    expect(steps()).toBe(4);
  });

  it('begins anew for another array, though it holds the same', () => {
    const { seen, steps } = watched();
    const first = seen([...some]);
    const second = seen([...some]);
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(steps()).toBe(6);
  });

  it('begins anew where the log has lost its end, or got another one', () => {
    const { seen } = watched();
    const log: Entry[] = [...some];
    seen(log);
    log.length = 1;
    expect(seen(log)).toEqual(['e1']);
    seen(log);
    log[0] = { ...some[2]! };
    expect(seen(log)).toEqual(['e3']);
  });

  it('comes to what a fresh fold comes to, in steps of any length', () => {
    fc.assert(
      fc.property(randomLog, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (log, sizes) => {
        const growing: Entry[] = [];
        for (let at = 0, turn = 0; at < log.length; turn += 1) {
          const size = sizes[turn % sizes.length]!;
          growing.push(...log.slice(at, at + size));
          at += size;
          expect({ ...conversationOf(growing), billed: 0 }).toEqual({
            ...conversationOf([...growing]),
            billed: 0,
          });
          expect(reliefHistoryOf(growing)).toEqual(reliefHistoryOf([...growing]));
        }
      }),
      { numRuns: 60 },
    );
  });
});
