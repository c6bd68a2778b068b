import { invalidRequest } from '../refusal.ts';
import type { ToolResultBlock, ToolUseBlock, WireMessage } from '../wire.ts';
import { firstObjection } from './rule.ts';
import type { Rule } from './rule.ts';

/** Every call is answered in the very next message, once, before anything else is said there. */

function callsIn(message: WireMessage | undefined): readonly ToolUseBlock[] {
  if (message?.role !== 'assistant') return [];
  return message.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
}

function resultsIn(message: WireMessage | undefined): readonly ToolResultBlock[] {
  if (message?.role !== 'user') return [];
  return message.content.flatMap((block) => (block.type === 'tool_result' ? [block] : []));
}

function unanswered(index: number, ids: readonly string[]) {
  return invalidRequest(
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

const answered: Rule = {
  id: 'tool-use-answered',
  check: ({ messages }) =>
    firstObjection(messages.entries(), ([index, message]) => {
      const answers = new Set(resultsIn(messages[index + 1]).map((result) => result.tool_use_id));
      const open = callsIn(message).filter(({ id }) => !answers.has(id));
      return open.length > 0
        ? unanswered(
            index,
            open.map(({ id }) => id),
          )
        : undefined;
    }),
};

const orphan: Rule = {
  id: 'tool-result-orphan',
  check: ({ messages }) =>
    firstObjection(messages.entries(), ([index, message]) => {
      const asked = new Set(callsIn(messages[index - 1]).map(({ id }) => id));
      const stray = resultsIn(message).find((result) => !asked.has(result.tool_use_id));
      return stray
        ? invalidRequest(
            `messages.${index}.content.${message.content.indexOf(stray)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
          )
        : undefined;
    }),
};

const once: Rule = {
  id: 'tool-result-once',
  check: ({ messages }) =>
    firstObjection(messages.entries(), ([index, message]) => {
      const ids = resultsIn(message).map((result) => result.tool_use_id);
      const twice = ids.find((id, at) => ids.indexOf(id) !== at);
      return twice === undefined
        ? undefined
        : invalidRequest(
            `messages.${index}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`,
          );
    }),
};

const resultsFirst: Rule = {
  id: 'tool-result-first',
  check: ({ messages }) =>
    firstObjection(messages.entries(), ([index, message]) => {
      const results = resultsIn(message);
      const late = results.filter((result, at) => message.content.indexOf(result) !== at);
      return late.length > 0
        ? unanswered(
            index - 1,
            late.map((result) => result.tool_use_id),
          )
        : undefined;
    }),
};

const uniqueIds: Rule = {
  id: 'tool-use-id-unique',
  check: ({ messages }) => {
    const seen = new Set<string>();
    return firstObjection(messages.entries(), ([index, message]) => {
      const again = callsIn(message).find(({ id }) => seen.has(id) || !seen.add(id));
      return again
        ? invalidRequest(
            `messages.${index}.content.${message.content.indexOf(again)}: \`tool_use\` ids must be unique`,
          )
        : undefined;
    });
  },
};

export const TOOL_PAIR_RULES: readonly Rule[] = [uniqueIds, orphan, once, resultsFirst, answered];
