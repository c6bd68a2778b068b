import { DEFAULT_CONTEXT } from '../../../src/core/model/settings.ts';
import { describe, expect, it } from 'vitest';
import { budgetFor } from '../../../src/core/context/budget.ts';
import type { ModelInfo } from '../../../src/core/model/request.ts';
import type { WindowSettings } from '../../../src/core/model/settings.ts';

const info = (limits: Partial<ModelInfo>): ModelInfo => ({
  id: 'm',
  displayName: 'M',
  provider: 'p',
  thinking: 'none',
  ...limits,
});
const settings = (changes: Partial<WindowSettings> = {}): WindowSettings => ({
  maxOutputTokens: 32_000,
  context: DEFAULT_CONTEXT,
  ...changes,
});

describe('the budget', () => {
  it('is the window less the reserved output and a safety margin', () => {
    const budget = budgetFor(info({ window: 200_000, maxOutput: 64_000 }), settings());
    expect(budget).toMatchObject({ window: 200_000, reservedOutput: 32_000, margin: 6_000, tokens: 162_000 });
  });

  it('reserves no more than the model can write, and no more than a quarter of the window', () => {
    expect(budgetFor(info({ window: 200_000, maxOutput: 8_000 }), settings()).reservedOutput).toBe(8_000);
    expect(budgetFor(info({ window: 32_768, maxOutput: 32_000 }), settings()).reservedOutput).toBe(8_192);
  });

  it('has a margin of 5% in a small window, of 4,000 in a middling one, of 3% in a large one', () => {
    const marginOf = (window: number) => budgetFor(info({ window }), settings()).margin;
    expect([marginOf(32_000), marginOf(100_000), marginOf(1_000_000)]).toEqual([1_600, 4_000, 30_000]);
  });

  it('C20: what may be written is taken off the window first, so that both fit together', () => {
    const { window, reservedOutput, margin, tokens } = budgetFor(info({ window: 131_072 }), settings());
    expect(reservedOutput).toBe(32_000);
    expect(tokens! + reservedOutput + margin).toBe(window);
    // The history that a check of input alone let through: 99,073 of 131,072, and no room for the answer.
    expect(tokens).toBeLessThan(99_073);
  });

  it('T4: the window comes from the metadata, a person’s own number wins, and unknown stays unknown', () => {
    expect(budgetFor(info({ window: 200_000 }), settings()).window).toBe(200_000);
    expect(budgetFor(info({ window: 200_000 }), settings({ window: 64_000 })).window).toBe(64_000);
    const unknown = budgetFor(info({}), settings());
    expect(unknown).not.toHaveProperty('window');
    expect(unknown).not.toHaveProperty('tokens');
    expect(unknown.reservedOutput).toBe(32_000);
  });
});
