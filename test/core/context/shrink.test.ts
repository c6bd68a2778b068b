import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import { shrinkPlan } from '../../../src/core/context/shrink.ts';
import type { EntryDraft } from '../../../src/core/model/entry.ts';
import { assistant, eviction, logOf, pin, result, toolUse, user } from '../../support/builders/entries.ts';

/** One round with a result of so many tokens each (e3, e4, …), at four characters a token. */
function plan(sizes: readonly number[], target: number, ...more: readonly EntryDraft[]) {
  const calls = sizes.map((_, index) => toolUse(`c${index}`));
  const results = sizes.map((tokens, index) => result(`c${index}`, 'abc '.repeat(tokens)));
  const conversation = conversationOf(logOf(user('go'), assistant(...calls), ...results, ...more));
  const items = sizes.map((tokens, index) => ({
    entryId: `e${index + 3}` as const,
    category: 'tool_result' as const,
    label: '',
    state: 'kept' as const,
    tokens,
  }));
  const total = 1_000 + sizes.reduce((sum, tokens) => sum + tokens, 0);
  const budget = { reservedOutput: 0, margin: 0, lines: {} };
  return shrinkPlan(conversation, { phase: 'estimate', items, total, budget }, target).items;
}
const idsOf = (items: ReturnType<typeof plan>) => items.map(({ entryId }) => entryId);

describe('the last resort', () => {
  it('shortens the largest results first, and no more of them than it has to', () => {
    expect(idsOf(plan([500, 9_000, 700], 3_000))).toEqual(['e4']);
    expect(idsOf(plan([500, 9_000, 6_000], 3_000))).toEqual(['e4', 'e5']);
    expect(plan([500, 9_000], 20_000)).toEqual([]);
  });

  it('keeps of each an equal share of the room, but never less than its beginning and its end', () => {
    const [one] = plan([50_000], 6_000);
    expect(one?.keep).toBeGreaterThan(5_000);
    const kept = plan([50_000, 50_000], 6_000).map(({ keep }) => keep!);
    expect(kept[0]).toBe(kept[1]);
    expect(kept[0]! + kept[1]!).toBeLessThanOrEqual(2 * (6_000 - 1_000));
    expect(plan([50_000], 0)[0]?.keep).toBe(400);
    expect(plan([500_000], 300_000)[0]?.keep).toBe(12_000);
  });

  it('leaves alone what a person holds, and what is small already', () => {
    expect(idsOf(plan([9_000, 8_000], 0, pin('e3')))).toEqual(['e4']);
    expect(plan([90, 140], 0)).toEqual([]);
  });

  it('shortens again only what gets smaller by it', () => {
    const before = (keep: number) => eviction({ entryId: 'e3', reason: 'large', keep });
    expect(idsOf(plan([9_000], 0, before(2_000)))).toEqual(['e3']);
    expect(plan([9_000], 0, before(400))).toEqual([]);
    expect(plan([9_000], 0, eviction({ entryId: 'e3', reason: 'large' }))).toEqual([]);
  });
});
