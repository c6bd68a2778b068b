import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { contextTokens } from '../../src/core/model/usage.ts';
import { CONTENTS, counterOf, textCounter } from '../support/billed-session.ts';
import { hiddenTokenizer } from '../support/model-server/hidden-tokenizer.ts';
import { classicModel, currentModel } from '../support/model-server/profiles.ts';
import { text, thinking, toolUse } from '../support/model-server/scenario.ts';
import { sentRequests } from '../support/sent-requests.ts';
import { workingSession } from '../support/working-session.ts';
import type { WorkingSession } from '../support/working-session.ts';

/** Whole sessions over HTTP, on machines that do other things as well. */
vi.setConfig({ testTimeout: 120_000 });

let work: WorkingSession;
afterEach(() => work.close());

const messagesOf = (body: unknown) => JSON.stringify((body as { messages?: unknown } | undefined)?.messages);

/** Each kind once while the engine learns, and once more after it. */
const ROUNDS = 2 * CONTENTS.length;
const SKIPPED = 3;

describe.each([currentModel(), classicModel()])('the estimate on $id', (profile) => {
  it('T8: is within 3% of what a request added is billed, by a tokenizer nobody has, after three usages', async () => {
    work = await workingSession({
      profile,
      rounds: ROUNDS,
      tokenize: hiddenTokenizer(),
      session: { counter: counterOf(textCounter()) },
      scenario: ({ served }) =>
        served === ROUNDS
          ? text('Done.')
          : [thinking('What is in the next one?'), toolUse('read_file', { path: `text-${served}.txt` })],
    });
    for (let round = 0; round < ROUNDS; round += 1)
      writeFileSync(
        path.join(work.place.folder, `text-${round}.txt`),
        CONTENTS[round % CONTENTS.length]![1].replaceAll(/(.{400})/gsu, '$1\n'),
      );
    await work.say('Read the texts.');
    expect(work.server.failures).toEqual([]);
    const reports = work.entries.filter((entry) => entry.kind === 'usage');
    expect(reports).toHaveLength(ROUNDS + 1);
    const misses = reports.slice(SKIPPED).map(({ estimated, usage, counted }) => ({
      added: counted?.billed,
      miss: Math.abs(estimated - contextTokens(usage)) / (counted?.billed ?? 1),
    }));
    for (const { miss, added } of misses) {
      expect(added).toBeGreaterThan(500);
      expect(miss).toBeLessThanOrEqual(0.03);
    }
  });

  it('is replaced by the server’s own count where a load line is near, and only there', async () => {
    work = await workingSession({ profile, window: 64_000, rounds: 40 });
    await work.say('Read the files.');
    expect(work.server.failures).toEqual([]);
    const asked = work.server.requests.filter(({ path: at }) => at === '/v1/messages/count_tokens');
    const rounds = work.entries.filter((entry) => entry.kind === 'usage');
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThan(rounds.length / 2);
    // What was counted and then sent as it was has no error left.
    const parts = asked.map(({ body }) => messagesOf(body));
    const sent = sentRequests(work.server.requests, work.entries).filter(({ body }) =>
      parts.includes(messagesOf(body)),
    );
    expect(sent.length).toBeGreaterThan(0);
    for (const { report } of sent) expect(report.estimated).toBe(contextTokens(report.usage));
  });

  it.each([
    ['does not count', ['count_tokens'], 0],
    ['fails to count', [], 50],
  ] as const)('stands where the server %s', async (_, lacks, times) => {
    work = await workingSession({ profile, window: 32_000, rounds: 16, lacks });
    work.server.faults.next({ kind: 'status', status: 500 }, { times, endpoint: 'count_tokens' });
    await work.say('Read the files.');
    expect(work.events.at(-1)).toEqual({ type: 'turn_ended', end: 'done' });
    expect(work.server.failures).toEqual([]);
    const asked = work.server.requests.filter(({ path: at }) => at.endsWith('/count_tokens'));
    // A server that has no such service is asked once.
    if (times === 0) expect(asked.length).toBeLessThanOrEqual(1);
    else expect(asked.length).toBeGreaterThan(0);
  });
});
