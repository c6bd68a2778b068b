import { describe, expect, it } from 'vitest';
import type { ContextRules } from '../../../src/core/model/settings.ts';
import type { ModelMessage, ModelRequest } from '../../../src/core/model/request.ts';
import { engineSession, looking, ofKind, prose } from '../../support/builders/engine-session.ts';
import { text } from '../../support/builders/entries.ts';
import { extendsRequest } from '../../support/builders/request-text.ts';

const working =
  (rounds: number, tokens: number) =>
  (_: ModelRequest, call: number): Partial<ModelMessage> =>
    call % rounds === 0
      ? { blocks: [text('Done.')] }
      : {
          blocks: [text(`Step ${call}.`), looking(`c${call}`, `f${call}:${tokens}`)],
          stopReason: 'tool_use',
        };

describe('C2: what no compaction can leave out is over the line already', () => {
  it.each([
    [7_000, 8_000],
    [2_000, 3_500],
    [15_000, 20_000],
  ])(
    'a prompt of %i words under a cap of %i: it waits longer each time, and says once why',
    async (words, cap) => {
      const session = await engineSession(
        { info: { window: 200_000 }, work: working(26, 300) },
        {
          sections: () => Promise.resolve([{ name: 'base', text: prose(words) }]),
          rules: { maxTokens: cap },
        },
      );
      for (let turn = 1; turn <= 8; turn += 1) await session.say(`turn ${turn}`);
      expect(session.model.work).toHaveLength(208);
      expect(ofKind(session.entries(), 'compaction').length).toBeLessThan(15);
      const notes = ofKind(session.entries(), 'note').map((note) => note.text);
      expect(notes.filter((note) => note.includes('plimsoll.context.maxTokens'))).toHaveLength(1);
    },
  );

  it('in a window that they nearly fill, the work goes on, and most requests keep the prefix', async () => {
    const session = await engineSession(
      { info: { window: 12_000 }, work: working(20, 200) },
      { sections: () => Promise.resolve([{ name: 'base', text: prose(5_500) }]) },
    );
    for (let turn = 1; turn <= 4; turn += 1) await session.say(`turn ${turn}`);
    const ends = session.events.flatMap((event) => (event.type === 'turn_ended' ? [event.end] : []));
    expect(ends).toEqual(['done', 'done', 'done', 'done']);
    expect(ofKind(session.entries(), 'compaction').length).toBeLessThan(session.model.work.length / 2);
  });
});

describe('C1: folding brings the load well under the line that it was over', () => {
  it.each<[Partial<ContextRules>, number]>([
    [{ strategy: 'fold', compactAt: 0.5, foldAt: null }, 10],
    [{ strategy: 'fold', compactAt: 0.4, foldAt: null }, 14],
    [{ strategy: 'slidingWindow', compactAt: 0.3 }, 18],
    [{ foldAt: 0.4, compactAt: null }, 14],
    [{ strategy: 'fold', maxTokens: 15_000 }, 14],
  ])('%j: at most %i requests of 120 break the prefix', async (rules, most) => {
    const session = await engineSession({ info: { window: 50_000 }, work: working(30, 500) }, { rules });
    for (let turn = 1; turn <= 4; turn += 1) await session.say(`turn ${turn}`);
    const { work } = session.model;
    const breaks = work.filter((request, index) => index > 0 && !extendsRequest(work[index - 1]!, request));
    expect(work).toHaveLength(120);
    expect(breaks.length).toBeLessThanOrEqual(most);
  });
});
