import type Anthropic from '@anthropic-ai/sdk';
import { text, thinking, toolUse } from '../support/model-server/scenario.ts';
import { CLASSIC, request, result, TOOL, use } from './sdk-client.ts';
import { assistant, said, system, user } from './rule-case.ts';
import type { Case, Send } from './rule-case.ts';

export type Changes = NonNullable<Parameters<typeof request>[0]>;

export const COMPACTION = { 'anthropic-beta': 'compact-2026-09-04' };
export const SUMMARIZE = {
  compaction: { type: 'summarize', instructions: '## Goal\n## Files\n## Next steps' },
};

/** The block that stands for these messages. */
export async function summarize(client: Anthropic, changes: Changes): Promise<Anthropic.ContentBlockParam> {
  const reply = await client.messages.create(request({ ...SUMMARIZE, ...changes }), { headers: COMPACTION });
  return reply.content[0] as Anthropic.ContentBlockParam;
}

const asking =
  (changes: Changes, headers: Readonly<Record<string, string>> = COMPACTION): Send =>
  (client) =>
    client.messages.create(request({ ...SUMMARIZE, ...changes }), { headers });

const COVERED = [user('look'), assistant([said('looking'), use('a')]), user([result('a')])];

/** A summary of three messages, and what is then sent in their place. */
const continued =
  (edit: (block: Anthropic.ContentBlockParam) => Changes, headers: object = COMPACTION): Send =>
  async (client) => {
    const block = await summarize(client, { messages: COVERED, tools: [TOOL] });
    const body = request({ tools: [TOOL], ...edit(block) });
    return client.messages.create(body, { headers: headers as Record<string, string> });
  };

type Block = Anthropic.ContentBlockParam & { content: string; signature: string; tool_changes: unknown[] };
const edited = (edit: (block: Block) => object) =>
  continued((block) => ({ messages: [assistant([edit(block as Block) as never]), user('go on')] }));

const THINKS = {
  scenario: () => [thinking('hm'), text('reading'), toolUse('read_file', { path: 'a' })],
} as const;

/** Two rounds of thinking, the first of them summarised; then the second, as `edit` sends it. */
const keptThinking =
  (edit: (kept: { block: Anthropic.ContentBlockParam; round: Anthropic.MessageParam[] }) => Changes): Send =>
  async (client) => {
    const base: Changes = { thinking: { type: 'adaptive' }, tools: [TOOL] };
    const open = user('look');
    const one = await client.messages.create(request({ ...base, messages: [open] }));
    const answer = (reply: Anthropic.Message) =>
      user(reply.content.flatMap((block) => (block.type === 'tool_use' ? [result(block.id)] : [])));
    const covered = [open, assistant(one.content), answer(one)];
    const two = await client.messages.create(request({ ...base, messages: covered }));
    const block = await summarize(client, { ...base, messages: covered });
    const changes = edit({ block, round: [assistant(two.content), answer(two)] });
    return client.messages.create(request({ ...base, ...changes }), { headers: COMPACTION });
  };

/** Summaries that the server writes and signs. */
export const COMPACTION_CASES: readonly Case[] = [
  {
    rule: 'compaction-beta',
    send: asking({}, {}),
    says: /requires anthropic-beta: compact-2026-09-04/,
  },
  {
    rule: 'compaction-block-beta',
    send: continued((block) => ({ messages: [assistant([block]), user('go on')] }), {}),
    says: /Input tag 'compaction' found/,
  },
  {
    rule: 'compaction-support',
    send: asking({ model: CLASSIC }),
    says: /compaction is not supported/,
  },
  {
    rule: 'compaction-support',
    when: 'a block for an older model',
    send: continued((block) => ({ model: CLASSIC, messages: [assistant([block]), user('go on')] })),
    says: /compaction is not supported/,
  },
  {
    rule: 'compaction-single',
    send: continued((block) => ({ messages: [assistant([block]), assistant([block]), user('go on')] })),
    says: /more than one `compaction` block/,
  },
  {
    rule: 'compaction-place',
    send: continued((block) => ({ messages: [...COVERED, assistant([block]), user('go on')] })),
    says: /messages\.3\.content\.0: a `compaction` block must be the first/,
  },
  {
    rule: 'compaction-signature',
    send: edited((block) => ({ ...block, signature: `${block.signature}x` })),
    says: /`signature` of the `compaction` block does not verify/,
  },
  {
    rule: 'compaction-content',
    send: edited((block) => ({ ...block, content: `${block.content}.` })),
    says: /`content` of the `compaction` block is not what was signed/,
  },
  {
    rule: 'compaction-tool-changes',
    send: edited(({ tool_changes: _, ...block }) => block),
    says: /`tool_changes` differs/,
  },
  {
    rule: 'unknown-field',
    when: 'a field that the signed block never had',
    send: edited((block) => ({ ...block, citations: null })),
    says: /citations: Extra inputs are not permitted/,
  },
  {
    rule: 'compaction-repeats',
    send: continued((block) => ({ messages: [assistant([block]), ...COVERED] })),
    says: /messages\.2: this message is part of the summary/,
  },
  {
    rule: 'compaction-nothing',
    send: asking({ messages: [user([])] }),
    says: /nothing to summarize/,
  },
  {
    rule: 'compaction-finished',
    send: asking({ tools: [TOOL], messages: [user('look'), assistant([use('a')])] }),
    says: /last assistant turn has tool calls without results/,
  },
  {
    rule: 'compaction-settings',
    send: asking({ stop_sequences: ['END'] }),
    says: /stop_sequences: cannot be combined/,
  },
  {
    rule: 'field-value',
    when: 'instructions of more than 16,384 characters',
    send: asking({ compaction: { type: 'summarize', instructions: 'x'.repeat(16_385) } }),
    says: /compaction\.instructions/,
  },
  {
    rule: 'thinking-binding',
    when: 'kept thinking behind a summary and another system prompt',
    server: THINKS,
    send: keptThinking(({ block, round }) => ({ system: 'New.', messages: [assistant([block]), ...round] })),
    says: /messages\.1\.content\.0: .* bound to a different conversation/,
  },
  {
    rule: 'thinking-binding',
    when: 'kept thinking behind a summary with something said in between',
    server: THINKS,
    send: keptThinking(({ block, round }) => ({
      messages: [assistant([block]), user('by the way'), ...round],
    })),
    says: /messages\.2\.content\.0: .* bound to a different conversation/,
  },
  {
    rule: 'thinking-binding',
    when: 'kept thinking behind a summary that the client wrote',
    server: THINKS,
    send: keptThinking(({ round }) => ({ messages: [user('Summary: we looked.'), ...round] })),
    says: /messages\.1\.content\.0: .* bound to a different conversation/,
  },
  {
    rule: 'clear-at-beta',
    send: (client) =>
      client.messages.create(
        request({ messages: [user('a'), { ...system('b'), clear_at: 'next_user_message' } as never] }),
      ),
    says: /messages\.1\.clear_at: Extra inputs are not permitted/,
  },
];
