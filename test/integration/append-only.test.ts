import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_CONTEXT } from '../../src/core/model/settings.ts';
import { startModelServer } from '../support/model-server/model-server.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import { classicModel, currentModel } from '../support/model-server/profiles.ts';
import { text, thinking, toolUse } from '../support/model-server/scenario.ts';
import type { Scenario } from '../support/model-server/scenario.ts';
import { realSession, removePlace } from '../support/real-session.ts';
import { firstDifference, isPlannedBreak, sentRequests } from '../support/sent-requests.ts';
import { waitFor } from '../support/test-session.ts';

/** Whole sessions over HTTP, on machines that do other things as well. */
vi.setConfig({ testTimeout: 120_000 });

const TURNS = 8;
const ROUNDS = 20;
const FILES = 30;

/** Every turn reads files round after round, some twice, two at once every third, and thinks. */
const scenario: Scenario = ({ served: answers }) => {
  const round = answers % (ROUNDS + 1);
  if (round === ROUNDS) return [thinking('Done. '.repeat(9)), text('I have read them.')];
  const read = (number: number) => toolUse('read_file', { path: `file-${(number * 7) % FILES}.txt` });
  return [
    ...(answers % 4 === 3 ? [] : [thinking('What next? '.repeat(12))]),
    ...(round % 2 === 0 ? [text(`Round ${round}.`)] : []),
    read(answers),
    ...(round % 3 === 0 ? [read(answers + 1)] : []),
  ];
};

let server: ModelServer;
let session: Awaited<ReturnType<typeof realSession>>;

afterEach(async () => {
  await session.close();
  await server.close();
  removePlace(session.place);
});

describe.each([
  { how: 'compacting', profile: currentModel(), window: 32_000, context: DEFAULT_CONTEXT },
  { how: 'compacting', profile: classicModel(), window: 32_000, context: DEFAULT_CONTEXT },
  {
    how: 'evicting',
    profile: classicModel(),
    window: 64_000,
    context: { ...DEFAULT_CONTEXT, compactAt: null },
  },
])('a long session on $profile.id, $how', ({ profile, window, context }) => {
  it('T11, T12: extends every request byte for byte, except where the log says that it was broken', async () => {
    server = await startModelServer({ scenario, models: [profile], window });
    const settings = { maxOutputTokens: 4_000, context };
    let day = 1;
    const now = () => new Date(`2026-03-0${day}T12:00:00`);
    session = await realSession({ url: server.url, settings, now });
    const { place } = session;
    mkdirSync(place.folder, { recursive: true });
    for (let number = 0; number < FILES; number += 1)
      writeFileSync(
        path.join(place.folder, `file-${number}.txt`),
        `${`words of file ${number} and words\n`.repeat(40 + 12 * (number % 9))}secret-${number}\n`,
      );
    for (let turn = 0; turn < TURNS; turn += 1) {
      if (turn === 2) day = 2;
      if (turn === 3) writeFileSync(path.join(place.folder, 'AGENTS.md'), 'End replies with MARK.');
      if (turn === 5) {
        await session.close();
        session = await realSession({ url: server.url, settings, now, place });
      }
      const reported = () => session.events.filter(({ type }) => type === 'usage_reported').length;
      const before = reported();
      const said = session.say(`Read the files, part ${turn}.`);
      if (turn % 2 === 1) {
        await waitFor(() => reported() >= before + 4, 20_000);
        await session.session.send(`By the way, ${turn}.`);
      }
      await said;
    }
    const { entries } = session.session;
    expect(server.failures).toEqual([]);
    expect(entries.filter(({ kind }) => kind === 'note')).toEqual([]);
    const sent = sentRequests(server.requests, entries);
    expect(sent.length).toBeGreaterThan(150);
    const reliefs = entries.filter(({ kind }) => kind === 'compaction' || kind === 'eviction');
    expect(reliefs.length).toBeGreaterThan(5);
    const reminders = entries.flatMap((entry) => (entry.kind === 'reminder' ? [entry.topic] : []));
    expect(reminders).toEqual(expect.arrayContaining(['environment', 'instructions']));
    expect(entries.filter((entry) => entry.kind === 'user' && entry.queueId)).toHaveLength(TURNS / 2);
    sent.slice(1).forEach((later, index) => {
      const earlier = sent[index]!;
      const difference = firstDifference(earlier.body, later.body);
      const where = `request ${index + 1}, after ${later.report.lastEntryId}`;
      if (!isPlannedBreak(entries, earlier.report, later.report)) {
        expect(difference, where).toBeUndefined();
        const { input, cacheRead, cacheWrite } = earlier.usage;
        expect(input, where).toBe(0);
        expect(later.report.usage.cacheRead, where).toBe(cacheRead + cacheWrite);
        expect(later.report.cacheMiss, where).toBeUndefined();
      } else {
        expect(difference, where).toBeDefined();
        if (profile.bindsThinking) expect(later.report.cacheMiss?.reason, where).toMatch(/_changed$/);
      }
    });
  });
});

describe('a cache that was missed', () => {
  it('has its reason in the log where the server says one, and none where nothing was missed', async () => {
    let minutes = 0;
    server = await startModelServer({
      scenario: () => text('I see. '.repeat(400)),
      models: [currentModel()],
      now: () => minutes * 60_000,
    });
    session = await realSession({ url: server.url });
    await session.say('One.');
    await session.say('Two.');
    minutes = 6;
    await session.say('Three.');
    await session.say('Four.');
    expect(server.failures).toEqual([]);
    const reports = session.session.entries.filter((entry) => entry.kind === 'usage');
    expect(reports.map(({ cacheMiss }) => cacheMiss?.reason)).toEqual([
      undefined,
      undefined,
      'unavailable',
      undefined,
    ]);
    expect(reports.map(({ usage }) => usage.cacheRead > 0)).toEqual([false, true, false, true]);
  });
});
