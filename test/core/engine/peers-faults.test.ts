import { describe, expect, it } from 'vitest';
import { budgetFor } from '../../../src/core/context/budget.ts';
import { ModelError } from '../../../src/core/model/errors.ts';
import { DEFAULT_CONTEXT } from '../../../src/core/model/settings.ts';
import { text } from '../../support/builders/entries.ts';
import {
  engineSession,
  lastEnd,
  looking,
  ofKind,
  prose,
  rounds,
} from '../../support/builders/engine-session.ts';
import { isSummaryCall, textIn, tokensIn } from '../../support/builders/request-text.ts';
import { summaryText } from '../../support/builders/summary.ts';

/** What other agents do wrong, each impossible here. */
describe('not here:', () => {
  it('a second compaction that loses the tail which the first one kept', async () => {
    const { model, entries, say } = await engineSession({
      info: { window: 30_000 },
      work: rounds(40, (round) => `f${round}:1500`),
    });
    await say('go through the files');
    const compactions = ofKind(entries(), 'compaction');
    expect(compactions.length).toBeGreaterThan(1);
    const facts = compactions.at(-1)!.facts.steps.map(({ entryId }) => entryId);
    const covered = ofKind(entries(), 'assistant').filter(
      ({ id }) => Number(id.slice(1)) <= Number(compactions.at(-1)!.through.slice(1)),
    );
    expect(facts).toEqual(covered.map(({ id }) => id));
    expect(textIn(model.work.at(-1)!)).toContain('Step 40.');
  });

  it('one prompt with a hundred tool rounds that cannot be compacted', async () => {
    const { model, entries, events, say } = await engineSession({
      info: { window: 40_000 },
      work: rounds(100, (round) => `f${round}:1200`),
    });
    await say('do all of it');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    expect(model.work).toHaveLength(101);
    expect(ofKind(entries(), 'compaction').length).toBeGreaterThan(2);
    for (const request of model.work) expect(textIn(request)).toContain('do all of it');
  });

  it('a summary for every turn', async () => {
    const { model, say } = await engineSession({
      info: { window: 40_000 },
      work: rounds(60, (round) => `f${round}:1500`),
    });
    await say('go');
    expect(model.summaries.length).toBeGreaterThan(0);
    expect(model.summaries.length).toBeLessThan(model.work.length / 6);
  });

  it('a summary that fails and is paid for again with every request', async () => {
    for (const bills of [true, false]) {
      const { model, say } = await engineSession({
        info: { window: 40_000 },
        bills,
        work: rounds(40, (round) => `f${round}:1500`),
        summary: () => ({ blocks: [text('no')] }),
      });
      await say('go');
      expect(model.summaries.length).toBeGreaterThan(0);
      expect(model.summaries.length).toBeLessThan(8);
    }
  });

  it('two budgets that disagree: meter, trigger and max_tokens come from one', async () => {
    const { model, events, entries, say } = await engineSession(
      { info: { window: 50_000, maxOutput: 9_000 }, work: rounds(30, (round) => `f${round}:2000`) },
      { settings: { maxOutputTokens: 32_000 } },
    );
    await say('go');
    const settings = {
      model: '',
      maxOutputTokens: 32_000,
      approvalMode: 'ask',
      maxRounds: 1,
      context: { ...DEFAULT_CONTEXT, evictAt: null },
    } as const;
    const info = await model.resolve('', new AbortController().signal);
    const budget = budgetFor(info, settings);
    for (const request of model.work) expect(request.maxTokens).toBe(budget.reservedOutput);
    for (const event of events)
      if (event.type === 'request_prepared') expect(event.ledger.budget).toEqual(budget);
    for (const { before } of ofKind(entries(), 'compaction'))
      expect(before).toBeGreaterThanOrEqual(0.8 * budget.tokens!);
  });

  it('a retry that makes room twice for one refusal', async () => {
    let refusals = 0;
    const { entries, events, say } = await engineSession({
      info: { window: 100_000 },
      work: (request, call) => {
        if (call === 8 && refusals++ === 0)
          return new ModelError('too_long', 'prompt is too long', { status: 400 });
        return rounds(8, (round) => `f${round}:8000`)(request, call);
      },
    });
    await say('go');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    expect(ofKind(entries(), 'compaction').filter(({ trigger }) => trigger === 'too_long')).toHaveLength(1);
  });

  it.each([
    ['an error text', new Error('Error generating summary: boom')],
    ['an error text as the reply', { blocks: [text('Error generating summary: 500')] }],
    ['an empty reply', { blocks: [] }],
  ])('%s becoming the history', async (_, summary) => {
    const { model, entries, events, say } = await engineSession({
      info: { window: 40_000 },
      work: rounds(30, (round) => `f${round}:1500`),
      summary: () => summary,
    });
    await say('keep my words');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    const made = ofKind(entries(), 'compaction');
    expect(made.length).toBeGreaterThan(0);
    for (const { method, summary: sections } of made) expect([method, sections]).toEqual(['fold', []]);
    expect(textIn(model.work.at(-1)!)).not.toContain('Error generating');
    expect(textIn(model.work.at(-1)!)).toContain('keep my words');
  });

  it('code with $& in it that expands inside a summary or its prompt', async () => {
    const code = 'x.replace(/a/g, "$&$`$\'$1")';
    const { model, entries, say } = await engineSession(
      {
        info: { window: 40_000 },
        others: { small: { window: 20_000 } },
        work: rounds(30, (round) => `f${round}:1500`),
        summary: () => ({ blocks: [text(summaryText({ 'Critical context': code }))] }),
      },
      { rules: { compactionModel: 'small' } },
    );
    await say(`use ${code} and never anything else`);
    const [made] = ofKind(entries(), 'compaction');
    expect(made?.text.split(code)).toHaveLength(3);
    expect(made?.facts.messages[0]?.text).toBe(`use ${code} and never anything else`);
    expect(JSON.stringify(model.summaries[0]!.messages)).toContain(JSON.stringify(code).slice(1, -1));
  });

  it('a meter that reads the usage of the summary call', async () => {
    const { model, entries, events, session, say } = await engineSession({
      info: { window: 40_000 },
      work: rounds(30, (round) => `f${round}:1500`),
      summary: () => ({
        blocks: [text(summaryText())],
        usage: { input: 39_999, cacheRead: 0, cacheWrite: 0, output: 999 },
      }),
    });
    await say('go');
    expect(ofKind(entries(), 'compaction')[0]?.cost).toMatchObject({ input: 39_999 });
    expect(ofKind(entries(), 'usage')).toHaveLength(model.work.length);
    for (const { usage } of ofKind(entries(), 'usage')) expect(usage.input).toBeLessThan(39_000);
    for (const event of events)
      if (event.type === 'usage_reported') expect(event.ledger.total).toBeLessThan(39_000);
    expect(session.lastLedger()?.total).toBe(tokensIn(model.work.at(-1)!));
  });

  it('twenty parallel results larger than the window that end the session', async () => {
    const { model, entries, events, say } = await engineSession({
      info: { window: 40_000 },
      work: (_, call) =>
        call === 1
          ? { blocks: Array.from({ length: 20 }, (_, n) => looking(`p${n}`, `part${n}:4000`)) }
          : { blocks: [text('Done.')] },
    });
    await say('read all twenty');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    const sent = textIn(model.work[1]!);
    for (let part = 0; part < 20; part += 1) expect(sent).toContain(`part${part} says`);
    expect(ofKind(entries(), 'tool_result')).toHaveLength(20);
    expect(sent).toContain('read all twenty');
  });

  it('a summariser’s input that is larger than its window', async () => {
    const { model, entries, say } = await engineSession(
      {
        info: { window: 100_000 },
        others: { small: { window: 8_000 } },
        work: rounds(90, (round) => `f${round}:2500`),
        summary: () => ({ blocks: [text(summaryText({ Progress: prose(200) }))] }),
      },
      { rules: { compactionModel: 'small' } },
    );
    await say(prose(3_000));
    const written = ofKind(entries(), 'compaction').filter(({ method }) => method === 'summary');
    expect(written.length).toBeGreaterThan(1);
    for (const request of model.summaries) {
      expect(request.model).toBe('small');
      expect(tokensIn(request) + request.maxTokens).toBeLessThanOrEqual(8_000);
    }
    expect(JSON.stringify(model.summaries[0])).toContain('word 1 goes');
  });

  it('a retry with the very request that was refused', async () => {
    const { model, events, say } = await engineSession({
      info: { window: 100_000 },
      limit: 3_000,
      work: rounds(10, (round) => `f${round}:900`),
    });
    await say('go');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    const sent = model.requests.map((request) => JSON.stringify(request.messages));
    expect(new Set(sent).size).toBe(sent.length);
  });

  it('a final answer that crosses the threshold and does not end the run', async () => {
    const { model, entries, events, say } = await engineSession({
      info: { window: 40_000, maxOutput: 30_000 },
      work: () => ({ blocks: [text(prose(32_000))] }),
    });
    await say('write a book');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    expect(model.requests).toHaveLength(1);
    expect(entries().at(-1)?.kind).toBe('usage');
  });

  it('an endless attempt where system prompt and tools alone are over the limit: it stops and says why', async () => {
    const { model, entries, events, say } = await engineSession(
      { info: { window: 8_000 }, work: rounds(1, () => 'a') },
      { sections: () => Promise.resolve([{ name: 'base', text: prose(9_000) }]) },
    );
    await say('hello');
    expect(model.requests).toHaveLength(0);
    expect(lastEnd(events)).toMatchObject({
      end: 'failed',
      error: { code: 'context_full', detail: expect.stringContaining('system prompt') as string },
    });
    expect(ofKind(entries(), 'compaction')).toHaveLength(0);
  });

  it('a refusal at an estimated 60% after which the same is sent again: the request shrinks anyway', async () => {
    let isRefused = false;
    const { model, events, say } = await engineSession({
      info: { window: 100_000 },
      bills: false,
      work: (request, call) => {
        if (!isRefused && tokensIn(request) > 55_000) {
          isRefused = true;
          return new ModelError('too_long', 'input is too long', { status: 400 });
        }
        return rounds(30, (round) => `f${round}:2500`)(request, call);
      },
    });
    await say('go');
    expect(lastEnd(events)).toMatchObject({ end: 'done' });
    const refused = model.work.findIndex((request) => tokensIn(request) > 55_000);
    expect(tokensIn(model.work[refused + 1]!)).toBeLessThan(0.6 * tokensIn(model.work[refused]!));
  });

  it('a relief that is called off, and asked for again at once', async () => {
    const session = await engineSession(
      {
        info: { window: 40_000 },
        work: rounds(4, (round) => `f${round}:3700`),
        summary: (_, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('gone')), { once: true });
            setTimeout(() => session.session.cancelRelief(), 5);
          }),
      },
      { rules: { prepareAt: null } },
    );
    await session.say('go');
    expect(lastEnd(session.events)).toMatchObject({ end: 'done' });
    expect(session.model.requests.filter(isSummaryCall)).toHaveLength(1);
    expect(ofKind(session.entries(), 'note').filter(({ relief }) => relief === 'cancelled')).toHaveLength(1);
  });
});
