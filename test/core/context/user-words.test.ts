import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/core/context/estimate-tokens.ts';
import { fitUserWords } from '../../../src/core/context/user-words.ts';
import type { CarriedMessage } from '../../../src/core/model/relief-entry.ts';

const said = (...texts: readonly string[]): readonly CarriedMessage[] =>
  texts.map((text, index) => ({ entryId: `e${index + 1}` as const, text }));
const fitted = (texts: readonly string[], budget: number) => fitUserWords(said(...texts), budget);
const joined = (messages: readonly CarriedMessage[]) => messages.map(({ text }) => text).join('\n');
const tokensOf = (messages: readonly CarriedMessage[]) =>
  messages.reduce((sum, { text }) => sum + estimateTokens(text), 0);

const GOAL = 'Make the tide table right for the harbour of Kiel';
const chat = 'The window looks out over the water and the boats go by all day long. ';

describe('the user’s words', () => {
  it('are all there, untouched, where there is room', () => {
    const messages = said(GOAL, ' two \n', '');
    expect(fitUserWords(messages, 1_000)).toBe(messages);
  });

  it('keep the goal’s beginning and every rule, from every message, before anything else', () => {
    const texts = [`${GOAL}. ${chat.repeat(60)}`];
    for (let n = 0; n < 8; n += 1)
      texts.push(`${chat.repeat(30)}Never touch file${n}.sqlite. ${chat.repeat(30)}`);
    const kept = joined(fitted(texts, 900));
    expect(kept).toContain(GOAL);
    for (let n = 0; n < 8; n += 1) expect(kept).toContain(`Never touch file${n}.sqlite.`);
  });

  it('say where something was left out', () => {
    const [, second] = fitted([GOAL, `${chat.repeat(90)}You must use httpie. ${chat.repeat(90)}`], 300);
    expect(second?.text).toContain('You must use httpie.');
    expect(second?.text).toContain('[…]');
  });

  it('keep a rule that was said again where it was said last', () => {
    const texts = [GOAL, `${chat.repeat(50)}Never push.`, `${chat.repeat(50)}Never push.`];
    const kept = fitted(texts, 60);
    expect(kept.filter(({ text }) => text.includes('Never push.')).map(({ entryId }) => entryId)).toEqual([
      'e3',
    ]);
  });

  it('keep what was said again only where it was said last: the room is for what is new', () => {
    const texts = [
      GOAL,
      `first ${chat.repeat(4)}`,
      ...Array.from({ length: 40 }, () => `again ${chat.repeat(2)}`),
    ];
    const kept = fitted([...texts, 'and now?'], 400);
    expect(kept.map(({ entryId }) => entryId)).toEqual(['e1', 'e2', 'e42', 'e43']);
  });

  it('keep short messages whole, whatever their words, before anything longer grows', () => {
    const short = Array.from({ length: 20 }, (_, n) => `legacy${n}.py: nope!`);
    const long = Array.from({ length: 40 }, (_, n) => `request ${n}. ${chat.repeat(20)}`);
    const kept = fitted([`${GOAL}. ${chat.repeat(60)}`, ...short, ...long], 900);
    for (const words of short) expect(kept.map(({ text }) => text)).toContain(words);
    expect(kept.at(-1)?.text).toContain('request 39.');
  });

  it('keep more of the latest request than of those between', () => {
    const texts = [GOAL, ...Array.from({ length: 20 }, (_, n) => `request ${n}. ${chat.repeat(20)}`)];
    const kept = fitted(texts, 700);
    const lengths = kept.map(({ text }) => text.length);
    expect(kept.at(-1)?.text).toContain('request 19.');
    expect(lengths.at(-1)).toBeGreaterThan(Math.max(...lengths.slice(1, -1)));
  });

  it('are bounded where rules alone are too many: the goal and the newest stay', () => {
    const texts = [GOAL, ...Array.from({ length: 200 }, (_, n) => `You must do thing ${n}.`)];
    const kept = fitted(texts, 400);
    expect(tokensOf(kept)).toBeLessThanOrEqual(400);
    expect(kept[0]?.text).toContain(GOAL);
    expect(kept.at(-1)?.text).toContain('thing 199.');
    expect(kept.length).toBeGreaterThan(10);
  });

  it('rule in other languages too', () => {
    const texts = [
      GOAL,
      `${'天气很好。'.repeat(400)}禁止删除数据库。`,
      `${chat.repeat(60)}Niemals committen!`,
    ];
    const kept = joined(fitted(texts, 250));
    expect(kept).toContain('禁止删除数据库');
    expect(kept).toContain('Niemals committen!');
  });
});

const sentence = fc.constantFrom(
  chat,
  'Please look at src/tide.ts, it is wrong. ',
  '请看一下这个文件。',
  'const low = 1;\n',
  '\ud83d\ude00 nice ',
);
const rule = fc
  .record({
    word: fc.constantFrom('must', 'never', "don't", 'always', 'do not'),
    what: fc.nat(999),
  })
  .map(({ word, what }) => `You ${word} change thing${what}. `);
const message = fc
  .array(fc.oneof({ weight: 5, arbitrary: sentence }, { weight: 1, arbitrary: rule }), { maxLength: 60 })
  .map((parts) => parts.join(''));
const messages = fc.array(message, { minLength: 1, maxLength: 30 });

describe('whatever was said, the user’s words', () => {
  it('take no more than their budget, in their order, with the goal’s beginning first', () => {
    fc.assert(
      fc.property(messages, fc.integer({ min: 400, max: 8_000 }), (texts, budget) => {
        const whole = [`${GOAL}. ${texts[0]}`, ...texts.slice(1)];
        const kept = fitted(whole, budget);
        expect(tokensOf(kept)).toBeLessThanOrEqual(budget);
        const ids = kept.map(({ entryId }) => Number(entryId.slice(1)));
        expect(ids).toEqual([...ids].sort((a, b) => a - b));
        expect(kept[0]?.text.startsWith(GOAL)).toBe(true);
        for (const { text } of kept) expect(text.isWellFormed()).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('hold every rule where all rules fit beside what must be there', () => {
    fc.assert(
      fc.property(messages, fc.integer({ min: 1_200, max: 8_000 }), (texts, budget) => {
        const whole = [GOAL, ...texts];
        const rules = new Set(
          joined(said(...texts)).match(/You (?:must|never|don't|always|do not) change thing\d+\./g),
        );
        // A message's share of rules is bounded; what all of them take in full must leave room for more.
        const most = Math.max(0, ...texts.map((text) => text.match(/ change thing/g)?.length ?? 0));
        fc.pre(
          most <= 6 && estimateTokens([...rules].join(' […] ')) + 12 * whole.length + 60 <= budget * 0.5,
        );
        const kept = joined(fitted(whole, budget));
        for (const one of rules) expect(kept).toContain(one);
      }),
      { numRuns: 300 },
    );
  });
});
