import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/core/model/event.ts';
import { startModelServer } from '../support/model-server/model-server.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import type { ModelProfile } from '../support/model-server/profiles.ts';
import { classicModel, currentModel } from '../support/model-server/profiles.ts';
import type { RecordedUsage } from '../support/model-server/recording.ts';
import { fact, text, thinking, toolUse } from '../support/model-server/scenario.ts';
import type { Scenario } from '../support/model-server/scenario.ts';
import { realSession, removePlace } from '../support/real-session.ts';

/** Whole sessions over HTTP, on machines that do other things as well. */
vi.setConfig({ testTimeout: 120_000 });

const ROUNDS = 60;

/** Reads a file each round, two at once every third, and quotes what the last one said. */
const scenario: Scenario = ({ round }) => {
  if (round === ROUNDS) return [text('The last file said ', fact(/secret-\d+/), '.')];
  const read = (number: number) => toolUse('read_file', { path: `file-${number % 10}.txt` });
  const said = round === 0 ? text('I will read.') : text('It said ', fact(/secret-\d+/), '.');
  return [
    thinking('What next? '.repeat(20)),
    said,
    read(round),
    ...(round % 3 === 0 ? [read(round + 1)] : []),
  ];
};

let server: ModelServer;
let session: Awaited<ReturnType<typeof realSession>>;

async function run(profile: ModelProfile, now?: () => Date): Promise<readonly RecordedUsage[]> {
  server = await startModelServer({ scenario, models: [profile] });
  session = await realSession({ url: server.url, ...(now && { now }) });
  mkdirSync(session.place.folder, { recursive: true });
  for (let number = 0; number < 10; number += 1) {
    writeFileSync(
      path.join(session.place.folder, `file-${number}.txt`),
      `${'words and words\n'.repeat(60)}secret-${number}${number}\n`,
    );
  }
  await session.say('Read the files.');
  return server.requests.flatMap(({ usage }) => usage ?? []);
}

afterEach(async () => {
  await session.close();
  await server.close();
  removePlace(session.place);
});

const context = ({ input, cacheRead, cacheWrite }: RecordedUsage) => input + cacheRead + cacheWrite;
const reports = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'usage_reported' ? [event.ledger] : []));

describe.each([currentModel(), classicModel()])('60 rounds of tool calls on $id', (profile) => {
  it('are never refused, read from the cache all that was sent before, and the meter says what the server says', async () => {
    const usages = await run(profile);
    expect(server.failures).toEqual([]);
    expect(session.events.at(-1)).toEqual({ type: 'turn_ended', end: 'done' });
    expect(usages).toHaveLength(ROUNDS + 1);
    usages.slice(1).forEach((usage, index) => {
      const before = usages[index]!;
      // Whatever the request before put behind its last mark is the only thing that may be read anew.
      expect(usage.cacheRead, `request ${index + 1}`).toBe(before.cacheRead + before.cacheWrite);
      expect(before.input, `request ${index}`).toBeLessThan(50);
    });
    expect(reports(session.events).map(({ total }) => total)).toEqual(usages.map(context));
    for (const ledger of reports(session.events)) {
      expect(ledger.items.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(ledger.total);
    }
  });

  it('T11: midnight and an edited AGENTS.md on the way cost no cache and no validity', async () => {
    let asked = 0;
    const usages = await run(profile, () => {
      asked += 1;
      if (asked === 200)
        writeFileSync(path.join(session.place.folder, 'AGENTS.md'), 'End replies with MARK.');
      return new Date(asked < 300 ? '2026-03-01T12:00:00' : '2026-03-02T12:00:00');
    });
    expect(server.failures).toEqual([]);
    const bodies = server.requests.map(({ body }) => JSON.stringify(body?.messages));
    expect(bodies.at(-1)).toContain('End replies with MARK.');
    expect(bodies.at(-1)).toContain("Today's date: 2026-03-02");
    usages
      .slice(1)
      .forEach((usage, index) =>
        expect(usage.cacheRead).toBe(usages[index]!.cacheRead + usages[index]!.cacheWrite),
      );
  });
});
