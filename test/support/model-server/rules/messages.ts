import { CLEAR_AT_BETA } from '../betas.ts';
import { invalidRequest } from '../refusal.ts';
import type { Refusal } from '../refusal.ts';
import { systemOf } from '../wire.ts';
import type { Block, TextBlock, WireMessage } from '../wire.ts';
import { firstObjection } from './rule.ts';
import type { CheckedRequest, Rule } from './rule.ts';

const firstMessageUser: Rule = {
  id: 'first-message-user',
  check: ({ messages }) =>
    messages[0]?.role === 'user' || messages[0]?.content[0]?.type === 'compaction'
      ? undefined
      : invalidRequest('messages: first message must use the "user" role'),
};

const systemMessageSupport: Rule = {
  id: 'system-message-support',
  check: ({ messages, profile }) =>
    profile.takesSystemMessages
      ? undefined
      : firstObjection(messages.entries(), ([index, { role }]) =>
          role === 'system'
            ? invalidRequest(
                `messages.${index}.role: "system" is not supported in messages for ${profile.id}`,
              )
            : undefined,
        ),
};

/** Behind a user message, before an answer or at the end: never between call and result. Several in a row are one. */
const systemMessagePlace: Rule = {
  id: 'system-message-place',
  check: ({ messages }) =>
    firstObjection(messages.entries(), ([index, { role }]) => {
      if (role !== 'system') return undefined;
      const before = messages.slice(0, index).findLast((other) => other.role !== 'system')?.role;
      const next = messages.slice(index + 1).find((other) => other.role !== 'system')?.role ?? 'assistant';
      const isWellPlaced = before === 'user' && next === 'assistant';
      return isWellPlaced
        ? undefined
        : invalidRequest(
            `messages.${index}: a "system" message must follow a "user" message and precede an "assistant" message or end the conversation`,
          );
    }),
};

const clearAtBeta: Rule = {
  id: 'clear-at-beta',
  check: ({ body, betas }) =>
    betas.includes(CLEAR_AT_BETA)
      ? undefined
      : firstObjection(body.messages.entries(), ([index, { clear_at }]) =>
          clear_at === undefined
            ? undefined
            : invalidRequest(`messages.${index}.clear_at: Extra inputs are not permitted`),
        ),
};

const clearAtRole: Rule = {
  id: 'clear-at-role',
  check: ({ body }) =>
    firstObjection(body.messages.entries(), ([index, { clear_at, role }]) =>
      clear_at && role !== 'system'
        ? invalidRequest(`messages.${index}.clear_at: clear_at is only permitted on role 'system' messages`)
        : undefined,
    ),
};

const clearAtMark: Rule = {
  id: 'clear-at-mark',
  check: ({ messages }) =>
    firstObjection(messages.entries(), ([index, { content, isTurnScoped }]) => {
      const at = isTurnScoped
        ? content.findIndex((block) => 'cache_control' in block && block.cache_control)
        : -1;
      return at < 0
        ? undefined
        : invalidRequest(
            `messages.${index}.content.${at}: cache_control is not permitted on a turn-scoped system message (clear_at: 'next_user_message')`,
          );
    }),
};

const emptyMessage: Rule = {
  id: 'empty-message',
  check: ({ messages }) =>
    firstObjection(messages.entries(), ([index, { content, role }]) => {
      const isPrefill = role === 'assistant' && index === messages.length - 1;
      return content.length > 0 || isPrefill
        ? undefined
        : invalidRequest(
            `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
          );
    }),
};

/** Every text in the prompt, those inside tool results too, with the name errors give to its place. */
function* textsOf({ body, messages }: CheckedRequest): Generator<{ where: string; block: TextBlock }> {
  for (const block of systemOf(body)) yield { where: 'system', block };
  for (const block of messages.flatMap(({ content }) => content)) yield* textsIn(block);
}

function* textsIn(block: Block): Generator<{ where: string; block: TextBlock }> {
  if (block.type === 'text') yield { where: 'messages', block };
  if (block.type !== 'tool_result' || typeof block.content === 'string') return;
  for (const inner of block.content ?? [])
    if (inner.type === 'text') yield { where: 'messages', block: inner };
}

const emptyText: Rule = {
  id: 'empty-text',
  check: (request) =>
    firstObjection(textsOf(request), ({ where, block }) =>
      block.text === '' ? invalidRequest(`${where}: text content blocks must be non-empty`) : undefined,
    ),
};

const blankText: Rule = {
  id: 'blank-text',
  check: (request) =>
    firstObjection(textsOf(request), ({ where, block }) =>
      block.text.trim() === ''
        ? invalidRequest(`${where}: text content blocks must contain non-whitespace text`)
        : undefined,
    ),
};

const BLOCKS: Readonly<Record<WireMessage['role'], readonly Block['type'][]>> = {
  user: ['text', 'image', 'tool_result', 'compaction'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use', 'compaction'],
  system: ['text'],
};

const blockRole: Rule = {
  id: 'block-role',
  check: ({ messages }) =>
    firstObjection(messages.entries(), ([index, { role, content }]) => {
      const at = content.findIndex(({ type }) => !BLOCKS[role].includes(type));
      return at < 0
        ? undefined
        : invalidRequest(
            `messages.${index}.content.${at}: \`${content[at]?.type}\` blocks cannot be in \`${role}\` messages`,
          );
    }),
};

const prefill: Rule = {
  id: 'prefill',
  check: ({ body, messages, profile }) =>
    profile.takesPrefill || body.compaction || messages.at(-1)?.role !== 'assistant'
      ? undefined
      : invalidRequest(
          'This model does not support assistant message prefill. The conversation must end with a user message.',
        ),
};

function endsInSpace(message: WireMessage | undefined): boolean {
  const last = message?.role === 'assistant' ? message.content.at(-1) : undefined;
  return last?.type === 'text' && /\s$/.test(last.text);
}

const trailingSpace: Rule = {
  id: 'trailing-whitespace',
  check: ({ body, messages }): Refusal | undefined =>
    !body.compaction && endsInSpace(messages.at(-1))
      ? invalidRequest('messages: final assistant content cannot end with trailing whitespace')
      : undefined,
};

export const MESSAGE_RULES: readonly Rule[] = [
  firstMessageUser,
  clearAtBeta,
  clearAtRole,
  clearAtMark,
  systemMessageSupport,
  systemMessagePlace,
  emptyMessage,
  blockRole,
  emptyText,
  blankText,
  prefill,
  trailingSpace,
];
