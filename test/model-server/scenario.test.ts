import type Anthropic from '@anthropic-ai/sdk';
import { InternalServerError } from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { byUserText, fact, redactedThinking, text, toolUse } from '../support/model-server/scenario.ts';
import { clientOf, failureOf, request, result, TOOL, use } from './sdk-client.ts';
import { serverWith } from './servers.ts';

describe('a scenario', () => {
  const history = (content: string): Anthropic.MessageParam[] => [
    { role: 'user', content: 'count' },
    { role: 'assistant', content: [use('a')] },
    { role: 'user', content: [result('a', content)] },
  ];

  it('quotes facts out of the tool results', async () => {
    const scenario = () => [
      text('It is ', fact(/count: (\d+)/), '.'),
      toolUse('read_file', {
        path: fact(/file (\S+)/, { from: 'all' }),
        deep: [{ n: 1, ok: true, none: null }],
      }),
    ];
    const server = await serverWith({ scenario });
    const messages = history('count: 42 in file b.txt');
    const { content } = await clientOf(server).messages.create(request({ messages, tools: [TOOL] }));
    expect(content).toMatchObject([
      { text: 'It is 42.' },
      { input: { path: 'b.txt', deep: [{ n: 1, ok: true, none: null }] } },
    ]);
  });

  it('fails when a fact is missing: for the client, and for the test', async () => {
    const server = await serverWith({ scenario: () => text('It is ', fact(/count: (\d+)/)) });
    const create = clientOf(server).messages.create(request({ messages: history('nothing'), tools: [TOOL] }));
    expect(await failureOf(create)).toBeInstanceOf(InternalServerError);
    expect(server.failures).toMatchObject([{ request: 0, rule: 'scenario' }]);
    expect(server.failures[0]?.message).toContain('fact not in the request: /count: (\\d+)/');
  });

  it('takes a fact that only a function can find', async () => {
    const server = await serverWith({
      scenario: () => text(fact(({ lastUserText }) => lastUserText.toUpperCase())),
    });
    const { content } = await clientOf(server).messages.create(request());
    expect(content).toMatchObject([{ text: 'HELLO' }]);
  });

  it('is a list of steps, one for each answer in the conversation', async () => {
    const server = await serverWith({ scenario: [toolUse('read_file'), [redactedThinking(), text('two')]] });
    const say = (messages: Anthropic.MessageParam[]) =>
      clientOf(server).messages.create(request({ messages, tools: [TOOL] }));
    expect((await say([{ role: 'user', content: 'hi' }])).content).toMatchObject([{ type: 'tool_use' }]);
    expect((await say(history('x'))).content).toMatchObject([{ text: 'two' }]);
    const longer = [
      ...history('x'),
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'go on' },
    ] as const;
    expect(await failureOf(say([...longer]))).toBeInstanceOf(InternalServerError);
    expect(server.failures[0]?.message).toContain('no reply for answer 2 (round 0 of turn 1, "go on")');
  });

  it('can follow what the person said last, whatever reminders say', async () => {
    const scenario = byUserText([
      [/count/, [text('first'), text('second')]],
      [/sing/, [text('la')]],
    ]);
    const server = await serverWith({ scenario });
    const messages = history('x');
    messages[2] = {
      role: 'user',
      content: [result('a'), { type: 'text', text: '<reminder topic="todo">\nsing\n</reminder>' }],
    };
    const { content } = await clientOf(server).messages.create(request({ messages, tools: [TOOL] }));
    expect(content).toMatchObject([{ text: 'second' }]);
    const { content: song } = await clientOf(server).messages.create(
      request({ messages: [{ role: 'user', content: 'sing' }] }),
    );
    expect(song).toMatchObject([{ text: 'la' }]);
  });

  it('whose own code throws is a failure that is told', async () => {
    const scenario = () => {
      throw new TypeError('oops');
    };
    const server = await serverWith({ scenario });
    await failureOf(clientOf(server).messages.create(request()));
    expect(server.failures).toMatchObject([{ rule: 'scenario', message: 'TypeError: oops' }]);
    server.reset();
    expect([server.failures, server.requests]).toEqual([[], []]);
  });
});
