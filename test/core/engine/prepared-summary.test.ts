import { describe, expect, it } from 'vitest';
import { SummaryDesk } from '../../../src/core/agent/summary-desk.ts';
import type { SummaryOutcome } from '../../../src/core/agent/summary-outcome.ts';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import { cutFor } from '../../../src/core/context/cut.ts';
import type { EntryDraft } from '../../../src/core/model/entry.ts';
import type { ModelCallEvent } from '../../../src/core/model/event.ts';
import type { ModelInfo } from '../../../src/core/model/request.ts';
import { engineSession, lastEnd, ofKind, rounds } from '../../support/builders/engine-session.ts';
import {
  assistant,
  compaction,
  eviction,
  logOf,
  MODEL,
  pin,
  prompt,
  PROVIDER,
  result,
  rewind,
  text,
  toolUse,
  undo,
  user,
} from '../../support/builders/entries.ts';
import { textIn } from '../../support/builders/request-text.ts';
import { summaryText } from '../../support/builders/summary.ts';

/** A log with one compaction (e6) behind which there is something to summarise. */
const LOG: readonly EntryDraft[] = [
  prompt(),
  user('first words'),
  assistant(text('One.')),
  user('second'),
  assistant(text('Two.')),
  compaction('e3'),
  prompt(),
  user('third'),
  assistant(toolUse('a')),
  result('a'),
  assistant(text('Three.')),
];
const INFO = { id: 'm', displayName: 'M', provider: 'anthropic', thinking: 'none' } as const;
const info: ModelInfo = { id: MODEL, displayName: 'Test', provider: PROVIDER, thinking: 'none' };
const WRITTEN: SummaryOutcome = { kind: 'written', summary: [], model: 'm' };

/** A desk on which a summary of `LOG` was prepared. */
async function prepared() {
  const desk = new SummaryDesk();
  const entries = logOf(...LOG);
  const conversation = conversationOf(entries);
  const cut = cutFor(conversation.spoken, { weigh: () => 1, tail: 0, rounds: 0 })!;
  let signal: AbortSignal | undefined;
  const write = (given: AbortSignal) => {
    signal = given;
    return nothingToTell();
  };
  await desk.prepare({ cut, conversation, info: INFO, write });
  const find = (...more: readonly EntryDraft[]) =>
    desk.find(conversationOf([...entries, ...logOf(...LOG, ...more).slice(LOG.length)]), INFO);
  const findFor = (id: string) => desk.find(conversation, { ...info, id });
  return { find, findFor, isAborted: () => signal?.aborted };
}

async function* nothingToTell(): AsyncGenerator<ModelCallEvent, SummaryOutcome> {
  yield* [];
  return Promise.resolve(WRITTEN);
}

describe('a prepared summary', () => {
  it('serves as long as the conversation only grows, or something is held in it', async () => {
    const { find, isAborted } = await prepared();
    expect(find()?.ready).toEqual(WRITTEN);
    expect(find(pin('e10'), user('more'), assistant(text('yes')))?.ready).toEqual(WRITTEN);
    expect(isAborted()).toBe(false);
  });

  it.each<[string, EntryDraft]>([
    ['an undo of the compaction before it', undo('e6')],
    ['a rewind to what it covers', rewind('e8')],
    ['a rewind behind what it covers', rewind('e10')],
    ['another compaction', compaction('e10')],
    ['an eviction', eviction({ entryId: 'e10', reason: 'large' })],
    ['a new prompt', prompt('Another.')],
  ])('is discarded, and its writing ended, after %s', async (_, draft) => {
    const { find, isAborted } = await prepared();
    expect(find(draft)).toBeUndefined();
    expect(isAborted()).toBe(true);
    expect(find()).toBeUndefined();
  });

  it('is discarded where another model does the work now', async () => {
    const { find, findFor, isAborted } = await prepared();
    expect(findFor('another')).toBeUndefined();
    expect(isAborted()).toBe(true);
    expect(find()).toBeUndefined();
  });

  it('is not used after an undo, also where it is ready and there is no time for another', async () => {
    let isLate = false;
    const { model, session, entries, events, say } = await engineSession({
      info: { window: 40_000 },
      work: (request, call) => {
        const made = ofKind(entries(), 'compaction').length;
        // Ends the turn as soon as the second summary has been prepared.
        if (!isLate && made === 1 && model.summaries.length === 2) return { blocks: [text('Paused.')] };
        return rounds(40, (round) => `f${round}:1500`)(request, call);
      },
      summary: () => ({ blocks: [text(summaryText({ Progress: `summary ${model.summaries.length}` }))] }),
    });
    await say('the very first words');
    const [made, ...others] = ofKind(entries(), 'compaction');
    expect(others).toEqual([]);
    expect(model.summaries).toHaveLength(2);
    isLate = true;
    await session.undo(made!.id);
    const before = entries().length;
    await say('and now go on');
    const after = ofKind(entries().slice(before), 'compaction');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    expect(after.length).toBeGreaterThan(0);
    expect(JSON.stringify(after)).not.toContain('summary 2');
    for (const request of model.work.slice(-5)) expect(textIn(request)).toContain('the very first words');
  });
});

describe('a summary that fails in the background', () => {
  /** A desk on which one has failed in round 10. */
  async function failedIn(round: number) {
    const desk = new SummaryDesk();
    const conversation = { ...conversationOf(logOf(...LOG)), rounds: round };
    const cut = cutFor(conversation.spoken, { weigh: () => 1, tail: 0, rounds: 0 })!;
    const write = async function* (): AsyncGenerator<ModelCallEvent, SummaryOutcome> {
      yield* [];
      return Promise.resolve({ kind: 'failed', reason: 'no words' });
    };
    await desk.prepare({ cut, conversation, info: INFO, write });
    return { desk, found: desk.find(conversation, INFO) };
  }

  it('is not there, and is tried again after two rounds; a rewind or a compaction forgets it', async () => {
    const { desk, found } = await failedIn(10);
    expect(found).toBeUndefined();
    for (const round of [10, 11]) expect(desk.recentFailure(round)).toMatchObject({ reason: 'no words' });
    for (const round of [9, 12, 40]) expect(desk.recentFailure(round)).toBeUndefined();
    desk.done();
    expect(desk.recentFailure(11)).toBeUndefined();
  });

  it('ends quietly as failed, never as prepared, and not every round pays for it again', async () => {
    const isNear = () => model.summaries.length > 0;
    const { model, events, entries, say } = await engineSession(
      {
        info: { window: 40_000 },
        // as fast as it goes to just before the line, then step by step
        work: (request, call) => rounds(60, (round) => `f${round}:${isNear() ? 10 : 1_500}`)(request, call),
        summary: () => ({ blocks: [text('no')] }),
      },
      { rules: { prepareAt: 0.3 } },
    );
    await say('go on');
    const ends = events.filter(({ type }) => type === 'relief_ended');
    expect(ends.length).toBeGreaterThan(1);
    expect(new Set(ends.map((end) => JSON.stringify(end)))).toEqual(
      new Set([JSON.stringify({ type: 'relief_ended', outcome: 'failed', isWaitedFor: false })]),
    );
    const asked = model.summaries.map((request) => model.requests.indexOf(request));
    for (const [index, at] of asked.entries())
      if (index > 0) expect(at - asked[index - 1]!).toBeGreaterThan(2);
    expect(ofKind(entries(), 'note')).toEqual([]);
  });
});

describe('an undo during a call', () => {
  it('leaves the estimate of the next request as the load, not what the call was billed', async () => {
    let undo: () => Promise<unknown> = () => Promise.resolve();
    const { session, events, entries, say } = await engineSession({
      info: { window: 40_000 },
      work: async (request, call) => {
        if (call === 21) await undo();
        return rounds(20, (round) => `f${round}:2000`)(request, call);
      },
    });
    undo = () => session.undo(ofKind(entries(), 'compaction').at(-1)!.id);
    await say('read them');
    const [undone] = ofKind(entries(), 'undo');
    const last = events.findLast((event) => 'ledger' in event);
    expect(undone).toBeDefined();
    expect(last).toMatchObject({ type: 'load_estimated', ledger: { phase: 'estimate' } });
  });
});
