import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/core/context/estimate-tokens.ts';
import { workState } from '../../../src/core/context/work-state.ts';
import type { CarriedFacts, CarriedStep } from '../../../src/core/model/relief-entry.ts';

const NOTHING: CarriedFacts = { messages: [], files: [], steps: [] };
const step = (said: string, ...calls: readonly [what: string, outcome?: string][]): CarriedStep => ({
  entryId: 'e1',
  said,
  calls: calls.map(([what, outcome = '']) => ({ entryId: 'e2', what, outcome })),
});
const stateOf = (facts: Partial<CarriedFacts>, next: readonly string[] = []) => {
  const summary = [{ title: 'Next steps', bullets: next.map((text) => ({ text, sources: [] })) }];
  return workState({ ...NOTHING, ...facts }, summary, 'e9');
};

describe('where the work stands', () => {
  it('begins with the goal, and ends with what it knows last', () => {
    const messages = [
      { entryId: 'e1' as const, text: 'Fix\n the  tide.' },
      { entryId: 'e2' as const, text: 'And more.' },
    ];
    expect(stateOf({ messages })).toMatchObject({ goal: 'Fix the tide.', updated: 'e9' });
  });

  it('is the last step that says anything', () => {
    expect(stateOf({ steps: [step('I look.'), step('', ['read_file a'])] }).step).toBe('I look.');
  });

  it('counts edits and commands that went well as done, not what only looked', () => {
    const steps = [
      step('', ['edit_file a'], ['read_file b'], ['run_command `make`'], ['edit_file c', 'error']),
    ];
    expect(stateOf({ steps }).completed).toEqual(['edit_file a', 'run_command `make`']);
  });

  it('leaves a failure open until the same call went well', () => {
    const failed = step('', ['run_command `make`', 'error: boom'], ['edit_file a', 'denied']);
    expect(stateOf({ steps: [failed] }).errors).toEqual([
      'run_command `make`: error: boom',
      'edit_file a: denied',
    ]);
    expect(stateOf({ steps: [failed, step('', ['run_command `make`'])] }).errors).toEqual([
      'edit_file a: denied',
    ]);
  });

  it('takes what comes next from the summary, the first six', () => {
    const next = ['1', '2', '3', '4', '5', '6', '7'];
    expect(stateOf({}, next).pending).toEqual(next.slice(0, 6));
    expect(workState(NOTHING, [], 'e1').pending).toEqual([]);
  });

  it.each(['潮', '😀', '\u0001', '"', '\ud83d', 'Ω', 'a ', '𠮷'])(
    'takes at most 500 tokens, of %j too',
    (unit) => {
      const text = unit.repeat(900);
      const six = Array.from({ length: 8 }, (_, n) => `${n}${text}`);
      const state = stateOf(
        {
          messages: [{ entryId: 'e1', text }],
          files: six.map((path) => ({ path, reads: [], edits: [], lines: '' })),
          steps: six.map((one) => step(text, [`edit ${one}`], [`run ${one}`, text])),
        },
        six,
      );
      expect(estimateTokens(JSON.stringify(state))).toBeLessThanOrEqual(500);
      expect(state.goal).not.toBe('');
      expect(state.pending).not.toEqual([]);
    },
  );

  it('takes at most 500 tokens, whatever the facts are', () => {
    const words = fc.oneof(
      fc.string({ maxLength: 900, unit: 'binary' }),
      fc.constantFrom('潮'.repeat(900), '😀'.repeat(400), 'tide goes '.repeat(90), '{"a":1}\\"'.repeat(99)),
    );
    const many = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 12 });
    const facts: fc.Arbitrary<CarriedFacts> = fc.record({
      messages: many(fc.record({ entryId: fc.constant('e1' as const), text: words })),
      files: many(
        fc.record({
          path: words,
          reads: fc.constant([]),
          edits: fc.constant([]),
          lines: fc.constant(''),
        }),
      ),
      steps: many(
        fc.record({
          entryId: fc.constant('e1' as const),
          said: words,
          calls: many(
            fc.record({
              entryId: fc.constant('e2' as const),
              what: words.map((what) => `edit ${what}`),
              outcome: fc.oneof(fc.constant(''), words),
            }),
          ),
        }),
      ),
    });
    fc.assert(
      fc.property(facts, many(words), (some, next) => {
        expect(estimateTokens(JSON.stringify(stateOf(some, next)))).toBeLessThanOrEqual(500);
      }),
      { numRuns: 200 },
    );
  });
});
