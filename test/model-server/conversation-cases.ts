import type Anthropic from '@anthropic-ai/sdk';
import type { ModelServerOptions } from '../support/model-server/options.ts';
import { currentModel } from '../support/model-server/profiles.ts';
import { text, thinking, toolUse } from '../support/model-server/scenario.ts';
import { CLASSIC, request, result, TOOL, use } from './sdk-client.ts';
import { assistant, create, marked, messages, said, system, user } from './rule-case.ts';
import type { Case, Send } from './rule-case.ts';

/** Two rounds of thinking, then the history as the client would send it back. */
async function thoughtHistory(client: Anthropic) {
  const first = request({ thinking: { type: 'adaptive' }, tools: [TOOL] });
  const one = await client.messages.create(first);
  const opened = [...first.messages, assistant(one.content), user([result(callId(one))])];
  const two = await client.messages.create({ ...first, messages: opened });
  return { ...first, messages: [...opened, assistant(two.content), user([result(callId(two))])] };
}

function callId(message: Anthropic.Message): string {
  return message.content.find((block) => block.type === 'tool_use')!.id;
}

const THINKS: Partial<ModelServerOptions> = {
  scenario: () => [thinking('hm'), text('reading'), toolUse('read_file', { path: 'a' })],
};

const rethought =
  (edit: (history: Awaited<ReturnType<typeof thoughtHistory>>) => object): Send =>
  async (client) => {
    const history = await thoughtHistory(client);
    return client.messages.create({ ...history, ...edit(structuredClone(history)) });
  };

const SCOPED = { clear_at: 'next_user_message' } as const;

const turnScoped =
  (...list: readonly object[]): Send =>
  (client) =>
    client.messages.create(request({ messages: list as Anthropic.MessageParam[] }), {
      headers: { 'anthropic-beta': 'mid-conversation-system-clear-at-2026-08-21' },
    });

/** What is said, in what order, and whether it fits. */
export const CONVERSATION_CASES: readonly Case[] = [
  {
    rule: 'first-message-user',
    send: messages(assistant('hi'), user('a')),
    says: /first message must use the "user" role/,
  },
  {
    rule: 'system-message-support',
    send: create({ model: CLASSIC, messages: [user('a'), system('b')] }),
    says: /"system" is not supported/,
  },
  {
    rule: 'system-message-place',
    send: messages(user('a'), assistant('b'), system('c')),
    says: /must follow a "user" message/,
  },
  {
    rule: 'clear-at-role',
    send: turnScoped({ ...user('a'), ...SCOPED }),
    says: /clear_at is only permitted on role 'system'/,
  },
  {
    rule: 'clear-at-mark',
    send: turnScoped(user('a'), { role: 'system', content: [marked('b')], ...SCOPED }),
    says: /messages\.1\.content\.0: cache_control is not permitted on a turn-scoped/,
  },
  {
    rule: 'system-message-place',
    when: 'cleared, and directly followed by a user message',
    send: turnScoped(user('a'), { ...system('b'), ...SCOPED }, user('c')),
    says: /precede an "assistant"/,
  },
  {
    rule: 'system-message-place',
    when: 'before a user message',
    send: messages(user('a'), system('b'), user('c')),
    says: /precede an "assistant"/,
  },
  { rule: 'empty-message', send: messages(user([])), says: /all messages must have non-empty content/ },
  { rule: 'block-role', send: messages(user([use('a')])), says: /`tool_use` blocks cannot be in `user`/ },
  { rule: 'empty-text', send: messages(user([said('')])), says: /text content blocks must be non-empty/ },
  {
    rule: 'empty-text',
    when: 'inside a tool result',
    send: messages(user('a'), assistant([use('a')]), user([result('a', [said('')])])),
    says: /must be non-empty/,
  },
  {
    rule: 'empty-text',
    when: 'in the system prompt',
    send: create({ system: '' }),
    says: /system: text content blocks must be non-empty/,
  },
  { rule: 'blank-text', send: messages(user(' \n')), says: /must contain non-whitespace text/ },
  {
    rule: 'prefill',
    send: messages(user('a'), assistant('b')),
    says: /does not support assistant message prefill/,
  },
  {
    rule: 'trailing-whitespace',
    send: create({ model: CLASSIC, messages: [user('a'), assistant('b ')] }),
    says: /trailing whitespace/,
  },
  {
    rule: 'tools-declared',
    send: create({ messages: [user('a'), assistant([use('a')]), user([result('a')])] }),
    says: /must define tools/,
  },
  { rule: 'tool-name-unique', send: create({ tools: [TOOL, TOOL] }), says: /Tool names must be unique/ },
  {
    rule: 'tool-choice-known',
    send: create({ model: CLASSIC, tools: [TOOL], tool_choice: { type: 'tool', name: 'x' } }),
    says: /Tool 'x' not found/,
  },
  {
    rule: 'tool-choice-known',
    when: 'no tools',
    send: create({ tool_choice: { type: 'auto' } }),
    says: /while providing `tools`/,
  },
  {
    rule: 'forced-tool-choice',
    send: create({ tools: [TOOL], tool_choice: { type: 'any' } }),
    says: /type "any" is not supported/,
  },
  {
    rule: 'tool-use-answered',
    send: messages(user('a'), assistant([use('a'), use('b')]), user([result('a')])),
    says: /without `tool_result` blocks immediately after: b\b/,
  },
  {
    rule: 'tool-use-answered',
    when: 'results in two messages',
    send: messages(user('a'), assistant([use('a'), use('b')]), user([result('a')]), user([said('x')])),
    says: /immediately after: b\b/,
  },
  { rule: 'tool-result-orphan', send: messages(user([result('a')])), says: /unexpected `tool_use_id`/ },
  {
    rule: 'tool-result-once',
    send: messages(user('a'), assistant([use('a')]), user([result('a'), result('a')])),
    says: /must have a single result/,
  },
  {
    rule: 'tool-result-first',
    send: messages(user('a'), assistant([use('a')]), user([said('so:'), result('a')])),
    says: /immediately after: a\b/,
  },
  {
    rule: 'tool-use-id-unique',
    send: messages(
      user('a'),
      assistant([use('a')]),
      user([result('a')]),
      assistant([use('a')]),
      user([result('a')]),
    ),
    says: /ids must be unique/,
  },
  {
    rule: 'thinking-last',
    send: create({
      model: CLASSIC,
      messages: [user('a'), assistant([{ type: 'thinking', thinking: 'x', signature: 'y' }])],
    }),
    says: /final block in an assistant message cannot be `thinking`/,
  },
  {
    rule: 'thinking-signature',
    send: messages(
      user('a'),
      assistant([{ type: 'thinking', thinking: 'x', signature: 'y' }, said('b')]),
      user('c'),
    ),
    says: /messages\.1\.content\.0: Invalid `signature` in `thinking` block$/,
  },
  {
    rule: 'thinking-signature',
    when: 'edited thinking',
    server: THINKS,
    send: rethought((history) => {
      const [block] = history.messages[1]!.content as [Anthropic.ThinkingBlockParam];
      block.thinking += '!';
      return history;
    }),
    says: /Invalid `signature` in `thinking` block$/,
  },
  {
    rule: 'thinking-binding',
    when: 'another system prompt',
    server: THINKS,
    send: rethought(() => ({ system: 'It is 10:42.' })),
    says: /bound to a different conversation/,
  },
  {
    rule: 'thinking-binding',
    when: 'another tool',
    server: THINKS,
    send: rethought(({ tools }) => ({ tools: [...(tools ?? []), { ...TOOL, name: 'write_file' }] })),
    says: /bound to a different conversation/,
  },
  {
    rule: 'thinking-binding',
    when: 'an edited message before it',
    server: THINKS,
    send: rethought(({ messages: [, ...rest] }) => ({ messages: [user('hallo'), ...rest] })),
    says: /messages\.1\.content\.0: .* bound to a different conversation/,
  },
  {
    rule: 'thinking-binding',
    when: 'thinking left out of the middle',
    server: {
      scenario: (round) => [
        thinking(`step ${round.answers}`),
        text('reading'),
        toolUse('read_file', { path: 'a' }),
      ],
    },
    send: async (client) => {
      const history = await thoughtHistory(client);
      const three = await client.messages.create(history);
      const longer = [...history.messages, assistant(three.content), user([result(callId(three))])];
      const second = longer[3] as { content: Anthropic.ContentBlockParam[] };
      second.content = second.content.slice(1);
      return client.messages.create({ ...history, messages: longer });
    },
    says: /messages\.5\.content\.0: .* bound to a different conversation/,
  },
  {
    rule: 'prompt-length',
    send: messages(user('word '.repeat(3_000))),
    server: { models: [currentModel({ window: 2_000 })] },
    says: /prompt is too long: 3\d\d\d tokens > 2000 maximum/,
  },
  {
    rule: 'window-overflow',
    send: create({ model: CLASSIC, messages: [user('word '.repeat(180_000))], max_tokens: 20_500 }),
    says: /input length and `max_tokens` exceed context limit: 1800\d\d \+ 20500 > 200000/,
  },
];
