import { invalidRequest } from '../refusal.ts';
import type { Rule } from './rule.ts';

const promptLength: Rule = {
  id: 'prompt-length',
  check: ({ endpoint, prefix, profile }) =>
    endpoint === 'messages' && prefix.tokens > profile.window
      ? invalidRequest(`prompt is too long: ${prefix.tokens} tokens > ${profile.window} maximum`)
      : undefined,
};

const windowOverflow: Rule = {
  id: 'window-overflow',
  check: ({ body, prefix, profile }) => {
    const output = body.max_tokens ?? 0;
    return profile.overflow === 'refuse' && prefix.tokens + output > profile.window
      ? invalidRequest(
          `input length and \`max_tokens\` exceed context limit: ${prefix.tokens} + ${output} > ${profile.window}, decrease input length or \`max_tokens\` and try again`,
        )
      : undefined;
  },
};

export const LIMIT_RULES: readonly Rule[] = [promptLength, windowOverflow];
