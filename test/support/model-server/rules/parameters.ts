import { invalidRequest } from '../refusal.ts';
import { firstObjection } from './rule.ts';
import type { Rule } from './rule.ts';

const WITHOUT_SAMPLING = '2026-10-21';
const MIN_THINKING_BUDGET = 1_024;

const sampling: Rule = {
  id: 'sampling',
  check: ({ body, version }) =>
    firstObjection(['temperature', 'top_p', 'top_k'] as const, (name) =>
      version >= WITHOUT_SAMPLING && body[name] !== undefined
        ? invalidRequest(`${name}: not supported with anthropic-version ${version}`)
        : undefined,
    ),
};

const maxTokens: Rule = {
  id: 'max-tokens',
  check: ({ body, profile }) =>
    (body.max_tokens ?? 0) > profile.maxOutput
      ? invalidRequest(
          `max_tokens: ${body.max_tokens} > ${profile.maxOutput}, which is the maximum allowed number of output tokens for ${profile.id}`,
        )
      : undefined,
};

const thinkingType: Rule = {
  id: 'thinking-type',
  check: ({ body, profile }) =>
    body.thinking && !profile.thinkingTypes.includes(body.thinking.type)
      ? invalidRequest(`"thinking.type.${body.thinking.type}" is not supported for this model.`)
      : undefined,
};

const thinkingBudget: Rule = {
  id: 'thinking-budget',
  check: ({ body }) => {
    if (body.thinking?.type !== 'enabled') return undefined;
    const budget = body.thinking.budget_tokens;
    if (budget < MIN_THINKING_BUDGET)
      return invalidRequest(
        `thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_THINKING_BUDGET}`,
      );
    return budget >= (body.max_tokens ?? Infinity)
      ? invalidRequest('`max_tokens` must be greater than `thinking.budget_tokens`.')
      : undefined;
  },
};

export const PARAMETER_RULES: readonly Rule[] = [sampling, maxTokens, thinkingType, thinkingBudget];
