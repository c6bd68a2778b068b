import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CompactionEntry } from '../../src/core/model/relief-entry.ts';
import { contextTokens } from '../../src/core/model/usage.ts';
import { counterOf, textCounter } from '../support/billed-session.ts';
import { currentModel } from '../support/model-server/profiles.ts';
import { fail, text } from '../support/model-server/scenario.ts';
import { badSummaries } from '../support/model-server/summaries.ts';
import { isForSummary, sentRequests } from '../support/sent-requests.ts';
import { readingFiles, workingSession } from '../support/working-session.ts';
import type { WorkingSession } from '../support/working-session.ts';
import { waitFor } from '../support/test-session.ts';

/** Whole sessions over HTTP, on machines that do other things as well. */
vi.setConfig({ testTimeout: 120_000 });

let work: WorkingSession;
afterEach(() => work.close());

const begin = (options: Partial<Parameters<typeof workingSession>[0]> = {}) =>
  workingSession({ profile: currentModel(), window: 32_000, rounds: 30, ...options });

const compactions = (): readonly CompactionEntry[] =>
  work.entries.filter((entry) => entry.kind === 'compaction');
const asked = () => work.server.requests.filter(({ body }) => body?.compaction);

/** As it is sent, cache marks left out. */
const plain = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)) ?? '';
const order = (entryId: string) => Number(entryId.slice(1));
const notes = () =>
  work.entries.flatMap((entry) => (entry.kind === 'note' ? [`${entry.relief}: ${entry.text}`] : []));

/** The requests before and after an entry. */
function around({ id }: { readonly id: string }) {
  const sent = sentRequests(work.server.requests, work.entries);
  const at = sent.findIndex(({ report }) => order(report.lastEntryId) >= order(id));
  return { before: sent[at - 1]!, after: sent[at]! };
}

describe('a signed summary', () => {
  it('is written while the agent works: no request ever waits for it', async () => {
    work = await begin();
    await work.say('Read the files.');
    expect(work.server.failures).toEqual([]);
    expect(compactions().length).toBeGreaterThan(0);
    expect(compactions().every(({ method, signed }) => method === 'signed' && signed)).toBe(true);
    const started = work.events.flatMap((e) => (e.type === 'relief_started' ? [e.isWaitedFor] : []));
    expect(started.length).toBeGreaterThan(0);
    expect(started).not.toContain(true);
  });

  it('is applied at once where a message crosses the line: no call stands between Send and the answer', async () => {
    const isPrepared = () => asked().some(({ verdict }) => verdict.kind === 'answered');
    const reading = readingFiles(1_000);
    work = await begin({
      scenario: (request) => (isPrepared() ? text('That is all.') : reading(request)),
    });
    await work.say('Read the files.');
    await waitFor(() => work.events.some((e) => e.type === 'relief_ended' && e.outcome === 'prepared'));
    expect(compactions()).toEqual([]);
    const before = work.server.requests.length;
    await work.say('Look at this. '.repeat(1_200));
    expect(compactions().map(({ method }) => method)).toEqual(['signed']);
    const calls = work.server.requests.slice(before).filter(({ path }) => path === '/v1/messages');
    const [first, ...more] = calls;
    expect(more).toEqual([]);
    expect(first?.body?.messages[0]).toMatchObject({ content: [{ type: 'compaction' }] });
    expect(work.server.failures).toEqual([]);
  });

  it('replaces exactly what it covers: the kept rounds, their thinking, system and tools stay byte for byte', async () => {
    work = await begin({ rounds: 60 });
    await work.say('Read the files. Never touch db.sqlite.');
    expect(work.server.failures).toEqual([]);
    expect(compactions().length).toBeGreaterThan(2);
    let keptThinking = 0;
    for (const compaction of compactions()) {
      const { before, after } = around(compaction);
      expect(plain([after.body.system, after.body.tools])).toBe(
        plain([before.body.system, before.body.tools]),
      );
      const [summary, ...kept] = after.body.messages.map(plain);
      expect(summary).toContain('"compaction"');
      // All but the newest round stood in the request before, at its end.
      const known = kept.slice(0, -3);
      expect(before.body.messages.map(plain).slice(-known.length)).toEqual(known);
      keptThinking += known.filter((message) => message.includes('"type":"thinking"')).length;
      const last = after.body.messages.at(-1)!;
      expect(last.role).toBe('system');
      expect(plain(last)).toContain('Never touch db.sqlite');
      expect(plain(last)).toContain('Where the work stands');
      expect(after.body.messages.filter(({ role }) => role === 'system')).toHaveLength(1);
    }
    expect(keptThinking).toBeGreaterThan(2);
  });

  it('says what it leaves as the next bill does, to 5%: system and tools by their own price, and what code adds', async () => {
    work = await begin({ rounds: 60, session: { counter: counterOf(textCounter()) } });
    await work.say('Read the files. Never touch db.sqlite.');
    expect(compactions().length).toBeGreaterThan(2);
    for (const compaction of compactions()) {
      const billed = contextTokens(around(compaction).after.report.usage);
      expect(Math.abs(compaction.after / billed - 1)).toBeLessThan(0.05);
    }
  });

  it('can be taken back: what it covered is in the view again, and the next one is taken', async () => {
    work = await begin({ rounds: 12, window: 40_000 });
    for (let turn = 0; compactions().length === 0; turn += 1) await work.say(`Read on, ${turn}.`);
    const [first] = compactions();
    expect(await work.session.undo(first!.id)).toBe(true);
    await work.say('What did the first file say?');
    expect(work.server.failures).toEqual([]);
    const { after } = around(work.entries.find(({ kind }) => kind === 'undo')!);
    expect(plain(after.body.messages[0])).toContain('Read on, 0.');
    expect(plain(after.body.messages)).not.toContain('"type":"compaction"');
    await work.say('Read on.');
    await work.say('Read on.');
    expect(compactions().length).toBeGreaterThan(1);
    expect(work.server.failures).toEqual([]);
  });

  it('that a window reload has lost is written anew, and the session goes on', async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    work = await begin({ rounds: 60, summaries: [badSummaries.slow(gate)] });
    const said = work.say('Read the files.');
    await waitFor(() => asked().length > 0, 20_000);
    await work.reopen();
    go();
    await said;
    expect(compactions()).toEqual([]);
    await work.say('Go on.');
    expect(work.server.failures).toEqual([]);
    expect(compactions().length).toBeGreaterThan(0);
    expect(compactions()[0]!.method).toBe('signed');
  });
});

describe('a model that does not sign after all', () => {
  it.each([
    ['refuses it', fail(400, 'compaction: Extra inputs are not permitted')],
    ['is not allowed to', fail(403, 'CompactionUnavailable: not enabled for this organization')],
    ['does not know it', fail(404, 'CompactionUnavailable')],
  ])('and %s is asked in the conversation instead, and not again', async (_, refusal) => {
    work = await begin({ rounds: 60, summaries: (ask) => (ask.body.compaction ? refusal : undefined) });
    await work.say('Read the files.');
    expect(work.server.failures).toEqual([]);
    expect(asked()).toHaveLength(1);
    expect(compactions().length).toBeGreaterThan(1);
    expect(compactions().every(({ method }) => method === 'summary' || method === 'fold')).toBe(true);
    expect(compactions()[0]!.method).toBe('summary');
    // What it knows of the prefix is read from the cache.
    const [summary] = work.server.requests.filter(
      (request) => isForSummary(request) && !request.body?.compaction,
    );
    expect(summary!.usage!.cacheRead).toBeGreaterThan(0.8 * summary!.usage!.cacheWrite);
  });

  it('and does not take back what it had signed gets its words instead', async () => {
    work = await begin({ rounds: 30 });
    await work.say('Read the files.');
    const before = compactions().length;
    expect(before).toBeGreaterThan(0);
    work.server.faults.next({
      kind: 'status',
      status: 400,
      message: 'messages.0.content.0: the `signature` of the `compaction` block does not verify.',
    });
    await work.say('Go on.');
    expect(work.events.at(-1)).toEqual({ type: 'turn_ended', end: 'done' });
    expect(work.server.failures).toEqual([]);
    expect(
      compactions()
        .slice(before)
        .every(({ method }) => method !== 'signed'),
    ).toBe(true);
    const last = plain(work.server.requests.at(-1)?.body);
    expect(last).not.toContain('"type":"compaction"');
    expect(last).toContain('<context-summary>');
    expect(notes()).toEqual([]);
  });
});
