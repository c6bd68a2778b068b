import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import { ModelError } from '../../../src/core/model/errors.ts';
import type { EntryDraft } from '../../../src/core/model/entry.ts';
import { engineSession, lastEnd, ofKind, prose, rounds } from '../../support/builders/engine-session.ts';
import { text, thinking, toolUse } from '../../support/builders/entries.ts';
import { extendsRequest, textIn, tokensIn } from '../../support/builders/request-text.ts';
import { summaryText } from '../../support/builders/summary.ts';
import { workingModel } from '../../support/builders/working-model.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { MemoryLogStore } from '../../support/memory-log-store.ts';
import { Transcript } from '../../../src/core/sessions/transcript.ts';

const SMALL = { window: 40_000 };
const reads = (count: number, tokens = 1_500) => rounds(count, (round) => `f${round}:${tokens}`);
const usage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 1 };

describe('a small window', () => {
  it('C1: 8k and 30k of history: no request is larger than the window, and the session lives on', async () => {
    const { model, events, say } = await engineSession({
      info: { window: 8_000 },
      work: rounds(25, (round) => `f${round}:550`),
    });
    await say('go');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    for (const request of model.requests)
      expect(tokensIn(request) + request.maxTokens).toBeLessThanOrEqual(8_000);
  });

  it('C2: a floor over the trigger: one attempt at most, then it is told once what fills the window', async () => {
    const { model, entries, say } = await engineSession(
      { info: { window: 32_768 }, work: () => ({ blocks: [text('ok')] }) },
      { sections: () => Promise.resolve([{ name: 'base', text: prose(21_000) }]) },
    );
    for (let turn = 0; turn < 6; turn += 1) await say(`hello ${turn}`);
    expect(model.summaries.length).toBeLessThanOrEqual(1);
    const told = ofKind(entries(), 'note').filter(({ relief }) => relief === 'skipped');
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toContain('base');
  });
});

describe('a bad summary', () => {
  it.each<[string, object]>([
    ['empty', { blocks: [] }],
    ['blank', { blocks: [text(' \n')] }],
    ['only thinking', { blocks: [thinking('I should summarise')] }],
    ['a tool call', { blocks: [text(summaryText()), toolUse('x')], stopReason: 'tool_use' }],
    ['half a sentence', { blocks: [text(summaryText())], stopReason: 'max_tokens' }],
    ['a refusal', { blocks: [text(summaryText())], stopReason: 'refusal' }],
    ['a network error', new ModelError('connection', 'reset')],
    ['larger than what it replaces', { blocks: [text(summaryText({ Files: prose(30_000) }))] }],
    ['without its sections', { blocks: [text('## Goal\n- we talked')] }],
  ])(
    'C6: %s is not taken: the history stands until code folds it, and a person is told',
    async (_, summary) => {
      const { model, entries, events, say } = await engineSession({
        info: SMALL,
        work: reads(14),
        summary: () => summary,
      });
      await say('the goal');
      expect(lastEnd(events)).toMatchObject({ end: 'done' });
      const made = ofKind(entries(), 'compaction');
      expect(made.map(({ method }) => method)).toEqual(made.map(() => 'fold'));
      expect(made.length).toBeGreaterThan(0);
      expect(ofKind(entries(), 'note').some(({ relief }) => relief === 'failed')).toBe(true);
      expect(textIn(model.work.at(-1)!)).toContain('the goal');
    },
  );

  it('C29: its rate limit is waited for as long as the server asks, and told', async () => {
    let left = 3;
    const { entries, events, clock, say } = await engineSession(
      {
        info: SMALL,
        work: reads(14),
        summary: () =>
          left-- > 0
            ? new ModelError('rate_limit', 'slow down', { retryAfterMs: 30_000 })
            : { blocks: [text(summaryText())] },
      },
      { rules: { prepareAt: null } },
    );
    await say('go');
    expect(clock.slept.filter((ms) => ms === 30_000)).toHaveLength(3);
    expect(events.filter(({ type }) => type === 'retry_scheduled')).toHaveLength(3);
    expect(ofKind(entries(), 'compaction')[0]?.method).toBe('summary');
  });
});

describe('what code carries', () => {
  it('C7: goal, latest request and rules are in view, whatever the summary leaves out', async () => {
    const { model, say } = await engineSession({
      info: SMALL,
      work: (_, call) => ({ blocks: [text(prose(900, `${call}`))] }),
    });
    await say('do T1');
    for (let turn = 2; turn < 30; turn += 1) await say(`question ${turn}`);
    await say('drop T1, only T2, never touch db.sqlite, use httpie');
    for (let turn = 31; turn <= 60; turn += 1) await say(`question ${turn}`);
    expect(model.summaries.length).toBeGreaterThan(0);
    const sent = textIn(model.work.at(-1)!);
    expect(sent).toContain('do T1');
    expect(sent).toContain('drop T1, only T2, never touch db.sqlite, use httpie');
    expect(sent).toContain('question 60');
  });

  it('C10: what is typed while a summary is waited for is said once each, in order', async () => {
    const session = await engineSession(
      {
        info: SMALL,
        work: reads(14),
        summary: async () => {
          await session.session.send('probe-1');
          await session.session.send('probe-2');
          return { blocks: [text(summaryText())] };
        },
      },
      { rules: { prepareAt: null } },
    );
    await session.say('go');
    await session.ended();
    const said = ofKind(session.entries(), 'user').map((entry) => entry.text);
    expect(said.filter((words) => words.startsWith('probe'))).toEqual([
      'probe-1',
      'probe-2',
      ...said.filter((words) => words.startsWith('probe')).slice(2),
    ]);
    expect(textIn(session.model.work.at(-1)!)).toMatch(/probe-1.*probe-2/);
  });

  it('holds a pinned result through three compactions, and takes a person’s focus into the prompt', async () => {
    const held = await engineSession({
      info: SMALL,
      work: async (request, call) => {
        if (call === 3) await held.session.pin(ofKind(held.entries(), 'tool_result')[0]!.id, true);
        return reads(45)(request, call);
      },
    });
    const { model, session, entries, say } = held;
    await say('go');
    expect(ofKind(entries(), 'compaction').length).toBeGreaterThanOrEqual(3);
    expect(textIn(model.work.at(-1)!)).toContain('f1 says');
    await session.compact('the tide table');
    expect(JSON.stringify(model.summaries.at(-1)?.messages.at(-1))).toContain('the tide table');
    expect(conversationOf(entries()).pinned.size).toBe(1);
  });
});

describe('a log that is opened again', () => {
  it('C18, C27: gives the very request it would have given without the restart', async () => {
    const store = new MemoryLogStore();
    const { model, say } = await engineSession({ info: SMALL, work: reads(20) }, { store });
    await say('go');
    const again = await engineSession(
      workingModel({ info: SMALL, work: () => ({ blocks: [text('ok')], usage }) }),
      { store },
    );
    await again.say('and now?');
    await say('and now?');
    expect(JSON.stringify(again.model.work[0]?.messages)).toBe(JSON.stringify(model.work.at(-1)?.messages));
  });
});

describe('between planned breaks', () => {
  it('T11, C25, T2: every request begins with the one before, byte for byte; only reliefs break it', async () => {
    for (const bills of [true, false])
      for (const systemMessages of [true, false]) {
        const store = new MemoryLogStore();
        const { model, session, clock, entries, say } = await engineSession(
          { info: { ...SMALL, traits: { systemMessages } }, bills, work: reads(22) },
          {
            store,
            sections: () =>
              Promise.resolve([
                { name: 'base', text: 'You are a test.' },
                { name: 'environment', text: `Today is ${clock.now().toISOString().slice(0, 10)}` },
              ]),
          },
        );
        await say('go');
        clock.set('2026-03-02T00:00:01.000Z');
        await say('after midnight');
        await say('and again');
        expect(textIn(model.work.at(-1)!)).toContain('Today is 2026-03-02');
        const broken = model.work.flatMap((request, index) => {
          const before = model.work[index - 1];
          return before === undefined || extendsRequest(before, request) ? [] : [index];
        });
        expect(broken).toHaveLength(ofKind(entries(), 'compaction').length);
        expect(broken.length).toBeGreaterThan(0);
        expect(session.isRunning).toBe(false);
      }
  });

  it('T12: thinking is never sent behind another conversation than its own', async () => {
    const { model, session, entries, events, say } = await engineSession({
      info: { ...SMALL, thinking: 'adaptive', traits: { bindsThinking: true, systemMessages: true } },
      work: (request, call) => {
        const answer = reads(25)(request, call);
        return { ...answer, blocks: [thinking(`thought ${call}`, `sig-${call}`), ...(answer.blocks ?? [])] };
      },
    });
    await say('go');
    const made = ofKind(entries(), 'compaction');
    expect(made.length).toBeGreaterThan(0);
    await session.undo(made.at(-1)!.id);
    await say('go on');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    expect(events.some((event) => event.type === 'stream_discarded')).toBe(false);
    expect(model.work.some((request) => textIn(request).includes('thought'))).toBe(true);
  });
});

describe('going back', () => {
  it('C8: an undone compaction, and a rewind behind one, show the originals exactly', async () => {
    const store = new MemoryLogStore();
    const { session, entries, say } = await engineSession({ info: SMALL, work: reads(20) }, { store });
    await say('go');
    const [made] = ofKind(entries(), 'compaction');
    const before = entries().filter(({ id }) => Number(id.slice(1)) < Number(made!.id.slice(1)));
    const { transcript } = await Transcript.open('s', { store, clock: fixedClock() });
    const back: EntryDraft = { kind: 'rewind', to: before.at(-1)!.id };
    await transcript.append(back);
    expect(conversationOf(transcript.entries).spoken).toEqual(conversationOf([...before]).spoken);
    for (const { id } of ofKind(entries(), 'compaction').toReversed()) await session.undo(id);
    expect(conversationOf(entries()).spoken.map(({ id }) => id)).toEqual(
      entries()
        .filter(({ kind }) => ['user', 'assistant', 'tool_result'].includes(kind))
        .map(({ id }) => id),
    );
  });
});
