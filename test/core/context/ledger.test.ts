import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Anchor, RawItem } from '../../../src/core/context/ledger.ts';
import { countedPart, estimateLedger, isClipped, usageLedger } from '../../../src/core/context/ledger.ts';
import type { Measure } from '../../../src/core/context/token-table.ts';
import type { Budget } from '../../../src/core/model/budget.ts';
import type { AssistantEntry, EntryId, UsageEntry } from '../../../src/core/model/entry.ts';
import type { Ledger } from '../../../src/core/model/ledger.ts';
import type { Usage } from '../../../src/core/model/usage.ts';
import { isKnownUsage } from '../../../src/core/model/usage.ts';
import { assistant, logOf, prompt, text, usageReport, user } from '../../support/builders/entries.ts';

const budget: Budget = { window: 100_000, reservedOutput: 1_000, margin: 4_000, tokens: 95_000, lines: {} };

function raw(entryId: EntryId, tokens: number, measure: Partial<Measure> = {}): RawItem {
  const item = { entryId, category: 'tool_result', label: entryId, state: 'evicted', age: 2 } as const;
  return { item, measure: { tokens, imageTokens: 0, isCounted: true, ...measure } };
}

/** The request that ended with e2 was billed `usage`, and e3 answered it. */
function anchorWith(usage: Partial<Usage>): Anchor {
  const entries = logOf(prompt(), user('hi'), assistant(text('ho')), usageReport('e3', 'e2', usage));
  return { usage: entries[3] as UsageEntry, reply: entries[2] as AssistantEntry };
}

const estimate = (items: readonly RawItem[], options: { anchor?: Anchor; factor?: number } = {}) =>
  estimateLedger(items, { budget, anchor: options.anchor, factor: options.factor ?? 1 });
const tokensOf = (ledger: Ledger) => ledger.items.map(({ tokens }) => tokens);
const usageOf = (input: number): Usage => ({ input, cacheRead: 0, cacheWrite: 0, output: 0 });

describe('the estimate of a request', () => {
  it('is the last real usage, its reply as billed, and the factor times what was added since', () => {
    const items = [raw('e1', 100), raw('e2', 300), raw('e3', 60), raw('e5', 1_000), raw('e6', 200)];
    const { ledger, added } = estimate(items, {
      anchor: anchorWith({ input: 800, output: 90 }),
      factor: 1.5,
    });
    expect(tokensOf(ledger)).toEqual([200, 600, 90, 1_500, 300]);
    expect(ledger.total).toBe(2_690);
    expect(added).toMatchObject({ tokens: 1_200, imageTokens: 0, isCounted: true, uncounted: 0, base: 890 });
  });

  it('is the factor times everything after a break, and all of it is the added part', () => {
    const { ledger, added } = estimate([raw('e1', 100), raw('e2', 300)], { factor: 1.2 });
    expect(tokensOf(ledger)).toEqual([120, 360]);
    expect(added).toMatchObject({ tokens: 400, imageTokens: 0, isCounted: true, uncounted: 0, base: 0 });
  });

  it('has system and tools at their own price, known behind a break too and shared rightly before one', () => {
    const tools = { ...raw('e1', 1_000), item: { ...raw('e1', 0).item, category: 'tools' } } as const;
    const items = [tools, raw('e2', 1_000)];
    const broken = estimateLedger(items, { budget, anchor: undefined, factor: 0.9, promptFactor: 1.4 });
    expect(tokensOf(broken.ledger)).toEqual([1_400, 900]);
    expect(broken.added).toMatchObject({ tokens: 1_000, base: 1_400 });
    const anchor = anchorWith({ input: 2_300 });
    const { ledger } = estimateLedger(items, { budget, anchor, factor: 0.9, promptFactor: 1.4 });
    expect(tokensOf(ledger)).toEqual([1_400, 900]);
  });

  it('T2: stands where the provider reports nothing, or zero', () => {
    for (const usage of [undefined, usageOf(0), { ...usageOf(0), output: 70 }])
      expect(isKnownUsage(usage)).toBe(false);
    expect(estimate([raw('e1', 90_000), raw('e2', 5_000)]).ledger.total).toBe(95_000);
  });

  it('T10: counts what was read from the cache and written to it as sent', () => {
    const anchor = anchorWith({ input: 3, cacheRead: 19_464, cacheWrite: 1_124, output: 9 });
    expect(estimate([raw('e1', 1), raw('e2', 1)], { anchor }).ledger.total).toBe(20_591);
  });

  it('T6: prices images by their own rule, whatever the factor', () => {
    const image = raw('e5', 1_614, { imageTokens: 1_600 });
    const { ledger, added } = estimate([raw('e1', 10), image, raw('e6', 100)], {
      anchor: anchorWith({ input: 100, output: 0 }),
      factor: 2,
    });
    expect(tokensOf(ledger)).toEqual([100, 1_628, 200]);
    expect(added).toMatchObject({ tokens: 114, imageTokens: 1_600, base: 100 });
  });

  it('keeps the name, the state and the age of every item, and nothing of how it was counted', () => {
    const { ledger } = estimate([raw('e5', 10)]);
    expect(ledger.items).toEqual([
      { entryId: 'e5', category: 'tool_result', label: 'e5', state: 'evicted', age: 2, tokens: 10 },
    ]);
  });

  it('T1: its parts are whole and sum to its total, whatever is in it', () => {
    const weights = fc.array(fc.nat(5_000), { maxLength: 20 });
    const usage = fc.record({ input: fc.integer({ min: 1, max: 90_000 }), output: fc.nat(5_000) });
    fc.assert(
      fc.property(
        weights,
        usage,
        fc.double({ min: 0.5, max: 2.5, noNaN: true }),
        (tokens, billed, factor) => {
          const items = tokens.map((count, index) => raw(`e${index + 1}`, count));
          for (const anchor of [undefined, anchorWith(billed)]) {
            const { ledger, added } = estimateLedger(items, { budget, anchor, factor });
            expect(tokensOf(ledger).reduce((sum, part) => sum + part, 0)).toBe(ledger.total);
            for (const part of tokensOf(ledger)) expect(Number.isInteger(part) && part >= 0).toBe(true);
            expect(ledger.total).toBe(added.base + Math.round(added.tokens * factor));
          }
        },
      ),
    );
  });
});

describe('what a report teaches', () => {
  const added = { tokens: 1_000, imageTokens: 0, isCounted: true, uncounted: 0, base: 5_000, least: 3_000 };

  it('is the price of what was added: what was billed beyond what had been billed before', () => {
    expect(countedPart(added, usageOf(6_130))).toEqual({ tokens: 1_000, billed: 1_130 });
    expect(countedPart({ ...added, base: 0 }, usageOf(900))).toEqual({ tokens: 1_000, billed: 900 });
  });

  it('leaves images out on both sides', () => {
    expect(countedPart({ ...added, imageTokens: 1_600 }, usageOf(7_730))).toEqual({
      tokens: 1_000,
      billed: 1_130,
    });
  });

  it('is nothing where a count was only an estimate, or nothing was added', () => {
    expect(countedPart({ ...added, isCounted: false }, usageOf(6_130))).toBeUndefined();
    expect(countedPart({ ...added, tokens: 0 }, usageOf(6_130))).toBeUndefined();
    expect(estimate([raw('e1', 5), raw('e2', 5, { isCounted: false })]).added.isCounted).toBe(false);
  });

  it('T13: is nothing where the server has not read all of it, and that is told apart', () => {
    const whole = { ...added, tokens: 9_000, base: 0 };
    expect(isClipped(whole, usageOf(4_096))).toBe(true);
    expect(countedPart(whole, usageOf(4_096))).toBeUndefined();
    // Full from the start, it bills the same however much is added.
    expect(isClipped({ ...added, base: 4_096 }, usageOf(4_096))).toBe(true);
    expect(isClipped(added, usageOf(6_130))).toBe(false);
    expect(isClipped({ ...added, tokens: 30 }, usageOf(5_010))).toBe(false);
  });
});

describe('the ledger of a request that was reported', () => {
  it('T10: is the provider’s total, shared among the items as they were thought to cost', () => {
    const { items } = estimate([raw('e1', 100), raw('e2', 300)]).ledger;
    const ledger = usageLedger(items, budget, { input: 3, cacheRead: 19_464, cacheWrite: 1_125, output: 7 });
    expect(ledger).toMatchObject({ phase: 'usage', total: 20_592 });
    expect(tokensOf(ledger)).toEqual([5_148, 15_444]);
  });
});
