import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/core/model/errors.ts';
import type { ModelMessage, ModelRequest } from '../../../src/core/model/request.ts';
import { engineSession, lastEnd, ofKind, prose, looking } from '../../support/builders/engine-session.ts';
import { text } from '../../support/builders/entries.ts';
import { tokensIn } from '../../support/builders/request-text.ts';

/** Turns of so many rounds, each with a result of 500 tokens; `refusal` is what some calls get instead. */
const working =
  (rounds: number, refusal: (call: number) => Error | undefined) =>
  (_: ModelRequest, call: number): Partial<ModelMessage> | Error =>
    refusal(call) ??
    (call % rounds === 0
      ? { blocks: [text('Done.')] }
      : { blocks: [text(`Step ${call}.`), looking(`c${call}`, `f${call}:500`)], stopReason: 'tool_use' });

const tooLong = (words: string, learntLimit?: number) =>
  new ModelError('too_long', words, { status: 400, ...(learntLimit !== undefined && { learntLimit }) });
const sections = () => Promise.resolve([{ name: 'base', text: prose(1_500) }]);

describe('P3: a limit that is smaller than what was accepted before', () => {
  it.each([256, 1_000, 4_096])('is not believed: %i', async (limit) => {
    const refusal = (call: number) => (call === 10 ? tooLong('too long', limit) : undefined);
    const session = await engineSession(
      { info: { window: 200_000 }, work: working(20, refusal) },
      { sections },
    );
    for (const turn of ['one', 'two', 'three']) await session.say(turn);
    expect(session.events.filter(({ type }) => type === 'turn_ended')).toEqual([
      { type: 'turn_ended', end: 'done' },
      { type: 'turn_ended', end: 'done' },
      { type: 'turn_ended', end: 'done' },
    ]);
    expect(tokensIn(session.model.work.at(-1)!)).toBeGreaterThan(20_000);
  });
});

describe('P11: a refusal that no smaller request can satisfy', () => {
  const words = 'upstream: input is too long for this route (policy 77)';

  it('is folded at most twice; far below what was accepted before it is not folded at all, and its words are shown', async () => {
    const refusal = (call: number) => (call > 10 ? tooLong(words) : undefined);
    const session = await engineSession({ info: { window: 200_000 }, work: working(20, refusal) });
    await session.say('one');
    const folds = ofKind(session.entries(), 'compaction').length;
    expect(folds).toBeLessThanOrEqual(2);
    await session.say('two');
    expect(ofKind(session.entries(), 'compaction')).toHaveLength(folds);
    expect(lastEnd(session.events)).toMatchObject({ end: 'failed', error: { code: 'too_long' } });
    expect(JSON.stringify(lastEnd(session.events))).toContain('policy 77');
    expect(JSON.stringify(ofKind(session.entries(), 'note'))).toContain('policy 77');
  });

  it('where nothing can be left out, the list of what fills the window comes with its words', async () => {
    const session = await engineSession({ work: () => tooLong(words) });
    await session.say('one');
    expect(lastEnd(session.events)).toMatchObject({ error: { code: 'context_full' } });
    expect(JSON.stringify(lastEnd(session.events))).toContain(`The server said: ${words}`);
  });
});
