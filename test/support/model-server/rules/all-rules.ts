import { CACHE_MARK_RULES } from './cache-marks.ts';
import { COMPACTION_RULES } from './compaction.ts';
import { DOOR_RULES } from './door.ts';
import { LIMIT_RULES } from './limits.ts';
import { MESSAGE_RULES } from './messages.ts';
import { PARAMETER_RULES } from './parameters.ts';
import type { CheckedRequest, Rule, RuledOut } from './rule.ts';
import { SHAPE_RULES } from './shape.ts';
import { THINKING_RULES } from './thinking.ts';
import { TOOL_PAIR_RULES } from './tool-pairs.ts';
import { TOOL_RULES } from './tools.ts';

/** In the order in which they are asked: what the words mean before how they fit together, the price at last. */
const RULES: readonly Rule[] = [
  ...PARAMETER_RULES,
  ...CACHE_MARK_RULES,
  ...COMPACTION_RULES,
  ...MESSAGE_RULES,
  ...TOOL_RULES,
  ...TOOL_PAIR_RULES,
  ...THINKING_RULES,
  ...LIMIT_RULES,
];

/** The name of everything this server insists on. */
export const RULE_IDS: readonly string[] = [
  ...DOOR_RULES,
  ...SHAPE_RULES,
  'known-model',
  ...RULES.map(({ id }) => id),
];

export function firstBrokenRule(request: CheckedRequest): RuledOut | undefined {
  for (const { id, check } of RULES) {
    const refusal = check(request);
    if (refusal) return { rule: id, refusal };
  }
  return undefined;
}
