import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/core/model/errors.ts';
import type { AgentEvent } from '../../../src/core/model/event.ts';
import type { Entry } from '../../../src/core/model/entry.ts';
import { text, thinking, toolUse } from '../../support/builders/entries.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { testTool } from '../../support/test-tools.ts';
import { testSession } from '../../support/test-session.ts';

const look = testTool('look', 'read', (what) => Promise.resolve(`seen ${what}`));
const use = (id: string, path = 'a.txt', name = 'look') => toolUse(id, { path }, name);
const usage = { input: 100, cacheRead: 0, cacheWrite: 0, output: 10 };

const kinds = (entries: readonly Entry[]): string => entries.map(({ kind }) => kind).join(' ');
const endOf = (events: readonly AgentEvent[]) => events.findLast((event) => event.type === 'turn_ended');
const results = (entries: readonly Entry[]) => entries.filter((entry) => entry.kind === 'tool_result');

describe('a turn', () => {
  it('calls the model and runs its tools until it answers without a call', async () => {
    const model = scriptedModel([
      { blocks: [text('Let me look.'), use('a')], stopReason: 'tool_use', usage },
      { blocks: [text('Done.')], usage },
    ]);
    const { session, events, say } = await testSession({ model, tools: [look] });
    await say('look at a.txt');
    expect(kinds(session.entries)).toBe(
      'session user prompt assistant usage tool_intent tool_result assistant usage',
    );
    expect(endOf(events)).toEqual({ type: 'turn_ended', end: 'done' });
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(model.requests[1]?.messages[2])).toContain('seen a.txt');
  });

  it('S9: has the message on disk before the model is called, and the intent before a tool runs', async () => {
    const seen: string[] = [];
    const model = scriptedModel([{ blocks: [use('a')] }, { blocks: [text('ok')] }]);
    const tool = testTool('look', 'read', () => {
      seen.push(kindsOnDisk());
      return Promise.resolve('x');
    });
    const { store, say } = await testSession({ model, tools: [tool] });
    const kindsOnDisk = () =>
      store
        .lines('s')
        .map((line) => (JSON.parse(line) as Entry).kind)
        .join(' ');
    const stream = model.stream.bind(model);
    model.stream = (...args) => (seen.push(kindsOnDisk()), stream(...args));
    await say('go');
    expect(seen).toEqual([
      'session user prompt',
      'session user prompt assistant tool_intent',
      'session user prompt assistant tool_intent tool_result',
    ]);
  });

  it('sends a bad call back to the model as an error result', async () => {
    const model = scriptedModel([
      { blocks: [toolUse('a', { pth: 1 }, 'look'), use('b', 'x', 'nope')] },
      { blocks: [text('sorry')] },
    ]);
    const { session, say } = await testSession({ model, tools: [look] });
    await say('go');
    const [bad, unknown] = results(session.entries);
    expect(bad).toMatchObject({
      status: 'error',
      content: [{ text: expect.stringContaining('path') as string }],
    });
    expect(unknown).toMatchObject({
      status: 'error',
      content: [{ text: expect.stringContaining('look') as string }],
    });
  });

  it('runs reads side by side, and a change only after all before it', async () => {
    const log: string[] = [];
    const step = (name: string, kind: 'read' | 'edit') =>
      testTool(name, kind, async (what) => {
        log.push(`+${what}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        log.push(`-${what}`);
        return 'ok';
      });
    const calls = [use('a', '1'), use('b', '2'), use('c', '3', 'change'), use('d', '4')];
    const model = scriptedModel([{ blocks: calls }, { blocks: [text('ok')] }]);
    const { session, say } = await testSession({
      model,
      tools: [step('look', 'read'), step('change', 'edit')],
      settings: { approvalMode: 'auto' },
    });
    await say('go');
    expect(log.join(' ')).toBe('+1 +2 -1 -2 +3 -3 +4 -4');
    expect(results(session.entries)).toHaveLength(4);
  });

  it('leaves nothing running when the log can no longer be written', async () => {
    const log: string[] = [];
    const slow = testTool('slow', 'read', async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      log.push('slow is over');
      return 'ok';
    });
    const model = scriptedModel([{ blocks: [use('a', 'x', 'slow'), use('b')] }]);
    const quick = testTool('look', 'read', () => {
      test.store.failNext = new Error('ENOSPC');
      return Promise.resolve('x');
    });
    const test = await testSession({ model, tools: [quick, slow] });
    const onEnd = test.say('go').then(() => log.push('turn is over'));
    await onEnd;
    expect(log).toEqual(['slow is over', 'turn is over']);
    expect(endOf(test.events)).toMatchObject({
      end: 'failed',
      error: { code: 'internal', detail: 'ENOSPC' },
    });
  });

  it('asks to go on at the round limit, and goes on where it stopped', async () => {
    const model = scriptedModel([{ blocks: [use('a')] }, { blocks: [use('b')] }, { blocks: [text('done')] }]);
    const { session, events, say, ended } = await testSession({
      model,
      tools: [look],
      settings: { maxRounds: 2 },
    });
    await say('go');
    expect(endOf(events)).toEqual({ type: 'turn_ended', end: 'limit' });
    expect(session.entries.at(-1)).toMatchObject({ kind: 'note', isLimit: true });
    await session.goOn();
    await ended();
    expect(endOf(events)).toEqual({ type: 'turn_ended', end: 'done' });
  });

  it('goes on after a reply that the output limit cut, and never runs the half call', async () => {
    const model = scriptedModel([
      { blocks: [text('I will now')], stopReason: 'max_tokens' },
      { blocks: [text('done')] },
    ]);
    const { events, say } = await testSession({ model });
    await say('go');
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('output limit');
    expect(endOf(events)).toEqual({ type: 'turn_ended', end: 'done' });
  });

  it('says with its parts what fills the window when a request does not fit, and calls nobody', async () => {
    const model = scriptedModel([], { window: 4_000 });
    const { session, events, say } = await testSession({ model });
    await say('word '.repeat(6_000));
    const end = endOf(events);
    expect(end).toMatchObject({
      end: 'failed',
      error: { code: 'context_full', detail: expect.stringContaining('your messages') as string },
    });
    expect(model.requests).toHaveLength(0);
    expect(session.entries.at(-1)).toMatchObject({ kind: 'note', error: { code: 'context_full' } });
  });

  it('heals reasoning that the server binds elsewhere, once, by leaving it out', async () => {
    const bound = new ModelError('thinking_binding', 'bound to a different conversation');
    const model = scriptedModel([{ blocks: [thinking('hm'), use('a')] }, bound, { blocks: [text('ok')] }]);
    const { events, say } = await testSession({ model, tools: [look] });
    await say('go');
    expect(JSON.stringify(model.requests[1])).toContain('"thinking":"hm"');
    expect(JSON.stringify(model.requests[2])).not.toContain('"thinking":"hm"');
    expect(endOf(events)).toMatchObject({ end: 'done' });
  });
});

describe('calls with ids that cannot serve', () => {
  it('get one of their own before anybody asks, runs or shows them by it', async () => {
    const model = scriptedModel([
      { blocks: [use('call_0'), use('functions.look:1')] },
      { blocks: [use('call_0')] },
      { blocks: [text('ok')] },
    ]);
    const { session, events, say } = await testSession({ model, tools: [look] });
    await say('go');
    const ids = results(session.entries).map(({ toolUseId }) => toolUseId);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\w-]+$/);
    const started = events.flatMap((event) => (event.type === 'tool_started' ? [event.toolUseId] : []));
    expect(started.sort()).toEqual([...ids].sort());
  });
});

describe('a call that fails', () => {
  const busy = (options = {}) => new ModelError('rate_limit', 'slow down', options);

  it('is made again after the time the server asks for, and what it had streamed is void', async () => {
    const model = scriptedModel([busy({ retryAfterMs: 30_000 }), busy(), { blocks: [text('ok')] }]);
    const { events, clock, say } = await testSession({ model });
    await say('go');
    const waits = clock.slept.filter((ms) => ms > 200);
    expect(waits[0]).toBe(30_000);
    expect(waits[1]).toBeGreaterThanOrEqual(1_500);
    expect(waits[1]).toBeLessThanOrEqual(2_000);
    expect(events.filter(({ type }) => type === 'stream_discarded')).toHaveLength(2);
    expect(endOf(events)).toMatchObject({ end: 'done' });
  });

  it('is made again too when it only asks which model there is', async () => {
    const model = scriptedModel([{ blocks: [text('ok')] }]);
    const resolve = model.resolve.bind(model);
    let tries = 0;
    model.resolve = (...args) => ((tries += 1) < 3 ? Promise.reject(busy()) : resolve(...args));
    const { events, say } = await testSession({ model });
    await say('go');
    expect(endOf(events)).toMatchObject({ end: 'done' });
    expect(events.filter(({ type }) => type === 'retry_scheduled')).toHaveLength(2);
  });

  it('is given up after five tries, with the provider’s words', async () => {
    const model = scriptedModel(Array.from({ length: 6 }, () => busy()));
    const { events, say } = await testSession({ model });
    await say('go');
    expect(model.requests).toHaveLength(6);
    expect(endOf(events)).toMatchObject({
      end: 'failed',
      error: { code: 'rate_limit', detail: 'slow down', canRetry: true },
    });
  });

  it('is not made again when that cannot help, but can be retried by hand', async () => {
    const model = scriptedModel([
      new ModelError('auth', 'bad key', { status: 401 }),
      { blocks: [text('hello')] },
    ]);
    const { session, events, say, ended } = await testSession({ model });
    await say('go');
    expect(endOf(events)).toMatchObject({
      end: 'failed',
      error: { code: 'auth', detail: 'bad key (status 401)' },
    });
    await session.goOn();
    await ended();
    expect(endOf(events)).toMatchObject({ end: 'done' });
    expect(session.entries.filter(({ kind }) => kind === 'user')).toHaveLength(1);
  });
});
