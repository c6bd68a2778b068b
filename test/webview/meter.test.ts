import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Budget } from '../../src/core/model/budget.ts';
import type { LedgerCategory } from '../../src/core/model/ledger.ts';
import { formatDuration, formatPercent, formatShortCount } from '../../webview/format.ts';
import {
  ageWords,
  largestItems,
  loadOf,
  meterBar,
  meterCaption,
  meterParts,
  meterSentence,
} from '../../webview/meter.ts';
import { budget, ledger } from '../protocol/panel-builders.ts';

function withoutWindow(): Budget {
  const { window: _window, tokens: _tokens, ...rest } = budget;
  return rest;
}

describe('the meter', () => {
  it('says an estimate as an estimate and usage as usage', () => {
    expect(meterSentence(ledger(12_345))).toBe('About 12,345 of 166,000 tokens, 7% of the budget; estimate');
    expect(meterSentence(ledger(12_345, { phase: 'usage' }))).toBe(
      '12,345 of 166,000 tokens, 7% of the budget; as reported by the provider',
    );
    expect(meterCaption(ledger(12_345))).toEqual({ main: '≈ 7%', detail: '12.3k / 166k' });
    expect(meterCaption(ledger(12_345, { phase: 'usage' })).main).toBe('7%');
  });

  it('T4: invents no maximum where the window is unknown', () => {
    const unknown = ledger(12_345, { budget: withoutWindow(), phase: 'usage' });
    expect(meterBar(unknown)).toBeUndefined();
    expect(meterCaption(unknown)).toEqual({ main: '12,345 tokens', detail: 'window unknown' });
    expect(meterSentence(unknown)).toContain('window unknown');
  });

  it('draws the load lines and the reserved output where they are in the window', () => {
    const bar = meterBar(ledger(83_000));
    expect(bar?.fill).toBeCloseTo(0.415);
    expect(bar?.reservedFrom).toBeCloseTo(0.84);
    expect(bar?.marks.map(({ name }) => name)).toEqual(['evict', 'prepare', 'compact', 'fold']);
    expect(bar?.marks[2]?.at).toBeCloseTo((0.8 * 166_000) / 200_000);
  });

  it('draws no line that is switched off, and the economy cap where it is set', () => {
    const lines = { compact: 0.8 };
    const bar = meterBar(ledger(83_000, { budget: { ...budget, lines, cap: 50_000 } }));
    expect(bar?.marks).toEqual([
      { name: 'compact', at: 0.664, words: 'Compact at 80%: 132,800 tokens' },
      { name: 'cap', at: 0.25, words: 'Economy: compact at the latest: 50,000 tokens' },
    ]);
  });

  it.each([
    [0, 'green'],
    [0.499, 'green'],
    [0.5, 'yellow'],
    [0.799, 'yellow'],
    [0.8, 'red'],
    [1.4, 'red'],
  ])('at %d of the budget is %s', (share, load) => {
    expect(loadOf(share)).toBe(load);
  });

  it('T1: shows parts that sum to the total', () => {
    const categories: readonly LedgerCategory[] = [
      ...([
        'system',
        'tools',
        'summary',
        'user',
        'assistant',
        'thinking',
        'tool_result',
        'reminder',
      ] as const),
    ];
    const item = fc.record({
      category: fc.constantFrom(...categories),
      label: fc.string(),
      state: fc.constant('kept' as const),
      tokens: fc.nat(90_000),
    });
    fc.assert(
      fc.property(fc.array(item), (items) => {
        const total = items.reduce((sum, { tokens }) => sum + tokens, 0);
        const parts = meterParts(ledger(total, { items }));
        expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(total);
      }),
    );
  });

  it('tells the age of an item in rounds', () => {
    expect([undefined, 0, 1, 12].map(ageWords)).toEqual(['', 'newest round', '1 round ago', '12 rounds ago']);
  });

  it('names the largest items first', () => {
    const items = [3, 9, 0, 5].map((tokens) => ({
      category: 'tool_result' as const,
      label: `item ${tokens}`,
      state: 'kept' as const,
      tokens,
    }));
    expect(largestItems(ledger(17, { items }), 2).map(({ label }) => label)).toEqual(['item 9', 'item 5']);
  });
});

describe('figures', () => {
  it.each([
    [0, '0'],
    [950, '950'],
    [12_345, '12.3k'],
    [99_960, '100k'],
    [166_000, '166k'],
    [999_999, '1M'],
    [1_250_000, '1.3M'],
  ])('%d tokens are %s', (tokens, text) => {
    expect(formatShortCount(tokens)).toBe(text);
  });

  it.each([
    [40, '0.0 s'],
    [9_940, '9.9 s'],
    [9_960, '10 s'],
    [59_600, '1 min 0 s'],
    [125_000, '2 min 5 s'],
    [-5, '0.0 s'],
  ])('%d milliseconds are %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('show a little as a little', () => {
    expect([0, 0.004, 0.42, 1.2].map(formatPercent)).toEqual(['0%', '<1%', '42%', '120%']);
  });
});
