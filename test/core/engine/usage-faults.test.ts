import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/core/context/estimate-tokens.ts';
import type { ModelMessage, ModelRequest } from '../../../src/core/model/request.ts';
import type { TokenCounter } from '../../../src/core/ports/token-counter.ts';
import { engineSession, looking, ofKind } from '../../support/builders/engine-session.ts';
import { text } from '../../support/builders/entries.ts';
import { tokensIn } from '../../support/builders/request-text.ts';

const counter: TokenCounter = { count: (texts) => Promise.resolve(texts.map(estimateTokens)) };

/** Six turns of twenty rounds in a window of 50k, on a server that reports `report` of what it has read. */
async function reporting(report: (tokens: number, before: readonly number[]) => number) {
  const read: number[] = [];
  const work = (request: ModelRequest, call: number): Partial<ModelMessage> => {
    const tokens = tokensIn(request);
    const usage = { input: report(tokens, read), cacheRead: 0, cacheWrite: 0, output: 20 };
    read.push(tokens);
    return call % 20 === 0
      ? { blocks: [text('Done.')], usage }
      : {
          blocks: [text(`Step ${call}.`), looking(`c${call}`, `f${call}:500`)],
          stopReason: 'tool_use',
          usage,
        };
  };
  const session = await engineSession({ info: { window: 50_000 }, work }, { counter });
  for (let turn = 1; turn <= 6; turn += 1) await session.say(`turn ${turn}`);
  const ends = session.events.flatMap((event) => (event.type === 'turn_ended' ? [event.end] : []));
  expect(ends).toEqual(Array.from({ length: 6 }, () => 'done'));
  return { compactions: ofKind(session.entries(), 'compaction'), largest: Math.max(...read), session };
}

describe('T2, T13: a server that reports less than it was sent', () => {
  it.each<[string, (tokens: number, before: readonly number[]) => number]>([
    ['7, always', () => 7],
    ['only what is new', (tokens, before) => Math.max(1, tokens - (before.at(-1) ?? 0))],
  ])('%s: the load is what we count, and is relieved at its line', async (_, report) => {
    const { compactions, largest, session } = await reporting(report);
    expect(largest).toBeLessThan(0.9 * 45_500);
    expect(compactions.map(({ trigger }) => trigger)).toEqual(compactions.map(() => 'line'));
    expect(compactions.length).toBeGreaterThan(0);
    expect(
      ofKind(session.entries(), 'note').filter(({ text }) => text.includes('count them wrong')),
    ).toHaveLength(1);
  });

  it('half of it: what it refuses is counted afresh and folded, and the work goes on', async () => {
    const { compactions } = await reporting((tokens) => Math.ceil(tokens / 2));
    expect(compactions.some(({ trigger }) => trigger === 'too_long')).toBe(true);
  });
});

describe('T13: a server that reports more than any window holds', () => {
  it.each([1e6, 1e12, Number.POSITIVE_INFINITY, Number.NaN, -5])(
    '%d: it is unknown, like nothing',
    async (input) => {
      const { compactions, session } = await reporting(() => input);
      expect(compactions.length).toBeLessThanOrEqual(4);
      expect(ofKind(session.entries(), 'usage')).toEqual([]);
    },
  );

  it('once: nothing but that report is lost', async () => {
    const { compactions } = await reporting((tokens, { length }) => (length === 5 ? 1e12 : tokens));
    expect(compactions.length).toBeLessThanOrEqual(4);
  });
});
