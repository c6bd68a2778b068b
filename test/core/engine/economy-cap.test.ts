import { expect, it } from 'vitest';
import { engineSession, lastEnd, ofKind, rounds } from '../../support/builders/engine-session.ts';
import { tokensIn } from '../../support/builders/request-text.ts';

it.each(['summarize', 'fold', 'slidingWindow'] as const)(
  'an economy cap holds in a large window too, by the strategy %s',
  async (strategy) => {
    const { model, entries, events, say } = await engineSession(
      { info: { window: 1_000_000 }, work: rounds(40, (round) => `f${round}:1500`) },
      { rules: { strategy, maxTokens: 30_000 } },
    );
    await say('go');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    expect(ofKind(entries(), 'compaction').length).toBeGreaterThan(0);
    for (const request of model.work) expect(tokensIn(request)).toBeLessThan(36_000);
  },
);
