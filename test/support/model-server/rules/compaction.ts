import { COMPACTION_BETA } from '../betas.ts';
import { invalidRequest } from '../refusal.ts';
import type { Refusal } from '../refusal.ts';
import { callMark } from '../summary-seal.ts';
import type { SummarySeal } from '../summary-seal.ts';
import type { CompactionBlock } from '../wire.ts';
import { firstObjection } from './rule.ts';
import type { CheckedRequest, Rule } from './rule.ts';

/** Asking for a signed summary, and sending one back. */

interface Placed {
  readonly block: CompactionBlock;
  readonly role: string;
  readonly message: number;
  readonly at: number;
}

function blocksIn({ messages }: CheckedRequest): readonly Placed[] {
  return messages.flatMap(({ role, content }, message) =>
    content.flatMap((block, at) => (block.type === 'compaction' ? [{ block, role, message, at }] : [])),
  );
}

/** The signed summary in front of the conversation, where there is one. */
export function summaryOf(request: CheckedRequest): SummarySeal | undefined {
  const [placed] = blocksIn(request);
  return placed && request.summarySigner.read(placed.block);
}

function refuse(code: string, message: string): Refusal {
  return { ...invalidRequest(message), code };
}

const blockBeta: Rule = {
  id: 'compaction-block-beta',
  check: (request) =>
    request.betas.includes(COMPACTION_BETA)
      ? undefined
      : firstObjection(blocksIn(request), ({ message, at }) =>
          invalidRequest(
            `messages.${message}.content.${at}: Input tag 'compaction' found using 'type' does not match any of the expected tags: 'text', 'image', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result'`,
          ),
        ),
};

const requestBeta: Rule = {
  id: 'compaction-beta',
  check: ({ body, betas }) =>
    body.compaction && !betas.includes(COMPACTION_BETA)
      ? invalidRequest(`compaction: requires anthropic-beta: ${COMPACTION_BETA}`)
      : undefined,
};

const support: Rule = {
  id: 'compaction-support',
  check: (request) =>
    !request.profile.summarises && (request.body.compaction || blocksIn(request).length > 0)
      ? invalidRequest(`compaction is not supported for ${request.profile.id}.`)
      : undefined,
};

const single: Rule = {
  id: 'compaction-single',
  check: (request) =>
    blocksIn(request).length > 1
      ? refuse(
          'compaction_block_ambiguous',
          'messages: more than one `compaction` block. Send only the newest.',
        )
      : undefined,
};

const place: Rule = {
  id: 'compaction-place',
  check: (request) =>
    firstObjection(blocksIn(request), ({ role, message, at }) =>
      message === 0 && at === 0 && role !== 'system'
        ? undefined
        : refuse(
            'compaction_block_misplaced',
            `messages.${message}.content.${at}: a \`compaction\` block must be the first block of the conversation.`,
          ),
    ),
};

const signature: Rule = {
  id: 'compaction-signature',
  check: (request) =>
    firstObjection(blocksIn(request), ({ block, message, at }) =>
      request.summarySigner.read(block)
        ? undefined
        : refuse(
            'compaction_signature_invalid',
            `messages.${message}.content.${at}: the \`signature\` of the \`compaction\` block does not verify.`,
          ),
    ),
};

const content: Rule = {
  id: 'compaction-content',
  check: (request) =>
    firstObjection(blocksIn(request), ({ block, message, at }) => {
      const seal = request.summarySigner.read(block);
      return seal && request.summarySigner.isGenuine(block, seal)
        ? undefined
        : refuse(
            'compaction_content_mismatch',
            `messages.${message}.content.${at}: the \`content\` of the \`compaction\` block is not what was signed.`,
          );
    }),
};

const toolChanges: Rule = {
  id: 'compaction-tool-changes',
  check: (request) =>
    firstObjection(blocksIn(request), ({ block, message, at }) =>
      block.tool_changes?.length === 0
        ? undefined
        : refuse(
            'compaction_tool_changes_mismatch',
            `messages.${message}.content.${at}: \`tool_changes\` differs from what was returned.`,
          ),
    ),
};

/** The real server sends summarised messages that come again to the model, twice and silently: no client wants that. */
const repeats: Rule = {
  id: 'compaction-repeats',
  check: (request) => {
    const covered = new Set(summaryOf(request)?.calls);
    return firstObjection(request.messages.entries(), ([index, message]) => {
      const again = message.content.some(
        (block) => block.type === 'tool_use' && covered.has(callMark(block.id)),
      );
      return again
        ? invalidRequest(`messages.${index}: this message is part of the summary in front of it.`)
        : undefined;
    });
  },
};

const finished: Rule = {
  id: 'compaction-finished',
  check: ({ body, messages }) => {
    const last = messages.findLast(({ role }) => role !== 'system');
    const isOpen = last?.role === 'assistant' && last.content.some(({ type }) => type === 'tool_use');
    return body.compaction && isOpen
      ? refuse(
          'compaction_incomplete_turn',
          'messages: the last assistant turn has tool calls without results.',
        )
      : undefined;
  },
};

const nothing: Rule = {
  id: 'compaction-nothing',
  check: ({ body, messages }) =>
    body.compaction && !messages.some((message) => message.role !== 'system' && message.content.length > 0)
      ? refuse('compaction_nothing_to_summarize', 'messages: there is nothing to summarize.')
      : undefined,
};

const settings: Rule = {
  id: 'compaction-settings',
  check: ({ body }) => {
    if (!body.compaction) return undefined;
    const choice = body.tool_choice?.type;
    const idle = [
      body.stop_sequences && 'stop_sequences',
      body.output_config?.format !== undefined && 'output_config.format',
      (choice === 'any' || choice === 'tool') && 'tool_choice',
    ].find((name) => typeof name === 'string');
    return idle ? invalidRequest(`${idle}: cannot be combined with \`compaction\`.`) : undefined;
  },
};

export const COMPACTION_RULES: readonly Rule[] = [
  requestBeta,
  blockBeta,
  support,
  single,
  place,
  signature,
  content,
  toolChanges,
  repeats,
  nothing,
  finished,
  settings,
];
