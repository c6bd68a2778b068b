import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startModelServer } from '../support/model-server/model-server.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import { classicModel, currentModel } from '../support/model-server/profiles.ts';
import type { ModelProfile } from '../support/model-server/profiles.ts';
import { fact, text, toolUse } from '../support/model-server/scenario.ts';
import type { Scenario } from '../support/model-server/scenario.ts';
import { realSession, removePlace } from '../support/real-session.ts';

/** Whole sessions over HTTP, on machines that do other things as well. */
vi.setConfig({ testTimeout: 120_000 });

let server: ModelServer;
let session: Awaited<ReturnType<typeof realSession>>;

async function runOn(profile: ModelProfile, scenario: Scenario): Promise<string> {
  server = await startModelServer({ scenario, models: [profile] });
  session = await realSession({ url: server.url });
  mkdirSync(session.place.folder, { recursive: true });
  const file = path.join(session.place.folder, 'a.txt');
  writeFileSync(file, 'one\ntwo\n');
  await session.say('Go.');
  expect(server.failures).toEqual([]);
  return readFileSync(file, 'utf8');
}

const results = () =>
  session.session.entries.flatMap((entry) =>
    entry.kind === 'tool_result' ? [`${entry.name} ${entry.status}`] : [],
  );

afterEach(async () => {
  await session.close();
  await server.close();
  removePlace(session.place);
});

describe.each([currentModel(), classicModel()])('calls in one message of $id', (profile) => {
  const run = (scenario: Scenario) => runOn(profile, scenario);

  it('happen in the order they were written: a read, an edit of what was read, a command that sees the edit', async () => {
    const content = await run([
      [
        toolUse('read_file', { path: 'a.txt' }),
        toolUse('edit_file', { path: 'a.txt', old_text: 'two', new_text: 'three' }),
        toolUse('run_command', { command: 'cat a.txt' }),
      ],
      [text('It says ', fact(/three/), '.')],
    ]);
    expect(content).toBe('one\nthree\n');
    expect(results()).toEqual(['read_file ok', 'edit_file ok', 'run_command ok']);
  });

  it('X6: an edit of a file never read is refused, and the model can make it good', async () => {
    const content = await run([
      [toolUse('edit_file', { path: 'a.txt', old_text: 'two', new_text: 'three' })],
      [text('I must read it: ', fact(/read/), '.'), toolUse('read_file', { path: 'a.txt' })],
      [toolUse('edit_file', { path: 'a.txt', old_text: 'two', new_text: 'three' })],
      [text('Done.')],
    ]);
    expect(content).toBe('one\nthree\n');
    expect(results()).toEqual(['edit_file error', 'read_file ok', 'edit_file ok']);
  });

  it('X9, P2: fifty megabytes are bounded, silence says so, and both are accepted', async () => {
    await run([
      [
        toolUse('run_command', { command: 'head -c 50000000 /dev/zero | tr "\\0" x' }),
        toolUse('run_command', { command: 'true' }),
      ],
      [text('Quiet: ', fact(/no output/), '.')],
    ]);
    const [large] = session.session.entries.flatMap((entry) =>
      entry.kind === 'tool_result' ? [JSON.stringify(entry).length] : [],
    );
    expect(large).toBeLessThan(60_000);
  });
});
