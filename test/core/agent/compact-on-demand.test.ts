import { expect, it } from 'vitest';
import { SUMMARY_SECTIONS } from '../../../src/core/context/summary-prompt.ts';
import type { ModelEvent } from '../../../src/core/model/request.ts';
import { text } from '../../support/builders/entries.ts';
import { hangAfter, scriptedModel } from '../../support/scripted-model.ts';
import type { Script } from '../../support/scripted-model.ts';
import { testSession, waitFor } from '../../support/test-session.ts';

const long: Script = { blocks: [text('The tide comes and goes. '.repeat(500))] };
const summary = text(SUMMARY_SECTIONS.map((title) => `## ${title}\n- none`).join('\n\n'));

/** A conversation that is worth a compaction, and what the model says next. */
async function longSession(...next: readonly Script[]) {
  const model = scriptedModel([long, long, long, long, ...next], { window: 40_000 });
  const bench = await testSession({ model });
  for (const words of ['One.', 'Two.', 'Three.', 'Four.']) await bench.say(words);
  return bench;
}

it('Stop ends a compaction between turns: cancelled, and nothing has failed', async () => {
  const { session, events } = await longSession(hangAfter('## Goal'));
  const compacting = session.compact();
  await waitFor(() => events.some(({ type }) => type === 'relief_started'));
  await session.stop();
  await compacting;
  expect(session.isRunning).toBe(false);
  expect(events.filter(({ type }) => type === 'relief_ended')).toMatchObject([{ outcome: 'cancelled' }]);
  expect(events.at(-1)).toEqual({ type: 'turn_ended', end: 'stopped' });
});

it('a compaction that is asked for while the last answer comes is made when the turn is over', async () => {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  async function* slowly(): AsyncGenerator<ModelEvent> {
    yield { type: 'text_delta', text: 'Fi' };
    await finished;
    const message = {
      id: 'm',
      model: 'test-model',
      blocks: [text('Fine.')],
      stopReason: 'end_turn',
    } as const;
    yield { type: 'message', message };
  }
  const { session, events, ended } = await longSession(slowly, { blocks: [summary] });
  await session.send('Five.');
  await waitFor(() => events.some((event) => event.type === 'text_delta' && event.text === 'Fi'));
  await session.compact('the tide');
  expect(events.at(-1)).toEqual({ type: 'compaction_queued', focus: 'the tide' });
  finish();
  await ended();
  const told = events.map(({ type }) => type);
  const begins = told.indexOf('relief_started');
  expect(told.indexOf('compaction_unqueued')).toBe(begins - 1);
  const compaction = session.entries.find(({ kind }) => kind === 'compaction');
  expect(compaction).toMatchObject({ trigger: 'asked', focus: 'the tide' });
});

it('a compaction that was taken back is not made', async () => {
  const { session, events, ended } = await longSession(hangAfter('Fi'), { blocks: [text('Six.')] });
  await session.send('Five.');
  await waitFor(() => events.some((event) => event.type === 'text_delta' && event.text === 'Fi'));
  await session.compact();
  session.withdrawCompaction();
  session.withdrawCompaction();
  expect(events.filter(({ type }) => type === 'compaction_unqueued')).toHaveLength(1);
  await session.stop();
  await session.send('Six.');
  await ended();
  expect(session.entries.some(({ kind }) => kind === 'compaction')).toBe(false);
});

it('what Stop has ended is not compacted later, though it was asked for', async () => {
  const { session, events, ended } = await longSession(hangAfter('Fi'), { blocks: [text('Six.')] });
  await session.send('Five.');
  await waitFor(() => events.some((event) => event.type === 'text_delta' && event.text === 'Fi'));
  await session.compact();
  await session.stop();
  await session.send('Six.');
  await ended();
  expect(session.entries.some(({ kind }) => kind === 'compaction')).toBe(false);
  expect(session.entries.findLast(({ kind }) => kind === 'assistant')).toMatchObject({
    blocks: [text('Six.')],
  });
});
