import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProjectMemory } from '../../src/core/memory/project-memory.ts';
import type { Settings } from '../../src/core/model/settings.ts';
import { DEFAULT_MEMORY } from '../../src/core/model/settings.ts';
import { MemoryRig } from '../support/memory-rig.ts';
import { startModelServer } from '../support/model-server/model-server.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import type { ModelServerOptions } from '../support/model-server/options.ts';
import { classicModel, currentModel } from '../support/model-server/profiles.ts';
import { text, toolUse } from '../support/model-server/scenario.ts';
import type { ScenarioFunction, Step } from '../support/model-server/scenario.ts';
import type { PromptBody } from '../support/model-server/wire.ts';
import { realSession } from '../support/real-session.ts';
import { firstDifference, isForMemories, sentRequests } from '../support/sent-requests.ts';
import { waitFor } from '../support/test-session.ts';
import { readingFiles } from '../support/working-session.ts';

/** Whole sessions over HTTP, on machines that do other things as well. */
vi.setConfig({ testTimeout: 120_000 });

let rig: MemoryRig;
let server: ModelServer;
let memory: ProjectMemory;
let session: Awaited<ReturnType<typeof realSession>>;

beforeEach(() => {
  rig = new MemoryRig();
  mkdirSync(path.dirname(rig.file), { recursive: true });
  for (let number = 0; number < 30; number += 1)
    writeFileSync(path.join(rig.root, `file-${number}.txt`), `words of file ${number}\n`.repeat(150));
});

afterEach(async () => {
  await session.close();
  await server.close();
  await rig.end();
});

async function begin(options: ModelServerOptions, settings: Partial<Settings> = {}): Promise<void> {
  server = await startModelServer(options);
  memory = await rig.window();
  await open('first', settings);
}

async function open(name: string, settings: Partial<Settings> = {}): Promise<void> {
  const place = { folder: rig.root, logs: path.join(rig.folder, name) };
  session = await realSession({ url: server.url, memory, place, settings });
}

const lastBody = (): PromptBody => server.requests.findLast(({ path: at }) => at === '/v1/messages')!.body!;
const systemOf = (body: PromptBody) => JSON.stringify(body.system);
const times = (said: string, body: PromptBody) => JSON.stringify(body).split(said).length - 1;

const HTTPIE = 'Use httpie, never curl.';
const remember = (what: string) =>
  toolUse('memory_write', { text: what, category: 'preference', importance: 5 });

describe.each([currentModel(), classicModel()])('on $id, what the agent remembers', (profile) => {
  const scenario: readonly Step[] = [
    toolUse('read_file', { path: 'file-1.txt' }),
    remember(HTTPIE),
    [remember('Port 8080 is taken on the build machine.'), toolUse('read_file', { path: 'file-2.txt' })],
    toolUse('memory_search', { query: 'httpie' }),
    toolUse('memory_forget', { memory: HTTPIE }),
    text('Noted.'),
    text('I know.'),
  ];

  it('leaves the cached prefix whole: every request extends the one before it, and is read from the cache', async () => {
    rig.write(
      Array.from({ length: 20 }, (_, at) => `- What a person wrote, number ${at}, in a whole line.\n`).join(
        '',
      ),
    );
    await begin({ scenario, models: [profile] });
    await session.say('Look around, and keep what matters.');
    await session.say('What do you know?');
    const { entries } = session.session;
    expect(server.failures).toEqual([]);
    expect(entries.filter(({ kind }) => kind === 'prompt')).toHaveLength(1);
    const sent = sentRequests(server.requests, entries);
    expect(sent).toHaveLength(scenario.length);
    sent.slice(1).forEach((later, index) => {
      const earlier = sent[index]!;
      expect(firstDifference(earlier.body, later.body)).toBeUndefined();
      expect(later.usage.cacheRead).toBe(earlier.usage.cacheRead + earlier.usage.cacheWrite);
      expect(later.report.cacheMiss).toBeUndefined();
    });
  });

  it('is told to the model by its line only, and the log has the whole', async () => {
    rig.write(
      Array.from({ length: 20 }, (_, at) => `- What a person wrote, number ${at}, in a whole line.\n`).join(
        '',
      ),
    );
    await begin({ scenario, models: [profile] });
    await session.say('Look around, and keep what matters.');
    const said = session.session.entries.flatMap((entry) => (entry.kind === 'reminder' ? [entry] : []));
    expect(said.map(({ topic, text: words }) => [topic, words.split('\n').slice(1)])).toEqual([
      ['memory', ['New in it:', '## Learnt on the way', expect.stringMatching(/^- 2026-05-04: Use httpie/)]],
      ['memory', ['New in it:', expect.stringMatching(/^- 2026-05-04: Port 8080/)]],
      ['memory', ['No longer in it:', expect.stringMatching(/^- 2026-05-04: Use httpie/)]],
    ]);
    expect(said.at(-1)?.section).toBe(await memory.section());
    expect(times('What a person wrote, number 7,', lastBody())).toBe(1);
    const results = session.session.entries.flatMap((entry) =>
      entry.kind === 'tool_result' ? [[entry.name, entry.status, entry.content] as const] : [],
    );
    expect(results.filter(([, status]) => status !== 'ok')).toEqual([]);
    expect(JSON.stringify(results.find(([name]) => name === 'memory_search'))).toContain('importance 5');
    expect(memory.store.all().find(({ text: words }) => words.startsWith('Port'))?.origin).toEqual({
      sessionId: 's',
      entryId: session.session.entries.filter(({ kind }) => kind === 'assistant')[2]?.id,
    });
  });

  it('M10, M11: is in the next session’s prompt with its day and a word that the user’s words win; what was forgotten is not', async () => {
    await begin({ scenario, models: [profile] });
    await session.say('Look around, and keep what matters.');
    await session.close();
    server.play(() => text('Hello.'));
    memory = await rig.window();
    await open('second');
    await session.say('Hello.');
    const prompt = systemOf(lastBody());
    expect(prompt).toContain('- 2026-05-04: Port 8080 is taken on the build machine.');
    expect(prompt).toMatch(/may be out of date: what the user says.* win over them/);
    expect(prompt).not.toContain('httpie');
    expect(lastBody().system).toHaveLength(3); // base, surroundings, memory
    expect(server.failures).toEqual([]);
  });

  it('and what a person writes meanwhile is in the next request, at its tail', async () => {
    await begin({ scenario: () => text('Yes.'), models: [profile] });
    await session.say('Hello.');
    const before = lastBody();
    rig.write(`${HTTPIE}\n\n- Never touch db.sqlite\n`);
    await session.say('And now?');
    expect(firstDifference(before, lastBody())).toBeUndefined();
    expect(JSON.stringify(lastBody().messages.slice(-2))).toContain('Never touch db.sqlite');
    expect(server.failures).toEqual([]);
  });

  it('M1: no file tool leaves the rest out, while another program appends', async () => {
    const lines = Array.from({ length: 800 }, (_, at) => `- line ${at}`);
    rig.write(`${lines.join('\n')}\n`);
    const file = '.plimsoll/MEMORY.md';
    await begin({
      models: [profile],
      scenario: [
        toolUse('read_file', { path: file }),
        toolUse('write_file', { path: file, content: '- line 0\n[... rest unchanged ...]\n' }),
        toolUse('edit_file', {
          ...{ path: file, old_text: '- line 7 <', new_text: '[... rest unchanged ...]\n- line 7 <' },
        }),
        text('I could not.'),
      ],
    });
    await memory.refresh();
    appendFileSync(rig.file, '- a line of another program\n');
    await session.say('Tidy the memory.');
    const failed = session.session.entries.flatMap((entry) =>
      entry.kind === 'tool_result' && entry.status === 'error' ? [JSON.stringify(entry.content)] : [],
    );
    expect(failed).toHaveLength(2);
    for (const said of failed) expect(said).toMatch(/was not changed: it is the project's memory/);
    for (const line of [...lines, '- a line of another program']) expect(rig.read()).toContain(line);
    expect(server.failures).toEqual([]);
  });

  it('is asked for after 15 rounds without a write, once, and never as conversation', async () => {
    const rounds: ScenarioFunction = ({ served }) => {
      if (served >= 40) return text('Done.');
      return toolUse('read_file', { path: `file-${served % 30}.txt` });
    };
    await begin({ scenario: rounds, models: [profile] });
    await session.say('Read everything.');
    const nudge = 'Nothing was written to the project memory';
    const sent = sentRequests(server.requests, session.session.entries);
    const nudges = session.session.entries.filter(
      (entry) => entry.kind === 'reminder' && entry.topic === 'memory_nudge',
    );
    // Where it is no longer shown after an answer it may come again; elsewhere it stays until the next break.
    expect(nudges).toHaveLength(profile.id === currentModel().id ? 2 : 1);
    expect(sent.findIndex(({ body }) => times(nudge, body) > 0)).toBe(15);
    for (const { body } of sent) {
      const last = body.messages.findLastIndex(({ role }) => role === 'user');
      const shown = body.messages.filter(
        (message, at) =>
          times(nudge, { ...body, system: undefined, tools: undefined, messages: [message] }) > 0 &&
          (message.clear_at !== 'next_user_message' || at > last),
      );
      expect(shown.length).toBeLessThanOrEqual(1);
    }
    expect(session.session.entries.filter(({ kind }) => kind === 'user')).toHaveLength(1);
    sent.slice(1).forEach(({ body }, index) => {
      expect(firstDifference(sent[index]!.body, body)).toBeUndefined();
    });
    expect(server.failures).toEqual([]);
  });
});

describe.each([currentModel(), classicModel()])('on $id, what a compaction covers', (profile) => {
  const found = [
    { text: 'The user wants httpie instead of curl.', category: 'preference', importance: 5 },
    { text: 'Files are numbered from 0, in file-7.txt too.', category: 'fact', importance: 2 },
  ];
  const memories = () => text(found.map((one) => JSON.stringify(one)).join('\n'));
  const compacted = async (extract: 'review' | 'automatic') => {
    rig.isAutomatic = extract === 'automatic';
    const options = { scenario: readingFiles(12), models: [profile], memories };
    await begin(options, { memory: { ...DEFAULT_MEMORY, extract } });
    await session.say('Read the files.');
    await session.session.compact();
    await waitFor(() => memory.store.all().length === 2);
  };

  it('is looked through, and waits for a person', async () => {
    await compacted('review');
    expect(server.requests.filter(isForMemories)).toHaveLength(1);
    const { proposals, memories: active } = await memory.refresh();
    expect(proposals.map(({ text: words }) => words).sort()).toEqual(
      found.map(({ text: words }) => words).sort(),
    );
    expect(active).toEqual([]);
    await session.say('Read on.');
    expect(times('httpie', lastBody())).toBe(0);
    expect(server.failures).toEqual([]);
  });

  it('or is remembered at once, and in the next request, with nothing broken that was not broken on purpose', async () => {
    await compacted('automatic');
    await session.say('Read on.');
    expect(rig.read()).toContain('The user wants httpie instead of curl.');
    expect(JSON.stringify(lastBody())).toContain('The user wants httpie instead of curl.');
    expect(server.failures).toEqual([]);
    expect(session.session.entries.filter(({ kind }) => kind === 'note')).toEqual([]);
  });

  it('M9: is nothing to another project', async () => {
    await compacted('automatic');
    await session.close();
    const other = new MemoryRig();
    memory = await other.window();
    server.play(() => text('Hello.'));
    await open('second');
    await session.say('Hello.');
    expect(JSON.stringify(lastBody())).not.toContain('httpie');
    await other.end();
  });
});
