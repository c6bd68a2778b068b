import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import type { CutOptions } from '../../../src/core/context/cut.ts';
import { cutFor } from '../../../src/core/context/cut.ts';
import type { EntryDraft } from '../../../src/core/model/entry.ts';
import { assistant, logOf, result, text, toolUse, user } from '../../support/builders/entries.ts';

const call = (...ids: readonly string[]) => assistant(...ids.map((id) => toolUse(id)));
const answer = assistant(text('Done.'));

/** Every entry weighs ten. */
function cut(drafts: readonly EntryDraft[], options: Partial<CutOptions>) {
  const { spoken } = conversationOf(logOf(...drafts));
  return cutFor(spoken, { weigh: () => 10, tail: 1_000, rounds: Number.POSITIVE_INFINITY, ...options });
}

const through = (drafts: readonly EntryDraft[], options: Partial<CutOptions> = {}) =>
  cut(drafts, options)?.through;

describe('a cut', () => {
  it('divides everything that was said, and names the last entry it covers', () => {
    const made = cut([user('a'), answer, user('b'), answer], { rounds: 1 });
    expect(made?.covered.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3']);
    expect(made?.kept.map(({ id }) => id)).toEqual(['e4']);
    expect(made?.through).toBe('e3');
  });

  it('C4: never tears a call from its results, however many there are and however little may stay', () => {
    const log = [user('a'), call('1', '2', '3'), result('1'), result('2'), result('3'), answer, user('b')];
    for (let tail = 0; tail <= 80; tail += 5) expect(['e1', 'e5', 'e6']).toContain(through(log, { tail }));
  });

  it('falls inside a turn: one prompt and many rounds can be cut', () => {
    const log = [user('a'), call('1'), result('1'), call('2'), result('2'), call('3'), result('3')];
    expect(through(log, { tail: 45 })).toBe('e3');
  });

  it('takes what the user said behind results for one atom with them', () => {
    const log = [user('a'), answer, user('b'), call('1'), result('1'), user('and quick')];
    expect(through(log, { tail: 5 })).toBe('e3');
  });

  it('does not part a call from its result by what was said between them', () => {
    const log = [user('a'), answer, call('1'), user('hurry'), result('1')];
    expect(through(log, { tail: 5 })).toBe('e2');
  });

  it('takes what the user said to an answer for an atom of its own', () => {
    expect(through([user('a'), answer, user('b')], { tail: 5 })).toBe('e2');
  });

  it('keeps the newest atom, whatever it weighs', () => {
    const log = [user('a'), answer, user('b'), call('1'), result('1')];
    expect(through(log, { tail: 0, rounds: 0 })).toBe('e3');
  });

  it('keeps so many rounds, and of more only what is cheap', () => {
    const log = [user('a'), call('1'), result('1'), call('2'), result('2'), call('3'), result('3')];
    expect(through(log, { rounds: 1 })).toBe('e5');
    expect(through(log, { rounds: 1, cheap: 39 })).toBe('e5');
    expect(through(log, { rounds: 1, cheap: 40 })).toBe('e3');
  });

  it('keeps no more than the tail, also of what is cheap', () => {
    const log = [user('a'), call('1'), result('1'), call('2'), result('2'), call('3'), result('3')];
    expect(through(log, { rounds: 1, tail: 30, cheap: 500 })).toBe('e5');
  });

  it('is none where nothing would be covered', () => {
    expect(cut([user('a')], { tail: 0 })).toBeUndefined();
    expect(cut([], { tail: 0 })).toBeUndefined();
    expect(cut([call('1'), result('1')], { tail: 0 })).toBeUndefined();
  });
});
