import { invalidRequest } from '../refusal.ts';
import type { Refusal } from '../refusal.ts';
import { systemOf } from '../wire.ts';
import type { Block, TextBlock, WireMessage } from '../wire.ts';
import { firstObjection } from './rule.ts';
import type { CheckedRequest, Rule } from './rule.ts';

const firstMessageUser: Rule = {
  id: 'first-message-user',
  check: ({ messages }) =>
    messages[0]?.role === 'user'
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

/** Behind a user message, before an answer or at the end: so never two in a row, never between call and result. */
const systemMessagePlace: Rule = {
  id: 'system-message-place',
  check: ({ messages }) =>
    firstObjection(messages.entries(), ([index, { role }]) => {
      if (role !== 'system') return undefined;
      const next = messages[index + 1]?.role ?? 'assistant';
      const isWellPlaced = messages[index - 1]?.role === 'user' && next === 'assistant';
      return isWellPlaced
        ? undefined
        : invalidRequest(
            `messages.${index}: a "system" message must follow a "user" message and precede an "assistant" message or end the conversation`,
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
  user: ['text', 'image', 'tool_result'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'],
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
  check: ({ messages, profile }) =>
    profile.takesPrefill || messages.at(-1)?.role !== 'assistant'
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
  check: ({ messages }): Refusal | undefined =>
    endsInSpace(messages.at(-1))
      ? invalidRequest('messages: final assistant content cannot end with trailing whitespace')
      : undefined,
};

export const MESSAGE_RULES: readonly Rule[] = [
  firstMessageUser,
  systemMessageSupport,
  systemMessagePlace,
  emptyMessage,
  blockRole,
  emptyText,
  blankText,
  prefill,
  trailingSpace,
];
