import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import type { ModelServer } from '../support/model-server/model-server.ts';
import { currentModel } from '../support/model-server/profiles.ts';
import type { ScenarioRequest } from '../support/model-server/conversation.ts';
import { fail, stop, text, thinking, toolUse } from '../support/model-server/scenario.ts';
import type { Reply } from '../support/model-server/scenario.ts';
import { badSummaries } from '../support/model-server/summaries.ts';
import type { Changes } from './compaction-cases.ts';
import { COMPACTION, SUMMARIZE, summarize } from './compaction-cases.ts';
import { assistant, system, user } from './rule-case.ts';
import { clientOf, failureOf, request, result, TOOL } from './sdk-client.ts';
import { serverWith } from './servers.ts';

const BASE: Changes = { thinking: { type: 'adaptive' }, tools: [TOOL] };
const round = (): Reply => [thinking('hm'), text('reading'), toolUse('read_file', { path: 'src/a.ts' })];

const send = (server: ModelServer, changes: Changes) =>
  clientOf(server).messages.create(request({ ...BASE, ...changes }), { headers: COMPACTION });

/** So many rounds of thinking and reading behind these messages. */
async function converse(server: ModelServer, rounds: number, from: readonly Anthropic.MessageParam[]) {
  const messages = [...from];
  for (let count = 0; count < rounds; count++) {
    const { content } = await send(server, { messages });
    const results = content.flatMap((block) => (block.type === 'tool_use' ? [result(block.id)] : []));
    messages.push(assistant(content), user(results));
  }
  return messages;
}

describe('a summary on demand', () => {
  it('is a signed block, alone, that says what was asked for, and is billed apart', async () => {
    const server = await serverWith({ scenario: round });
    const messages = await converse(server, 2, [user('Fix src/a.ts, and never touch db.sqlite.')]);
    const reply = await send(server, { ...SUMMARIZE, messages });
    expect(reply).toMatchObject({
      stop_reason: 'compaction',
      content: [{ type: 'compaction', signature: expect.stringMatching(/./) as string }],
      usage: { input_tokens: 0, output_tokens: 0, iterations: [{ type: 'compaction' }] },
    });
    const { content } = reply.content[0] as unknown as { content: string };
    expect(content.match(/^## .*/gm)).toEqual(['## Goal', '## Files', '## Next steps']);
    expect(content).toContain('never touch db.sqlite');
    expect(content).toContain('src/a.ts');
    const [spent] = (reply.usage as unknown as { iterations: Anthropic.Usage[] }).iterations;
    expect(server.requests.at(-1)?.usage).toMatchObject({ output: spent?.output_tokens });
    expect(spent?.input_tokens).toBeGreaterThan(0);
  });

  it('comes whole when it is streamed', async () => {
    const server = await serverWith();
    const body = { ...request({ ...SUMMARIZE }), stream: true } as const;
    const stream = await clientOf(server).messages.create(body, { headers: COMPACTION });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types.filter((type) => type !== 'ping')).toEqual([
      'message_start',
      'content_block_start',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('takes the place of what it covers: kept rounds keep their thinking, and new ones are bound to it', async () => {
    const server = await serverWith({ scenario: round });
    const messages = await converse(server, 4, [user('look')]);
    const block = await summarize(clientOf(server), { ...BASE, messages: messages.slice(0, 5) });
    const swapped = await converse(server, 2, [assistant([block]), ...messages.slice(5)]);
    expect(server.failures).toEqual([]);

    const restored = [...messages, ...swapped.slice(1 + messages.length - 5)];
    await failureOf(send(server, { messages: restored }));
    expect(server.failures).toMatchObject([{ rule: 'thinking-binding' }]);
  });

  it('can be made again and again, and thinking kept through all of it stays valid', async () => {
    const server = await serverWith({ scenario: round });
    let messages = await converse(server, 3, [user('look')]);
    for (let times = 0; times < 3; times++) {
      const cut = messages.length - 4;
      const block = await summarize(clientOf(server), { ...BASE, messages: messages.slice(0, cut) });
      messages = await converse(server, 1, [assistant([block]), ...messages.slice(cut)]);
    }
    expect(server.failures).toEqual([]);
  });

  it('may cover the last message of the conversation, and system messages go with it', async () => {
    const server = await serverWith({ scenario: round });
    const messages = [...(await converse(server, 1, [user('look')])), system('It is Tuesday.')];
    const block = await summarize(clientOf(server), { ...BASE, messages });
    await send(server, { messages: [assistant([block]), user('go on'), system('It is Wednesday.')] });
    expect(server.failures).toEqual([]);
  });

  it('does not keep the thinking of a model that binds none', async () => {
    const models = [currentModel({ bindsThinking: false }), currentModel({ id: 'binds' })];
    const server = await serverWith({ scenario: round, models });
    const messages = await converse(server, 2, [user('look')]);
    const block = await summarize(clientOf(server), { ...BASE, messages: messages.slice(0, 3) });
    await send(server, { messages: [assistant([block]), ...messages.slice(3)] });
    expect(server.failures).toEqual([]);
  });

  it('lets a scenario of steps go on where it was', async () => {
    const server = await serverWith({ scenario: [round(), round(), text('the third')] });
    const messages = await converse(server, 2, [user('look')]);
    const block = await summarize(clientOf(server), { ...BASE, messages: messages.slice(0, 3) });
    const reply = await send(server, { messages: [assistant([block]), ...messages.slice(3)] });
    expect(reply.content).toMatchObject([{ text: 'the third' }]);
  });
});

describe('C6: a summary that a scenario spoils', () => {
  it.each<[string, Reply, string]>([
    ['empty', badSummaries.empty, 'end_turn'],
    ['white space', badSummaries.blank, 'end_turn'],
    ['only thinking', badSummaries.onlyThinking, 'end_turn'],
    ['a tool call', badSummaries.toolCall, 'tool_use'],
    ['cut', badSummaries.cut, 'max_tokens'],
    ['too large for max_tokens', badSummaries.tooLarge(2_000), 'max_tokens'],
    ['a refusal', badSummaries.refusal, 'refusal'],
  ])('by being %s has no block', async (_, reply, stop_reason) => {
    const server = await serverWith({ summaries: [reply] });
    expect(await send(server, SUMMARIZE)).toMatchObject({ content: [], stop_reason });
    expect(await send(server, SUMMARIZE)).toMatchObject({ stop_reason: 'compaction' });
    expect(server.failures).toEqual([]);
  });

  it('may be a block without content, or an error', async () => {
    const server = await serverWith({ summaries: [stop('compaction'), fail(529, 'busy')] });
    expect((await send(server, SUMMARIZE)).content).toEqual([{ type: 'compaction', content: null }]);
    expect(await failureOf(send(server, SUMMARIZE))).toMatchObject({ status: 529 });
    expect(server.failures).toEqual([]);
  });

  it('is the same story for a summary that is asked for in a message', async () => {
    const seen: (string | undefined)[] = [];
    const summaries = ({ summaryAsk }: ScenarioRequest) => {
      seen.push(summaryAsk);
      return seen.length === 1 ? badSummaries.cut : undefined;
    };
    const server = await serverWith({ scenario: [text('hi')], summaries });
    const ask = 'Write a summary:\n## Goal\n## Files\n## Next steps';
    const messages = [user('Build it with httpie only.'), assistant('ok'), user(ask)];
    expect(await send(server, { messages })).toMatchObject({ stop_reason: 'max_tokens' });
    const { content } = await send(server, { messages });
    expect(content).toMatchObject([{ text: expect.stringContaining('## Next steps') as string }]);
    expect(JSON.stringify(content)).toContain('httpie');
    expect(seen).toEqual([ask, ask]);
  });

  it('is not asked for by a summary that is sent along in a tag', async () => {
    const server = await serverWith({ scenario: [text('hi')], summaries: [badSummaries.empty] });
    const told = '<context-summary>\n## Goal\n- a\n\n## Files\n- b\n\n## Next steps\n- c\n</context-summary>';
    expect(await send(server, { messages: [user(told)] })).toMatchObject({ content: [{ text: 'hi' }] });
  });
});

describe('the summary that is written by default', () => {
  it('keeps what an earlier one said, whoever carried that', async () => {
    const server = await serverWith();
    const early = '## Goal\n- Mend the tide.\n\n## Files\n- src/tide.js\n\n## Next steps\n- None.';
    const messages = [user(`<summary>\n${early}\n</summary>`), assistant('ok'), user('Now the harbour.')];
    const reply = await send(server, { ...SUMMARIZE, messages });
    expect(JSON.stringify(reply.content)).toMatch(/## Goal\\n- Mend the tide\..*## Files\\n- src\/tide\.js/);
  });
});

describe('a message that is shown for its turn only', () => {
  const headers = { 'anthropic-beta': 'mid-conversation-system-clear-at-2026-08-21' };
  const nudge = { ...system('Be quick about it. '.repeat(20)), clear_at: 'next_user_message' } as const;
  const count = async (server: ModelServer, messages: readonly object[]) => {
    const { max_tokens: _, ...prompt } = request({ messages: messages as Anthropic.MessageParam[] });
    return (await clientOf(server).messages.countTokens(prompt, { headers })).input_tokens;
  };

  it('costs nothing once a later user message is there', async () => {
    const server = await serverWith();
    const later = [assistant('b'), user('c')];
    expect(await count(server, [user('a'), nudge])).toBeGreaterThan((await count(server, [user('a')])) + 50);
    expect(await count(server, [user('a'), nudge, ...later])).toBe(
      await count(server, [user('a'), ...later]),
    );
  });

  it('stays in the conversation that thinking is bound to', async () => {
    const server = await serverWith({ scenario: round });
    const both = { 'anthropic-beta': `${headers['anthropic-beta']},compact-2026-09-04` };
    const create = (messages: readonly object[]) =>
      clientOf(server).messages.create(request({ ...BASE, messages: messages as never }), { headers: both });
    const open = [user('look'), system('Lasting.'), nudge];
    const { content } = await create(open);
    const results = user(content.flatMap((one) => (one.type === 'tool_use' ? [result(one.id)] : [])));
    await create([...open, assistant(content), results]);
    expect(server.failures).toEqual([]);
    await failureOf(create([...open.slice(0, 2), assistant(content), results]));
    expect(server.failures).toMatchObject([{ rule: 'thinking-binding' }]);
  });
});
