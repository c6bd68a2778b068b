import { invalidRequest } from '../refusal.ts';
import type { Rule } from './rule.ts';

const declared: Rule = {
  id: 'tools-declared',
  check: ({ body, messages }) => {
    const blocks = messages.flatMap(({ content }) => content);
    const usesTools = blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result');
    return usesTools && !body.tools?.length
      ? invalidRequest('Requests which include `tool_use` or `tool_result` blocks must define tools')
      : undefined;
  },
};

const uniqueNames: Rule = {
  id: 'tool-name-unique',
  check: ({ body }) => {
    const names = (body.tools ?? []).map(({ name }) => name);
    return new Set(names).size < names.length
      ? invalidRequest('tools: Tool names must be unique.')
      : undefined;
  },
};

const knownChoice: Rule = {
  id: 'tool-choice-known',
  check: ({ body }) => {
    const choice = body.tool_choice;
    if (!choice) return undefined;
    if (!body.tools?.length)
      return invalidRequest('tool_choice: `tool_choice` may only be specified while providing `tools`.');
    return choice.type === 'tool' && !body.tools.some(({ name }) => name === choice.name)
      ? invalidRequest(`Tool '${choice.name}' not found in provided tools`)
      : undefined;
  },
};

const forcedChoice: Rule = {
  id: 'forced-tool-choice',
  check: ({ body, profile }) => {
    const type = body.tool_choice?.type;
    const isForced = type === 'any' || type === 'tool';
    return isForced && !profile.takesForcedToolChoice
      ? invalidRequest(`tool_choice: type "${type}" is not supported for this model.`)
      : undefined;
  },
};

export const TOOL_RULES: readonly Rule[] = [declared, uniqueNames, knownChoice, forcedChoice];
