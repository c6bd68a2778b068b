import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CompactionEntry } from '../../src/core/model/relief-entry.ts';
import { classicModel, currentModel } from '../support/model-server/profiles.ts';
import { text } from '../support/model-server/scenario.ts';
import type { Reply } from '../support/model-server/scenario.ts';
import { badSummaries } from '../support/model-server/summaries.ts';
import { isForSummary } from '../support/sent-requests.ts';
import { workingSession } from '../support/working-session.ts';
import type { WorkingOptions, WorkingSession } from '../support/working-session.ts';
import { waitFor } from '../support/test-session.ts';

/** Whole sessions over HTTP, on machines that do other things as well. */
vi.setConfig({ testTimeout: 120_000 });

let work: WorkingSession;
afterEach(() => work.close());

const compactions = (): readonly CompactionEntry[] =>
  work.entries.filter((entry) => entry.kind === 'compaction');
const reliefNotes = () =>
  work.entries.flatMap((entry) => (entry.kind === 'note' && entry.relief ? [entry.relief] : []));
const summaryCalls = () => work.server.requests.filter(isForSummary);

describe.each([currentModel(), classicModel()])('a summary on $id', (profile) => {
  const begin = (options: Partial<WorkingOptions> = {}) =>
    workingSession({ profile, window: 32_000, rounds: 24, ...options });

  it('C10: that takes its time keeps what is typed meanwhile, in order, each in a request exactly once', async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    work = await begin({ summaries: [badSummaries.slow(gate)], rounds: 40 });
    const said = work.say('Read the files.');
    await waitFor(() => summaryCalls().length > 0, 20_000);
    await work.session.send('probe-1');
    await work.session.send('probe-2');
    go();
    await said;
    expectProbesOnce();
    expect(compactions().length).toBeGreaterThan(0);
  });

  it('C10: that takes its time and fails in the end does so too', async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const bad: Reply = [{ kind: 'pause', until: gate }, text('We talked about this and that.')];
    work = await begin({ summaries: [bad], rounds: 40 });
    const said = work.say('Read the files.');
    await waitFor(() => summaryCalls().length > 0, 20_000);
    await work.session.send('probe-1');
    await work.session.send('probe-2');
    go();
    await said;
    expectProbesOnce();
    // Where nobody waited for it, that is quiet, and another one is written in time.
    const outcomes = work.events.flatMap((e) => (e.type === 'relief_ended' ? [e.outcome] : []));
    expect(outcomes).toContain('failed');
    expect(compactions().length).toBeGreaterThan(0);
  });

  function expectProbesOnce(): void {
    expect(work.server.failures).toEqual([]);
    const texts = work.entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
    expect(texts).toEqual(['Read the files.', 'probe-1', 'probe-2']);
    const rounds = work.server.requests.filter((request) => request.body?.messages && !isForSummary(request));
    const first = rounds.find(({ body }) => JSON.stringify(body).includes('probe-1'))!;
    for (const probe of ['probe-1', 'probe-2'])
      expect(JSON.stringify(first.body?.messages).split(`"${probe}"`)).toHaveLength(2);
    const words = JSON.stringify(first.body?.messages);
    expect(words.indexOf('probe-1')).toBeLessThan(words.indexOf('probe-2'));
  }

  it.each([
    ['is empty', badSummaries.empty],
    ['is blank', badSummaries.blank],
    ['is only thinking', badSummaries.onlyThinking],
    ['calls a tool', badSummaries.toolCall],
    ['is cut', badSummaries.cut],
    ['is refused', badSummaries.refusal],
    ['has no sections', badSummaries.noSections],
    ['is larger than what it replaces', badSummaries.tooLarge(60_000)],
    ['meets an error that does not pass', badSummaries.error(403, 'not you')],
  ] as const)('C6: that %s is not used: code folds instead, and says why', async (_, bad) => {
    work = await begin({ summaries: [bad, bad] });
    await work.say('Read the files. Use httpie only.');
    expect(work.server.failures).toEqual([]);
    expect(work.events.at(-1)).toEqual({ type: 'turn_ended', end: 'done' });
    const [first] = compactions();
    expect(first?.method).toBe('fold');
    expect(first?.fallback).toBeTruthy();
    expect(first?.text).toContain('Use httpie only.');
    expect(reliefNotes()).toContain('failed');
    const outcomes = work.events.flatMap((e) => (e.type === 'relief_ended' ? [e.outcome] : []));
    expect(outcomes).toContain('failed');
    expect(outcomes).toContain('applied');
  });

  it('C29: that meets a rate limit waits as long as it is told to, says so, and is written then', async () => {
    work = await begin({ session: { skipsWaiting: true }, rounds: 8 });
    await work.say('Read the files.');
    expect(compactions()).toEqual([]);
    work.server.faults.next({ kind: 'status', status: 429, retryAfterSeconds: 30 }, { times: 3 });
    await work.session.compact();
    expect(work.slept.filter((ms) => ms === 30_000)).toHaveLength(3);
    const told = work.events.flatMap((e) => (e.type === 'retry_scheduled' ? [e.delayMs] : []));
    expect(told).toEqual([30_000, 30_000, 30_000]);
    expect(compactions().map(({ method }) => method)).toEqual([profile.summarises ? 'signed' : 'summary']);
    expect(reliefNotes()).toEqual([]);
    await work.say('Go on.');
    expect(work.server.failures).toEqual([]);
  });

  it('C29: whose tries run out leaves the history as it was, folded by code', async () => {
    work = await begin({ session: { skipsWaiting: true }, rounds: 8 });
    await work.say('Read the files.');
    work.server.faults.next({ kind: 'status', status: 429, retryAfterSeconds: 30 }, { times: 6 });
    await work.session.compact();
    expect(work.slept.filter((ms) => ms === 30_000)).toHaveLength(5);
    expect(reliefNotes()).toEqual(['failed']);
    expect(compactions().map(({ method }) => method)).toEqual(['fold']);
    await work.say('Go on.');
    expect(work.server.failures).toEqual([]);
  });
});
