import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { counterOf, textCounter } from '../support/billed-session.ts';
import type { Fault } from '../support/model-server/faults.ts';
import { classicModel, currentModel } from '../support/model-server/profiles.ts';
import { text, toolUse } from '../support/model-server/scenario.ts';
import { workingSession } from '../support/working-session.ts';
import type { WorkingOptions, WorkingSession } from '../support/working-session.ts';

/** Whole sessions over HTTP, on machines that do other things as well. */
vi.setConfig({ testTimeout: 120_000 });

let work: WorkingSession;
afterEach(() => work.close());

const notes = () => work.entries.flatMap((entry) => (entry.kind === 'note' ? [entry.text] : []));
const calls = () => work.server.requests.filter(({ path: at }) => at === '/v1/messages');
const reliefs = () =>
  work.entries.filter((entry) => entry.kind === 'compaction' || entry.kind === 'eviction');
const ends = () => work.events.flatMap((event) => (event.type === 'turn_ended' ? [event.end] : []));
const size = (index: number) => JSON.stringify(calls()[index]?.body?.messages).length;

const PROFILES = [currentModel(), classicModel()];
const refusal = (status: number, message: string, type?: string): Fault => ({
  kind: 'status',
  status,
  message,
  ...(type && { type }),
});

describe.each(PROFILES)('a request that is too long for $id', (profile) => {
  const begin = (options: Partial<WorkingOptions> = {}) => workingSession({ profile, rounds: 6, ...options });

  it.each([
    ['400, prompt is too long', refusal(400, 'prompt is too long: 213507 tokens > 12000 maximum'), 12_000],
    [
      '400, with max_tokens',
      refusal(
        400,
        'input length and `max_tokens` exceed context limit: 9000 + 4000 > 12000, decrease input length or `max_tokens` and try again',
      ),
      12_000,
    ],
    ['413', refusal(413, 'Request exceeds the maximum size', 'request_too_large'), undefined],
    ['context_length_exceeded', refusal(400, 'too much', 'context_length_exceeded'), undefined],
    [
      'llama.cpp',
      refusal(
        400,
        'the request exceeds the available context size (12032 tokens), try increasing it',
        'exceed_context_size_error',
      ),
      12_032,
    ],
    [
      'an input length',
      refusal(400, 'Input length 131393 exceeds the maximum allowed input length of 12040 tokens'),
      12_040,
    ],
  ] as const)(
    'P3: refused as %s is sent again smaller, once, and the limit is learnt',
    async (_, fault, limit) => {
      work = await begin();
      await work.say('Read the files. Use httpie only.');
      const before = calls().length;
      work.server.faults.next(fault);
      await work.say('Go on.');
      expect(ends()).toEqual(['done', 'done']);
      expect(work.server.failures).toEqual([]);
      expect(size(before + 1)).toBeLessThan(size(before));
      expect(reliefs()[0]?.trigger).toBe('too_long');
      expect(JSON.stringify(calls().at(-1)?.body)).toContain('Use httpie only.');
      const windows = work.entries.flatMap((entry) => (entry.kind === 'usage' ? [entry.budget.window] : []));
      expect(windows.at(-1)).toBe(limit ?? 200_000);
    },
  );

  it('P3: refused again and again is tried twice more, each time smaller, and then told', async () => {
    work = await begin();
    await work.say('Read the files.');
    const before = calls().length;
    work.server.faults.next(refusal(400, 'prompt is too long'), { times: 3 });
    await work.say('Go on.');
    expect(calls().length).toBeLessThanOrEqual(before + 3);
    for (let index = before + 1; index < calls().length; index += 1)
      expect(size(index)).toBeLessThan(size(index - 1));
    expect(ends()).toEqual(['done', 'failed']);
    expect(notes()).toContain('The conversation does not fit the model’s window');
    work.server.faults.clear();
    await work.session.goOn();
    await work.ended();
    expect(ends().at(-1)).toBe('done');
    expect(work.server.failures).toEqual([]);
  });

  it('P3: is told from a rate limit that speaks of tokens, which is waited for', async () => {
    work = await begin({ session: { skipsWaiting: true } });
    await work.say('Read the files.');
    work.server.faults.next(
      refusal(
        429,
        'This request would exceed your rate limit of 30,000 input tokens per minute: too many tokens',
      ),
    );
    await work.say('Go on.');
    expect(ends()).toEqual(['done', 'done']);
    expect(reliefs()).toEqual([]);
  });

  it.each([
    ['says nothing of its window', { ...profile, window: 24_000, tellsLimits: false }, {}],
    ['says twice too much', { ...profile, window: 24_000 }, { window: 48_000 }],
  ] as const)(
    'C1: on a server that %s, the limit is learnt from the first refusal',
    async (_, small, own) => {
      work = await workingSession({
        profile: small,
        rounds: 40,
        expects: ['prompt-length', 'window-overflow'],
        session: { settings: own },
      });
      await work.say('Read the files. Use httpie only.');
      expect(work.server.failures).toEqual([]);
      expect(ends()).toEqual(['done']);
      const refused = calls().filter(({ verdict }) => verdict.kind === 'refused');
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.length).toBeLessThanOrEqual(2);
      const sent = calls().map(({ body }) => JSON.stringify(body));
      for (const { body } of refused)
        expect(sent.filter((one) => one === JSON.stringify(body))).toHaveLength(1);
      expect(JSON.stringify(calls().at(-1)?.body)).toContain('Use httpie only.');
    },
  );

  it('C11: with one huge result and a server that takes no large body, shrinks that result and lives on', async () => {
    work = await workingSession({
      profile,
      rounds: 1,
      expects: ['body-size'],
      maxBodyBytes: 50_000,
      scenario: ({ served }) =>
        served === 0
          ? Array.from({ length: 8 }, (_, n) => toolUse('read_file', { path: `huge-${n}.txt` }))
          : text('I see.'),
    });
    for (let n = 0; n < 8; n += 1)
      writeFileSync(path.join(work.place.folder, `huge-${n}.txt`), `${`line ${n} of it\n`.repeat(1_900)}`);
    await work.say('Read the huge files.');
    expect(ends()).toEqual(['done']);
    expect(calls().filter(({ verdict }) => verdict.kind === 'refused')).toHaveLength(1);
    expect(reliefs().map(({ kind }) => kind)).toEqual(['eviction']);
    await work.say('And now?');
    expect(ends()).toEqual(['done', 'done']);
    expect(work.server.failures).toEqual([]);
  });

  it('C1: after a move to a server whose window is a fraction of what was said, goes on from what fits', async () => {
    work = await begin({ rounds: 30 });
    await work.say('Read the files. Use httpie only.');
    const held = work.entries.findLast((entry) => entry.kind === 'usage')!.usage;
    expect(held.input + held.cacheRead + held.cacheWrite).toBeGreaterThan(30_000);
    await work.move({
      models: [{ ...profile, window: 14_000, tellsLimits: false }],
      scenario: () => text('On we go.'),
      expects: ['prompt-length', 'window-overflow'],
    });
    await work.say('Go on.');
    expect(ends()).toEqual(['done']);
    expect(work.server.failures).toEqual([]);
    expect(calls().length).toBeLessThanOrEqual(3);
    expect(JSON.stringify(calls().at(-1)?.body)).toContain('Use httpie only.');
  });

  it('T13: on a server that clips in silence, says so once', async () => {
    // Only real counts can tell that less was read than was sent.
    const session = { counter: counterOf(textCounter()) };
    work = await begin({ rounds: 12, clipsAt: 4_096, session });
    await work.say('Read the files.');
    await work.say('Go on.');
    expect(work.server.failures).toEqual([]);
    expect(notes().filter((note) => /cut requests short/.test(note))).toHaveLength(1);
    // What it says it has read is not what the next request is measured by.
    const reports = work.entries.flatMap((entry) => (entry.kind === 'usage' ? [entry] : []));
    const clipped = reports.findIndex(({ isClipped }) => isClipped === true);
    expect(reports.slice(clipped).every(({ isClipped }) => isClipped)).toBe(true);
    for (const { estimated } of reports.slice(clipped)) expect(estimated).toBeGreaterThan(4_096 + 500);
  });

  it('T2: on a server that reports no usage is prevented by the estimate alone', async () => {
    work = await begin({ rounds: 30, window: 32_000, lacks: ['usage'] });
    await work.say('Read the files.');
    expect(ends()).toEqual(['done']);
    expect(work.server.failures).toEqual([]);
    expect(reliefs().length).toBeGreaterThan(0);
  });
});
