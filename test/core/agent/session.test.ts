import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/core/model/entry.ts';
import { text, toolUse } from '../../support/builders/entries.ts';
import { MemoryLogStore } from '../../support/memory-log-store.ts';
import { hangAfter, scriptedModel } from '../../support/scripted-model.ts';
import { hang, testTool } from '../../support/test-tools.ts';
import { testSession, waitFor } from '../../support/test-session.ts';

const kinds = (entries: readonly Entry[]): string => entries.map(({ kind }) => kind).join(' ');
const users = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
const look = testTool('look', 'read', (what) => Promise.resolve(`seen ${what}`));
const use = (id: string, name = 'look') => toolUse(id, { path: 'a.txt' }, name);

describe('a session', () => {
  it('begins its log once, and is the same after reopening', async () => {
    const store = new MemoryLogStore();
    const first = await testSession({ model: scriptedModel([{ blocks: [text('hi')] }]), store });
    await first.say('hello');
    const again = await testSession({ model: scriptedModel([]), store });
    expect(again.session.entries).toEqual(first.session.entries);
    expect(kinds(again.session.entries)).toBe('session user prompt assistant');
  });

  it('does not take a message that could not be written', async () => {
    const { session, store, say } = await testSession({ model: scriptedModel([{ blocks: [text('hi')] }]) });
    store.failNext = new Error('ENOSPC');
    await expect(session.send('lost?')).rejects.toThrow('ENOSPC');
    expect(session.isRunning).toBe(false);
    await say('kept');
    expect(users(session.entries)).toEqual(['kept']);
  });

  it.each(['', '   ', '\n\t \n'])('does not take a message that says nothing: %j', async (blank) => {
    const model = scriptedModel([{ blocks: [text('hi')] }, { blocks: [text('yes?')] }]);
    const { session, say } = await testSession({ model });
    await say('hello');
    const before = session.entries;
    await expect(session.send(blank)).rejects.toThrow('empty');
    expect(session.entries).toEqual(before);
    expect(session.isRunning).toBe(false);
    await say('still here');
    expect(model.requests).toHaveLength(2);
    expect(users(session.entries)).toEqual(['hello', 'still here']);
  });

  it('C3: a call that a killed process left open is answered on opening, and the next request is valid', async () => {
    const store = new MemoryLogStore();
    const slow = testTool('slow', 'command', (_, signal) => hang(signal));
    const dying = await testSession({
      model: scriptedModel([{ blocks: [use('a'), use('b', 'slow')] }]),
      tools: [look, slow],
      store,
      settings: { approvalMode: 'auto' },
    });
    await dying.session.send('go');
    await waitFor(() =>
      dying.events.some((event) => event.type === 'tool_started' && event.toolUseId === 'b'),
    );
    const model = scriptedModel([{ blocks: [text('I see')] }]);
    const reopened = await testSession({ model, tools: [look, slow], store });
    expect(reopened.session.entries.slice(-2)).toMatchObject([
      { kind: 'tool_result', toolUseId: 'b', status: 'interrupted' },
      { kind: 'note', error: { code: 'interrupted', canRetry: true } },
    ]);
    await reopened.say('go on');
    const [, , answers] = model.requests[0]!.messages;
    expect(
      answers?.content.map((block) =>
        block.type === 'tool_result' ? `${block.toolUseId} ${block.isError}` : block.type,
      ),
    ).toEqual(['a false', 'b true', 'text']);
  });

  it('says that an answer was cut off by a crash, once, and nothing where a turn came to an end', async () => {
    const store = new MemoryLogStore();
    const dying = await testSession({ model: scriptedModel([hangAfter('half')]), store });
    await dying.session.send('go');
    await waitFor(() => dying.events.some(({ type }) => type === 'text_delta'));
    const model = scriptedModel([{ blocks: [text('whole')] }]);
    const reopened = await testSession({ model, store });
    expect(reopened.session.entries.at(-1)).toMatchObject({ kind: 'note', error: { code: 'interrupted' } });
    const again = await testSession({ model: scriptedModel([]), store });
    expect(again.session.entries).toEqual(reopened.session.entries);
    await reopened.session.goOn();
    await reopened.ended();
    const after = await testSession({ model: scriptedModel([]), store });
    expect(after.session.entries.at(-1)?.kind).toBe('assistant');
  });

  it('queues what is said while a turn runs: on disk at once, in the next request, each exactly once and in order', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slow = testTool('slow', 'read', () => gate.then(() => 'ok'));
    const model = scriptedModel([{ blocks: [use('a', 'slow')] }, { blocks: [text('noted')] }]);
    const { session, store, events, ended } = await testSession({ model, tools: [slow] });
    await session.send('go');
    await waitFor(() => events.some(({ type }) => type === 'tool_started'));
    await session.send('probe-1');
    await session.send('probe-2');
    expect(store.lines('s').filter((line) => line.includes('"queue"'))).toHaveLength(2);
    release();
    await ended();
    expect(users(session.entries)).toEqual(['go', 'probe-1', 'probe-2']);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1)).match(/probe-\d/g)).toEqual([
      'probe-1',
      'probe-2',
    ]);
    expect(JSON.stringify(model.requests[0])).not.toContain('probe');
  });

  it('answers in a turn of its own what was said when the last answer was already on its way', async () => {
    const model = scriptedModel([hangAfterFirst(), { blocks: [text('two')] }]);
    const { session, events, ended } = await testSession({ model });
    await session.send('one');
    await waitFor(() => events.some(({ type }) => type === 'text_delta'));
    await session.send('two');
    releaseFirst();
    await ended();
    expect(users(session.entries)).toEqual(['one', 'two']);
    expect(model.requests).toHaveLength(2);
  });

  it('leaves queued messages waiting after a stop; they go before the next one', async () => {
    const model = scriptedModel([hangAfter('hm'), { blocks: [text('ok')] }]);
    const { session, events, say } = await testSession({ model });
    await session.send('one');
    await waitFor(() => events.some(({ type }) => type === 'text_delta'));
    await session.send('two');
    await session.stop();
    expect(users(session.entries)).toEqual(['one']);
    await say('three');
    expect(users(session.entries)).toEqual(['one', 'two', 'three']);
  });

  it('answers in a turn of its own what was said while a stopped turn was still ending', async () => {
    let end = (): void => undefined;
    const ending = new Promise<void>((resolve) => (end = resolve));
    const slow = testTool('slow', 'read', () => ending.then(() => 'killed'));
    const model = scriptedModel([{ blocks: [use('a', 'slow')] }, { blocks: [text('heard')] }]);
    const { session, events, ended } = await testSession({ model, tools: [slow] });
    await session.send('one');
    await waitFor(() => events.some(({ type }) => type === 'tool_started'));
    const stopped = session.stop();
    const sent = session.send('two');
    end();
    await Promise.all([stopped, sent]);
    await ended();
    expect(users(session.entries)).toEqual(['one', 'two']);
    expect(model.requests).toHaveLength(2);
  });

  it('sends what waits when it is told to go on', async () => {
    const model = scriptedModel([hangAfter('hm'), { blocks: [text('ok')] }]);
    const { session, events, ended } = await testSession({ model });
    await session.send('one');
    await waitFor(() => events.some(({ type }) => type === 'text_delta'));
    await session.send('two');
    await session.stop();
    await session.goOn();
    await ended();
    expect(users(session.entries)).toEqual(['one', 'two']);
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('system-reminder');
  });

  it('stops a turn that is only about to begin', async () => {
    const model = scriptedModel([{ blocks: [text('too late')] }]);
    const { session, events } = await testSession({ model });
    const sent = session.send('one');
    await session.stop();
    await sent;
    expect(events.at(-1)).toEqual({ type: 'turn_ended', end: 'stopped' });
    expect(model.requests).toHaveLength(0);
    expect(users(session.entries)).toEqual(['one']);
  });

  it('goes on after a stop without putting words into the user’s mouth', async () => {
    const model = scriptedModel([hangAfter('Once'), { blocks: [text('upon')] }]);
    const { session, events, ended } = await testSession({ model });
    await session.send('tell');
    await waitFor(() => events.some(({ type }) => type === 'text_delta'));
    await session.stop();
    await session.goOn();
    await ended();
    expect(users(session.entries)).toEqual(['tell']);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain(
      '<system-reminder topic=\\"resume\\">',
    );
  });
});

let releaseFirst = (): void => undefined;

/** Streams a word, and the whole message once it is released. */
function hangAfterFirst() {
  const gate = new Promise<void>((resolve) => (releaseFirst = resolve));
  return async function* () {
    yield { type: 'text_delta' as const, text: 'one' };
    await gate;
    const message = {
      id: 'm',
      model: 'm',
      blocks: [{ type: 'text' as const, text: 'one' }],
      stopReason: 'end_turn' as const,
    };
    yield { type: 'message' as const, message };
  };
}
