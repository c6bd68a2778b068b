import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { pause, redactedThinking, stop, text, thinking, toolUse } from '../support/model-server/scenario.ts';
import { currentModel } from '../support/model-server/profiles.ts';
import { clientOf, request, TOOL } from './sdk-client.ts';
import { serverWith } from './servers.ts';

const THINKING = { thinking: { type: 'adaptive' } } as const;
const scenario = () => [
  thinking('The file first. 🐟'),
  text('I read **it** and say 👩‍👩‍👧 so.'),
  toolUse('read_file', { path: 'src/a.ts', offset: 3 }),
];

describe('a reply', () => {
  it('is streamed in the order of the real server, and adds up to the message', async () => {
    const server = await serverWith({ scenario, deltaChars: 7 });
    const types: string[] = [];
    const stream = clientOf(server).messages.stream(request({ ...THINKING, tools: [TOOL] }));
    stream.on('streamEvent', (event) => {
      const type = event.type === 'content_block_delta' ? event.delta.type : event.type;
      if (types.at(-1) !== type) types.push(type);
    });
    const message = await stream.finalMessage();
    expect(types).toEqual([
      'message_start',
      ...['content_block_start', 'thinking_delta', 'signature_delta', 'content_block_stop'],
      ...['content_block_start', 'text_delta', 'content_block_stop'],
      ...['content_block_start', 'input_json_delta', 'content_block_stop'],
      'message_delta',
      'message_stop',
    ]);
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'The file first. 🐟', signature: expect.stringMatching(/./) as string },
      { type: 'text', text: 'I read **it** and say 👩‍👩‍👧 so.' },
      { type: 'tool_use', name: 'read_file', input: { path: 'src/a.ts', offset: 3 } },
    ]);
    expect(message.stop_reason).toBe('tool_use');
    expect(message.usage.output_tokens).toBeGreaterThan(message.usage.output_tokens_details!.thinking_tokens);
  });

  it('pings, as the wire shows', async () => {
    const server = await serverWith();
    const response = await clientOf(server)
      .messages.create({ ...request(), stream: true })
      .asResponse();
    const names = (await response.text()).match(/^event: .*/gm);
    expect(names?.slice(0, 3)).toEqual(['event: message_start', 'event: content_block_start', 'event: ping']);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
  });

  it('is the same without a stream', async () => {
    const server = await serverWith({ scenario });
    const message = await clientOf(server).messages.create(request({ ...THINKING, tools: [TOOL] }));
    expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use']);
    expect(message).toMatchObject({ type: 'message', role: 'assistant', stop_reason: 'tool_use' });
    expect(server.requests[0]).toMatchObject({
      path: '/v1/messages',
      verdict: { kind: 'answered', stopReason: 'tool_use', content: [{ type: 'thinking' }, {}, {}] },
      usage: { input: message.usage.input_tokens, output: message.usage.output_tokens },
    });
  });

  it('thinks only when it is asked to, and in silence when it is asked to', async () => {
    const server = await serverWith({ scenario: () => [thinking('hm'), redactedThinking(), text('ok')] });
    const types = async (changes: Parameters<typeof request>[0]) =>
      (await clientOf(server).messages.create(request(changes))).content;
    expect(await types({})).toMatchObject([{ type: 'text' }]);
    expect(await types(THINKING)).toMatchObject([{ thinking: 'hm' }, { type: 'redacted_thinking' }, {}]);
    expect(await types({ thinking: { type: 'adaptive', display: 'omitted' } })).toMatchObject([
      { thinking: '' },
      {},
      {},
    ]);
  });

  it('is cut by max_tokens, in the middle of a call too', async () => {
    const server = await serverWith({ scenario: () => toolUse('read_file', { path: 'word '.repeat(200) }) });
    const long = await clientOf(server).messages.create(request({ max_tokens: 50, tools: [TOOL] }));
    expect(long.stop_reason).toBe('max_tokens');

    server.play(() => toolUse('read_file', { path: 'a.txt', note: 'x' }, { cutAfter: 20 }));
    const stream = clientOf(server).messages.stream(request({ tools: [TOOL] }));
    const partial = await stream.finalMessage();
    expect(partial).toMatchObject({ stop_reason: 'max_tokens', content: [{ input: { path: 'a.txt' } }] });
  });

  it('stops at the end of the window', async () => {
    const models = [currentModel({ window: 500 })];
    const server = await serverWith({ models, scenario: () => text('word '.repeat(600)) });
    const reply = await clientOf(server).messages.create(request());
    expect(reply.stop_reason).toBe('model_context_window_exceeded');
    expect(reply.usage.input_tokens + reply.usage.output_tokens).toBeLessThanOrEqual(501);
  });

  it('stops for the reason the scenario gives', async () => {
    const server = await serverWith({ scenario: () => [text('no'), stop('refusal')] });
    expect(await clientOf(server).messages.create(request())).toMatchObject({ stop_reason: 'refusal' });
  });

  it('that nobody hears to its end is recorded as such', async () => {
    const never = new Promise(() => undefined);
    const server = await serverWith({ scenario: () => [text('one'), pause(never), text('two')] });
    const stream = clientOf(server).messages.stream(request());
    const heard = new Promise<string>((resolve) => stream.on('text', resolve));
    expect(await heard).toBe('one');
    stream.abort();
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    await expect.poll(() => server.requests[0]?.verdict.kind).toBe('hung_up');
    expect(server.failures).toEqual([]);
  });
});

describe('thinking that comes back unchanged', () => {
  const rounds = () => [thinking('hm'), text('reading'), toolUse('read_file', { path: 'a' })];

  /** A conversation of tool rounds, each request as the agent would send it. */
  async function converse(client: Anthropic, turns: number, change: (index: number) => object = () => ({})) {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'hello' }];
    for (let turn = 0; turn < turns; turn++) {
      const reply = await client.messages.create({
        ...request({ ...THINKING, tools: [TOOL], messages }),
        ...change(turn),
      });
      const call = reply.content.find((block) => block.type === 'tool_use')!;
      messages.push({ role: 'assistant', content: reply.content });
      messages.push({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call.id, content: 'done' }],
      });
    }
    return messages;
  }

  it('is welcome, whatever the cache marks', async () => {
    const server = await serverWith({ scenario: rounds });
    await converse(clientOf(server), 5, (turn) => (turn % 2 ? { cache_control: { type: 'ephemeral' } } : {}));
    expect(server.failures).toEqual([]);
  });

  it('may be left out from the start, and a system message may be said at the end', async () => {
    const server = await serverWith({ scenario: rounds });
    const client = clientOf(server);
    const messages = await converse(client, 3);
    const first = messages[1] as { content: Anthropic.ContentBlockParam[] };
    first.content = first.content.slice(1);
    messages.push({ role: 'system', content: 'The user is in a hurry.' });
    await client.messages.create(request({ ...THINKING, tools: [TOOL], messages }));
    expect(server.failures).toEqual([]);
  });

  it('is not read by another model', async () => {
    const models = [currentModel(), currentModel({ id: 'claude-sim-other' })];
    const server = await serverWith({ scenario: rounds, models });
    await converse(clientOf(server), 4, (turn) =>
      turn === 2 ? { model: 'claude-sim-other', system: 'New.' } : {},
    );
    expect(server.failures).toEqual([]);
  });

  it('is known again after the server was started anew', async () => {
    const before = await serverWith({ scenario: rounds });
    const messages = await converse(clientOf(before), 2);
    const after = await serverWith({ scenario: rounds });
    await clientOf(after).messages.create(request({ ...THINKING, tools: [TOOL], messages }));
    expect(after.failures).toEqual([]);
  });
});
