import { expect, it } from 'vitest';
import { linesIn } from '../../../src/core/context/relief.ts';
import type { LoadLines } from '../../../src/core/model/budget.ts';

const OFF = Number.POSITIVE_INFINITY;
const linesOf = (lines: LoadLines, cap?: number) =>
  linesIn({ reservedOutput: 0, margin: 0, tokens: 1_000, lines, ...(cap !== undefined && { cap }) });

it('each line stands at its share of the budget', () => {
  const lines = linesOf({ evict: 0.6, prepare: 0.7, compact: 0.8, fold: 0.95 });
  expect(lines).toMatchObject({ evict: 600, prepare: 700, compact: 800, fold: 950 });
});

it('with all lines off nothing is ever relieved', () => {
  expect(linesOf({})).toMatchObject({ evict: OFF, prepare: OFF, compact: OFF, fold: OFF });
});

it('where only the fold is off, compaction has the budget itself as its last resort', () => {
  expect(linesOf({ compact: 0.8 }).fold).toBe(1_000);
  expect(linesOf({}, 500).fold).toBe(1_000);
});

it('an economy cap brings compaction, and the lines before it, forward, but not the fold', () => {
  const lines = linesOf({ evict: 0.6, prepare: 0.7, compact: 0.8, fold: 0.95 }, 400);
  expect(lines).toMatchObject({ evict: 300, prepare: 350, compact: 400, fold: 950, trigger: 'cap' });
});
