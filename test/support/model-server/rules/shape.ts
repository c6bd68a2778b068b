import type { z } from 'zod';
import { invalidRequest } from '../refusal.ts';
import type { RuledOut } from './rule.ts';

export const SHAPE_RULES = [
  'unknown-field',
  'required-field',
  'tool-name-pattern',
  'tool-id-pattern',
  'field-value',
] as const;

type Issue = z.core.$ZodIssue;
type ShapeRule = (typeof SHAPE_RULES)[number];

function pathOf(issue: Issue, ...more: readonly string[]): string {
  return [...issue.path.map(String), ...more].join('.');
}

/** Of a union's branches, the one that got furthest is what the sender meant. */
function meant(issue: Issue): Issue {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue;
  const inner = issue.errors
    .flatMap((branch) => branch.slice(0, 1))
    .map((first) => meant({ ...first, path: [...issue.path, ...first.path] }))
    .toSorted((a, b) => b.path.length - a.path.length);
  return inner[0] ?? issue;
}

function ruled(rule: ShapeRule, message: string): RuledOut {
  return { rule, refusal: invalidRequest(message) };
}

function patternRule(issue: Issue): ShapeRule {
  const field = issue.path.at(-1);
  if (field === 'name') return 'tool-name-pattern';
  return field === 'id' || field === 'tool_use_id' ? 'tool-id-pattern' : 'field-value';
}

function explain(issue: Issue): RuledOut {
  if (issue.code === 'unrecognized_keys')
    return ruled('unknown-field', `${pathOf(issue, issue.keys[0] ?? '')}: Extra inputs are not permitted`);
  if (issue.code === 'invalid_format')
    return ruled(patternRule(issue), `${pathOf(issue)}: String should match pattern '${issue.pattern}'`);
  if (issue.input === undefined && issue.code !== 'custom')
    return ruled('required-field', `${pathOf(issue)}: Field required`);
  return ruled('field-value', `${pathOf(issue)}: ${issue.message}`);
}

/** Reads the body by its schema: unknown fields, missing ones and wrong values are refused by name. */
export function readShape<T extends z.ZodType>(
  schema: T,
  value: unknown,
): { readonly body: z.output<T> } | { readonly ruledOut: RuledOut } {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return { body: result.data };
  const [issue] = result.error.issues;
  return { ruledOut: issue ? explain(meant(issue)) : ruled('field-value', 'invalid request') };
}
