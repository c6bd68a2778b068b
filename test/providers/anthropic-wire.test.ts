import { describe, expect, it } from 'vitest';
import type { AssistantBlock, Message } from '../../src/core/model/content.ts';
import type { ToolSchema } from '../../src/core/model/entry.ts';
import type { SignedSummary } from '../../src/core/model/relief-entry.ts';
import { betasOf } from '../../src/providers/anthropic-betas.ts';
import { toWireRequest } from '../../src/providers/anthropic-wire.ts';
import { INFO, request } from './support.ts';

const tool = (name: string): ToolSchema => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
});
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (...content: AssistantBlock[]): Message => ({ role: 'assistant', content });

const said = (text: string) => ({ role: 'system', content: [{ type: 'text', text }] }) as const;

const SUMMARY: SignedSummary = {
  provider: 'anthropic',
  model: 'm',
  text: 'We began.',
  block: {
    type: 'compaction',
    content: 'We began. \ud83d',
    signature: 's=',
    tool_changes: [],
    unknown: null,
  },
};

const EPHEMERAL = { type: 'ephemeral' };

/** The body as it leaves. */
const wire = (changes: Parameters<typeof request>[0], info = INFO) =>
  JSON.parse(JSON.stringify(toWireRequest(request(changes), info))) as Record<string, unknown> & {
    messages: { role: string; content: Record<string, unknown>[] }[];
  };

describe('a request on the wire', () => {
  it('has system, tools by name, and messages, and no more than that', () => {
    const body = wire({ tools: [tool('write_file'), tool('edit_file')], maxTokens: 4096 });
    expect(body).toEqual({
      model: 'm',
      max_tokens: 4096,
      system: [{ type: 'text', text: 'You are a test.' }],
      tools: [
        { name: 'edit_file', description: 'Does edit_file.', input_schema: { type: 'object' } },
        { name: 'write_file', description: 'Does write_file.', input_schema: { type: 'object' } },
      ],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      stream: true,
    });
  });

  it('leaves system and tools out where there are none', () => {
    const body = wire({
      system: [{ name: 'empty', text: ' \n' }],
      cacheMarks: { system: true, messages: [] },
    });
    expect(body).not.toHaveProperty('system');
    expect(body).not.toHaveProperty('tools');
  });

  it('asks for adaptive thinking where the model has it', () => {
    expect(wire({}, { ...INFO, thinking: 'adaptive' })['thinking']).toEqual({
      type: 'adaptive',
      display: 'summarized',
    });
  });

  it('sends results and images', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0=', width: 1, height: 1 } as const;
    const content: Message['content'] = [
      {
        type: 'tool_result',
        toolUseId: 't1',
        content: [{ type: 'text', text: 'ok' }, image],
        isError: false,
      },
      { type: 'tool_result', toolUseId: 't2', content: [{ type: 'text', text: 'no' }], isError: true },
    ];
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' };
    expect(wire({ messages: [{ role: 'user', content }] }).messages[0]?.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 't1',
        content: [
          { type: 'text', text: 'ok' },
          { type: 'image', source },
        ],
      },
      { type: 'tool_result', tool_use_id: 't2', content: [{ type: 'text', text: 'no' }], is_error: true },
    ]);
  });

  it('sends an assistant turn back whole and in order', () => {
    const content: AssistantBlock[] = [
      { type: 'thinking', thinking: '', signature: 'c2ln' },
      { type: 'text', text: 'First.' },
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'tool_use', id: 't1', name: 'read_file', input: { b: 1, a: [{ c: null }] } },
    ];
    expect(wire({ messages: [user('a'), assistant(...content)] }).messages[1]?.content).toEqual(content);
  });

  it('wraps the input of a call that was no object: the API takes nothing else', () => {
    const call = { type: 'tool_use', id: 't', name: 'read_file', input: '{"path": oops}' } as const;
    const [block] = wire({ messages: [assistant(call)] }).messages[0]!.content;
    expect(block).toMatchObject({ input: { invalid_input: '{"path": oops}' } });
  });

  it('is the same, byte for byte, for the same request', () => {
    const body = request({ tools: [tool('b'), tool('a')], messages: [user('x'), assistant(), user('y')] });
    expect(JSON.stringify(toWireRequest(body, INFO))).toBe(
      JSON.stringify(toWireRequest(structuredClone(body), INFO)),
    );
  });
});

describe('P1: text on the wire', () => {
  const lone = 'a\ud83d';
  const healed = 'a\ufffd';

  it('is well-formed, in every place that text can stand', () => {
    const messages: Message[] = [
      user(lone),
      assistant(
        { type: 'text', text: lone },
        { type: 'tool_use', id: 't', name: 'edit_file', input: { [lone]: [lone, { deep: lone }] } },
      ),
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: 't', content: [{ type: 'text', text: lone }], isError: false },
        ],
      },
    ];
    const schema: ToolSchema = { name: 'b', description: lone, inputSchema: { title: lone } };
    const body = wire({ system: [{ name: 's', text: lone }], tools: [schema], messages });
    const text = JSON.stringify(body);
    expect(text).not.toContain('\\ud83d');
    expect(text.split(healed)).toHaveLength(9 + 1);
  });

  it('keeps whole characters as they are', () => {
    const family = '👨‍👩‍👧‍👦 e\u0301';
    expect(wire({ messages: [user(family)] }).messages[0]?.content[0]).toEqual({
      type: 'text',
      text: family,
    });
  });

  it('is byte-exact where the provider signed it', () => {
    const block: AssistantBlock = { type: 'thinking', thinking: lone, signature: 's' };
    expect(wire({ messages: [assistant(block)] }).messages[0]?.content).toEqual([block]);
  });
});

describe('what Plimsoll itself says in mid-conversation', () => {
  it('is a system message in its place', () => {
    const { messages } = wire({ messages: [user('a'), said('It is Tuesday.')] });
    expect(messages[1]).toEqual({ role: 'system', content: [{ type: 'text', text: 'It is Tuesday.' }] });
  });

  it('is marked where it is to be shown for its turn only, which takes a beta', () => {
    const plain = request({ messages: [user('a'), said('b')] });
    const scoped = request({ messages: [user('a'), { ...said('b'), clearAt: 'next_user_message' }] });
    expect(toWireRequest(scoped, INFO).messages[1]).toMatchObject({ clear_at: 'next_user_message' });
    expect(betasOf(scoped)).toEqual(['mid-conversation-system-clear-at-2026-08-21']);
    expect(betasOf(plain)).toEqual([]);
  });
});

describe('a signed summary', () => {
  it('stands first, byte for byte, in a message of its own, which takes a beta', () => {
    const asked = request({ signedSummary: SUMMARY, messages: [assistant({ type: 'text', text: 'on' })] });
    const { messages } = toWireRequest(asked, INFO);
    expect(JSON.stringify(messages[0])).toBe(JSON.stringify({ role: 'assistant', content: [SUMMARY.block] }));
    expect(messages).toHaveLength(2);
    expect(betasOf(asked)).toEqual(['compact-2026-09-04']);
  });
});

describe('the question why the cache was missed', () => {
  it('is asked of servers that describe what their models can do, and of no others', () => {
    const told = { ...INFO, traits: {} };
    expect(wire({ previousMessageId: 'msg_1' }, told)['diagnostics']).toEqual({
      previous_message_id: 'msg_1',
    });
    expect(wire({}, told)['diagnostics']).toEqual({ previous_message_id: null });
    expect(wire({ previousMessageId: 'msg_1' })).not.toHaveProperty('diagnostics');
  });
});

describe('cache marks', () => {
  const marked = (content: readonly Record<string, unknown>[] | undefined) =>
    content?.flatMap((block, index) => ('cache_control' in block ? [index] : []));

  it('stand on the last system block, or on the last tool where there is no system text', () => {
    const cacheMarks = { system: true, messages: [] };
    const system = [
      { name: 'a', text: 'a' },
      { name: 'b', text: 'b' },
    ];
    expect(wire({ system, cacheMarks })['system']).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', cache_control: EPHEMERAL },
    ]);
    const bare = wire({ system: [], tools: [tool('a'), tool('b')], cacheMarks });
    expect(marked(bare['tools'] as Record<string, unknown>[])).toEqual([1]);
  });

  it('are at most four: the one behind the system prompt, then those of the newest messages', () => {
    const messages = ['a', 'b', 'c', 'd', 'e'].map(user);
    const places = (system: boolean) =>
      wire({ messages, cacheMarks: { system, messages: [0, 1, 2, 3, 4] } }).messages.map(
        ({ content }) => marked(content)?.length,
      );
    expect(places(true)).toEqual([0, 0, 1, 1, 1]);
    expect(places(false)).toEqual([0, 1, 1, 1, 1]);
  });

  it('move to the message before one that is shown for its turn only', () => {
    const nudge: Message = { ...said('now'), clearAt: 'next_user_message' };
    const messages = [user('a'), said('lasting'), nudge];
    const body = wire({ messages, cacheMarks: { system: false, messages: [1, 2] } });
    expect(body.messages.map(({ content }) => marked(content))).toEqual([[], [0], []]);
  });

  it('count in the conversation, whatever summary stands in front of it', () => {
    const messages = [user('a'), user('b')];
    const body = wire({ signedSummary: SUMMARY, messages, cacheMarks: { system: false, messages: [1] } });
    expect(body.messages.map(({ content }) => marked(content))).toEqual([[], [], [0]]);
  });

  it('stand on the last block of the messages they are asked for', () => {
    const messages = [user('a'), assistant({ type: 'text', text: 'b' }), user('c')];
    const body = wire({ messages, cacheMarks: { system: false, messages: [0, 2, 7] } });
    expect(body.messages.map(({ content }) => marked(content))).toEqual([[0], [], [0]]);
  });

  it('P2: never stand on thinking or on empty text', () => {
    const content: AssistantBlock[] = [
      { type: 'text', text: 'said' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: '\n' },
      { type: 'thinking', thinking: 'hm', signature: 's' },
    ];
    const thinkingOnly = assistant({ type: 'thinking', thinking: 'hm', signature: 's' });
    const cacheMarks = { system: false, messages: [0, 1] };
    const body = wire({ messages: [assistant(...content), thinkingOnly], cacheMarks });
    expect(body.messages.map((message) => marked(message.content))).toEqual([[0], []]);
  });
});
