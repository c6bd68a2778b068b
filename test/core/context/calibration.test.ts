import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Calibration } from '../../../src/core/context/calibration.ts';
import { factorFor, factorIn, learn, UNCALIBRATED } from '../../../src/core/context/calibration.ts';
import type { CountedPart, UsageEntry } from '../../../src/core/model/entry.ts';
import {
  billedSession,
  CONTENTS,
  counterOf,
  HiddenBilling,
  missesAfter,
  textCounter,
} from '../../support/billed-session.ts';
import { logOf, MODEL, PROVIDER, usageReport } from '../../support/builders/entries.ts';

function reports(counted: CountedPart | undefined, model = MODEL): UsageEntry {
  const draft = { ...usageReport('e3', 'e2', { input: 1 }), model, ...(counted && { counted }) };
  return logOf(draft)[0] as UsageEntry;
}

const learnt = (...parts: readonly CountedPart[]): Calibration =>
  parts.map((part) => reports(part)).reduce(learn, UNCALIBRATED);
const factor = (known: Calibration, model = MODEL): number => factorFor(known, PROVIDER, model);

describe('calibration', () => {
  it('says 1 before anything was learnt, and billed ÷ counted after the first report', () => {
    expect(factor(UNCALIBRATED)).toBe(1);
    expect(factor(learnt({ tokens: 2_000, billed: 2_260 }))).toBeCloseTo(1.13);
  });

  it('learns nothing from a report that does not say what part it priced', () => {
    const known = learnt({ tokens: 2_000, billed: 2_260 });
    expect(learn(known, reports(undefined))).toBe(known);
    expect(learn(known, reports({ tokens: 0, billed: 10 }))).toBe(known);
  });

  it('keeps providers and models apart', () => {
    const known = learn(
      learnt({ tokens: 2_000, billed: 3_000 }),
      reports({ tokens: 500, billed: 400 }, 'other'),
    );
    expect(factor(known)).toBe(1.5);
    expect(factor(known, 'other')).toBe(0.8);
    expect(factorFor(known, 'another', MODEL)).toBe(1);
  });

  it('says what one report alone speaks for, and nothing where that did not count or is of another model', () => {
    const report = reports({ tokens: 2_000, billed: 2_800 });
    const info = { provider: PROVIDER, id: MODEL };
    expect(factorIn(report, info)).toBe(1.4);
    for (const other of [undefined, reports(undefined), reports({ tokens: 9, billed: 9 }, 'other')])
      expect(factorIn(other, info)).toBeUndefined();
  });

  it('weighs by tokens: a small part moves the factor a little, a large one almost to its own', () => {
    const known = { tokens: 4_000, billed: 4_000 };
    expect(factor(learnt(known, { tokens: 40, billed: 80 }))).toBeLessThan(1.02);
    expect(factor(learnt(known, { tokens: 40_000, billed: 60_000 }))).toBeGreaterThan(1.49);
  });

  it('forgets by tokens: what was learnt 4,000 tokens ago weighs half', () => {
    const known = learnt({ tokens: 4_000, billed: 4_000 }, { tokens: 4_000, billed: 6_000 });
    expect(factor(known)).toBeCloseTo((0.5 * 1 + 1 * 1.5) / 1.5);
  });

  it('is held within 0.5 and 2.5, and one absurd report does not outweigh the true ones', () => {
    expect(factor(learnt({ tokens: 1_000, billed: 1 }))).toBe(0.5);
    expect(factor(learnt({ tokens: 1_000, billed: 90_000 }))).toBe(2.5);
    expect(factor(learnt({ tokens: 4_000, billed: 4_000 }, { tokens: 100, billed: 1e9 }))).toBeLessThan(1.1);
    const part = fc.record({ tokens: fc.nat(50_000), billed: fc.nat(200_000) });
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const known = factor(learnt(...parts));
        expect(known).toBeGreaterThanOrEqual(0.5);
        expect(known).toBeLessThanOrEqual(2.5);
      }),
    );
  });

  it('is plain data: written and read again it says the same', () => {
    const known = learnt({ tokens: 2_000, billed: 2_260 }, { tokens: 100, billed: 80 });
    const again = JSON.parse(JSON.stringify(known)) as Calibration;
    expect(again).toEqual(known);
    expect(factor(again)).toBe(factor(known));
  });
});

describe('the estimate after three real usages', () => {
  let count: (text: string) => number;
  beforeAll(() => {
    count = textCounter();
  });

  it.each([1.13, 0.87])(
    'T8: misses the added part by 3 in a hundred at most, where the provider bills %d times as much, whatever the kind',
    async (share) => {
      const rounds = await billedSession(new HiddenBilling((text) => count(text) * share), counterOf(count));
      for (const { kind, billed } of rounds.slice(1)) expect(billed, kind).toBeGreaterThan(1_700);
      const misses = missesAfter(rounds, 3);
      expect(misses).toHaveLength(CONTENTS.length - 3);
      expect(Math.max(...misses)).toBeLessThan(0.03);
      // Before the first it could not know: the test would be of nothing if the estimate were right from the start.
      expect(missesAfter(rounds, 0)[0]).toBeGreaterThan(0.1);
    },
  );

  it('T8: is so whichever kind came first', async () => {
    const billing = new HiddenBilling((text) => count(text) * 1.13);
    for (let turn = 0; turn < CONTENTS.length; turn += 1) {
      const contents = [...CONTENTS.slice(turn), ...CONTENTS.slice(0, turn)];
      const rounds = await billedSession(billing, counterOf(count), contents);
      expect(Math.max(...missesAfter(rounds, 3)), contents[0]?.[0]).toBeLessThan(0.03);
    }
  });

  it('learns nothing from what no tokenizer has counted', async () => {
    const none = { count: () => Promise.resolve(undefined) };
    const rounds = await billedSession(new HiddenBilling((text) => count(text) * 2), none);
    // Estimates from characters are a quarter off either way; half the price would stay half the price.
    for (const { estimated, billed } of rounds.slice(1)) expect(estimated / billed).toBeLessThan(0.65);
  });
});
