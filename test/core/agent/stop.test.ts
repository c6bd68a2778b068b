import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/model/event.ts';
import type { Entry } from '../../../src/core/model/entry.ts';
import { text, toolUse } from '../../support/builders/entries.ts';
import { hangAfter, scriptedModel } from '../../support/scripted-model.ts';
import { hang, testTool } from '../../support/test-tools.ts';
import { testSession, waitFor } from '../../support/test-session.ts';

const look = testTool('look', 'read', (what) => Promise.resolve(`seen ${what}`));
const use = (id: string, path = 'a.txt', name = 'look') => toolUse(id, { path }, name);

const endOf = (events: readonly AgentEvent[]) => events.findLast((event) => event.type === 'turn_ended');
const results = (entries: readonly Entry[]) => entries.filter((entry) => entry.kind === 'tool_result');

describe('Stop', () => {
  it('in mid-stream keeps what was said, and the next request is valid', async () => {
    const model = scriptedModel([hangAfter('Once upon a'), { blocks: [text('time')] }]);
    const { session, events, say } = await testSession({ model });
    await session.send('tell me');
    await waitFor(() => events.some(({ type }) => type === 'text_delta'));
    await session.stop();
    expect(endOf(events)).toEqual({ type: 'turn_ended', end: 'stopped' });
    expect(session.entries.find(({ kind }) => kind === 'assistant')).toMatchObject({
      stopReason: 'aborted',
      blocks: [text('Once upon a')],
    });
    await say('go on');
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('in mid-tool gives every call of the message its result', async () => {
    const slow = testTool('slow', 'command', (_, signal) => hang(signal));
    const model = scriptedModel([{ blocks: [use('a'), use('b', 'x', 'slow'), use('c')] }]);
    const { session, events } = await testSession({
      model,
      tools: [look, slow],
      settings: { approvalMode: 'auto' },
    });
    await session.send('go');
    await waitFor(() => events.some((event) => event.type === 'tool_started' && event.toolUseId === 'b'));
    await session.stop();
    expect(results(session.entries).map(({ toolUseId, status }) => `${toolUseId} ${status}`)).toEqual([
      'a ok',
      'b interrupted',
      'c interrupted',
    ]);
    expect(endOf(events)).toEqual({ type: 'turn_ended', end: 'stopped' });
  });

  it('tells the model which call had begun and which had not, for only one of them may be done twice', async () => {
    const slow = testTool('slow', 'command', (_, signal) => hang(signal));
    const model = scriptedModel([{ blocks: [use('a', 'x', 'slow'), use('b')] }]);
    const { session, events } = await testSession({
      model,
      tools: [look, slow],
      settings: { approvalMode: 'auto' },
    });
    await session.send('go');
    await waitFor(() => events.some(({ type }) => type === 'tool_started'));
    await session.stop();
    const texts = results(session.entries).map(({ content: [part] }) =>
      part?.type === 'text' ? part.text : '',
    );
    expect(texts[0]).toContain('outcome is unknown');
    expect(texts[1]).toContain('not started');
  });

  it('does not wait for the tokenizer', async () => {
    const model = scriptedModel([], { window: 4_000 });
    const never = new Promise<undefined>(() => undefined);
    const { session, events, ended } = await testSession({ model, counter: { count: () => never } });
    await session.send('word '.repeat(6_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await session.stop();
    await ended();
    expect(endOf(events)).toEqual({ type: 'turn_ended', end: 'stopped' });
  });

  it('while a question waits, and while a retry waits', async () => {
    const edit = testTool('change', 'edit', () => Promise.resolve('changed'));
    const model = scriptedModel([{ blocks: [use('a', 'x', 'change')] }]);
    const { session, events } = await testSession({ model, tools: [edit] });
    await session.send('go');
    await waitFor(() => events.some(({ type }) => type === 'approval_requested'));
    await session.stop();
    expect(results(session.entries)).toMatchObject([
      { status: 'interrupted', content: [{ text: expect.stringContaining('not started') as string }] },
    ]);
  });
});
