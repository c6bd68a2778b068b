import { describe, expect, it } from 'vitest';
import { budgetFor } from '../../../src/core/context/budget.ts';
import { ModelError } from '../../../src/core/model/errors.ts';
import type { Entry, EntryId } from '../../../src/core/model/entry.ts';
import type { AgentEvent } from '../../../src/core/model/event.ts';
import type { Settings } from '../../../src/core/model/settings.ts';
import { DEFAULT_CONTEXT } from '../../../src/core/model/settings.ts';
import {
  engineSession,
  lastEnd,
  looking,
  ofKind,
  prose,
  rounds,
} from '../../support/builders/engine-session.ts';
import { assistant, logOf, result, text, toolUse, user } from '../../support/builders/entries.ts';
import { textIn, tokensIn } from '../../support/builders/request-text.ts';
import { workingModel } from '../../support/builders/working-model.ts';
import { MemoryLogStore } from '../../support/memory-log-store.ts';
import { HEADER, waitFor } from '../../support/test-session.ts';
import { hang, testTool } from '../../support/test-tools.ts';

const OFF = { evictAt: null, prepareAt: null, compactAt: null, foldAt: null };
const kindOf = (entries: readonly Entry[], id: EntryId) => entries.find((entry) => entry.id === id)?.kind;
const loadsOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'request_prepared' ? [event.ledger] : []));

describe('calls and their results', () => {
  it('C3: a call that died open is answered on opening; the request, and the compaction after it, are valid', async () => {
    const store = new MemoryLogStore();
    const slow = testTool('slow', 'command', (_, signal) => hang(signal));
    const look = testTool('look', 'read', () => Promise.resolve(prose(1_500)));
    const dying = await engineSession(
      {
        work: () => ({
          blocks: [looking('a', 'x'), toolUse('b', { path: 'y' }, 'slow')],
          stopReason: 'tool_use',
        }),
      },
      { store, tools: [look, slow], settings: { approvalMode: 'auto' } },
    );
    await dying.session.send('go');
    await waitFor(() => ofKind(dying.entries(), 'tool_result').length === 1);
    await waitFor(() => ofKind(dying.entries(), 'tool_intent').length === 2);
    const answers = () => ({ blocks: [text(prose(2_500))] });
    const again = await engineSession({ info: { window: 40_000 }, work: answers }, { store });
    expect(ofKind(again.entries(), 'tool_result').at(-1)).toMatchObject({ status: 'interrupted' });
    for (const words of ['go on', 'and on', 'and on', 'and on']) await again.say(words);
    await again.session.compact();
    await again.say('and on');
    const ends = again.events.filter(({ type }) => type === 'turn_ended');
    expect(ends).toEqual(ends.map(() => ({ type: 'turn_ended', end: 'done' })));
    expect(ofKind(again.entries(), 'compaction')).toHaveLength(1);
    expect(textIn(again.model.work.at(-1)!)).toContain('interrupted');
  });

  it.each(['summarize', 'fold', 'slidingWindow'] as const)(
    'C4: three parallel calls are one atom with their results for every cut, by the strategy %s',
    async (strategy) => {
      const { entries, events, say } = await engineSession(
        {
          info: { window: 30_000 },
          work: (_, call) =>
            call <= 30
              ? {
                  blocks: [1, 2, 3].map((part) => looking(`c${call}.${part}`, `f${call}-${part}:500`)),
                  stopReason: 'tool_use',
                }
              : { blocks: [text('Done.')] },
        },
        { rules: { strategy } },
      );
      await say('go');
      expect(lastEnd(events)).toMatchObject({ end: 'done' }); // the model refuses torn pairs
      const made = ofKind(entries(), 'compaction');
      expect(made.length).toBeGreaterThan(1);
      for (const { through } of made) {
        const rest = entries().slice(entries().findIndex(({ id }) => id === through) + 1);
        expect(kindOf(entries(), through)).not.toBe('assistant');
        expect(rest.find(({ kind }) => ['tool_result', 'assistant', 'user'].includes(kind))?.kind).toBe(
          'assistant',
        );
      }
    },
  );
});

describe('results larger than the window', () => {
  it('C11: a result of 250k tokens and a 413 are got over without any summary, and the session lives on', async () => {
    const store = new MemoryLogStore();
    // Of a log from before outputs went into files.
    const log = logOf(
      { kind: 'session', version: 1, sessionId: 's', ...HEADER },
      user('read the big one'),
      assistant(looking('big', 'big')),
      result('big', prose(250_000)),
      assistant(text('Read.')),
    );
    store.lines('s').push(...log.map((entry) => JSON.stringify(entry)));
    const { model, entries, events, say } = await engineSession(
      {
        info: { window: 400_000 },
        bills: false,
        work: (request) =>
          tokensIn(request) > 100_000
            ? new ModelError('too_long', 'Request Entity Too Large', { status: 413 })
            : { blocks: [text('Fine.')] },
        summary: () => new Error('nobody is there to summarise'),
      },
      { store },
    );
    await say('and now?');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    expect(model.summaries).toEqual([]);
    expect(ofKind(entries(), 'tool_result')[0]?.content[0]).toMatchObject({
      text: expect.stringMatching(/.{1000000}/s) as string,
    });
    const last = textIn(model.work.at(-1)!);
    expect(last).toContain('read the big one');
    expect(last).toMatch(/recall/);
  });

  it('C14: one turn with thirty calls of 10k tokens in a window of 100k: every single request fits', async () => {
    const { model, events, say } = await engineSession({
      info: { window: 100_000 },
      work: rounds(30, (round) => `f${round}:10000`),
    });
    await say('go');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    expect(model.work).toHaveLength(31); // nothing was refused
    for (const request of model.requests)
      expect(tokensIn(request) + request.maxTokens).toBeLessThanOrEqual(100_000);
  });
});

describe('one number', () => {
  const shared: Partial<Settings> = { maxOutputTokens: 32_000 };

  it('C20: input and output share 131,072: what may be written is clamped to what is left', async () => {
    const { model, events, say } = await engineSession(
      { info: { window: 131_072 }, work: () => ({ blocks: [text('ok')] }) },
      { settings: shared, rules: OFF },
    );
    await say('short');
    await say(prose(66_000));
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    const [small, large] = model.work;
    expect(small?.maxTokens).toBe(32_000);
    expect(tokensIn(large!)).toBeGreaterThan(95_000);
    expect(large?.maxTokens).toBeLessThan(32_000);
    expect(tokensIn(large!) + large!.maxTokens).toBeLessThanOrEqual(131_072);
  });

  it('C20: meter, trigger and request go by the same budget', async () => {
    const { model, events, entries, say } = await engineSession(
      { info: { window: 131_072 }, work: rounds(24, (round) => `f${round}:6000`) },
      { settings: shared },
    );
    await say('go');
    const info = await model.resolve('', new AbortController().signal);
    const context = { ...DEFAULT_CONTEXT, evictAt: null };
    const settings = {
      model: '',
      approvalMode: 'ask',
      maxRounds: 1,
      context,
      maxOutputTokens: 32_000,
    } as const;
    const budget = budgetFor(info, settings);
    expect(loadsOf(events).length).toBeGreaterThan(20);
    for (const ledger of loadsOf(events)) expect(ledger.budget).toEqual(budget);
    for (const { budget: logged } of ofKind(entries(), 'usage')) expect(logged).toEqual(budget);
    const made = ofKind(entries(), 'compaction');
    expect(made.length).toBeGreaterThan(0);
    for (const { before } of made) expect(before).toBeGreaterThanOrEqual(0.8 * budget.tokens!);
  });

  it('T1: trigger, meter and what is remembered read one ledger, whose parts sum to its total', async () => {
    const { model, session, events, entries, say } = await engineSession({
      info: { window: 40_000 },
      work: rounds(30, (round) => `f${round}:1500`),
    });
    await say('go');
    const ledgers = events.flatMap((event) =>
      event.type === 'request_prepared' || event.type === 'usage_reported' ? [event.ledger] : [],
    );
    for (const { items, total } of ledgers)
      expect(items.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(total);
    const billed = events.flatMap((event) => (event.type === 'usage_reported' ? [event.ledger.total] : []));
    expect(billed).toEqual(model.work.map(tokensIn));
    const begun = events.flatMap((event) => (event.type === 'relief_started' ? [event.before] : []));
    expect(begun.length).toBeGreaterThan(0);
    for (const { total, phase } of loadsOf(events)) {
      expect(phase).toBe('estimate');
      expect(total).toBeLessThan(0.95 * 40_000);
    }
    expect(session.lastLedger()?.total).toBe(billed.at(-1));
    expect(ofKind(entries(), 'compaction').length).toBeGreaterThan(0);
  });

  it('T4: a model without limits is never relieved on a guess, and takes its limit from the first refusal', async () => {
    const port = workingModel({ limit: 30_000, work: rounds(40, (round) => `f${round}:1500`) });
    const resolve = async (id: string) => {
      const { window: _, ...info } = await port.resolve(id, new AbortController().signal);
      return { ...info, id: 'some-model[1m]' };
    };
    const { events, entries, say } = await engineSession({ ...port, resolve });
    await say('go');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    const [first] = loadsOf(events);
    expect(first?.budget).not.toHaveProperty('window');
    expect(first?.budget).not.toHaveProperty('tokens');
    const [made, ...later] = ofKind(entries(), 'compaction');
    expect(made?.trigger).toBe('too_long');
    expect(later.length).toBeGreaterThan(0);
    for (const { trigger } of later) expect(trigger).toBe('line');
    expect(loadsOf(events).at(-1)?.budget.window).toBe(30_000);
  });
});

describe('what was evicted', () => {
  it('C23: leaves references that name tool, path, size and the way back, in place of every text', async () => {
    const { model, entries, say } = await engineSession(
      { info: { window: 100_000 }, work: rounds(20, (round) => `f${round}:5000`) },
      { rules: { evictAt: 0.6, prepareAt: null, compactAt: null } },
    );
    await say('go');
    const items = ofKind(entries(), 'eviction').flatMap((made) => made.items);
    expect(items.length).toBeGreaterThanOrEqual(6);
    const sent = textIn(model.work.at(-1)!);
    for (const { entryId } of items) {
      const { target, content } = ofKind(entries(), 'tool_result').find(({ id }) => id === entryId)!;
      const size = (content[0] as { text: string }).text.length.toLocaleString('en-US');
      expect(sent).toContain(`look ${target}, ${size} characters. Nothing is lost: recall with entry`);
      expect(sent).not.toContain(`${target.split(':')[0]} says: `);
    }
  });
});

describe('a message larger than the window', () => {
  it('C1: is refused with what fills the window, and the next message is answered all the same', async () => {
    const { model, entries, events, say } = await engineSession({
      info: { window: 20_000 },
      work: () => ({ blocks: [text('Here I am.')] }),
    });
    await say(`Never touch db.sqlite. ${prose(40_000)}`);
    expect(lastEnd(events)).toMatchObject({ end: 'failed', error: { code: 'context_full' } });
    expect(model.work).toHaveLength(0);
    await say('A short question.');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    const sent = textIn(model.work.at(-1)!);
    expect(sent).toContain('A short question.');
    expect(sent).toContain('Never touch db.sqlite.');
    expect(ofKind(entries(), 'user')[0]?.text).toContain('Never touch db.sqlite.');
  });
});
