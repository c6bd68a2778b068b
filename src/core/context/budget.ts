import type { Budget, LoadLines } from '../model/budget.ts';
import type { ModelInfo } from '../model/request.ts';
import type { ContextRules, WindowSettings } from '../model/settings.ts';
import { contextRulesFor } from '../model/settings.ts';

/** Output may claim at most this share of the window, or a small window would have no room for input. */
const MAX_OUTPUT_SHARE = 4;

/** Room for what an estimate can miss: 5% of a small window, at most 4,000 tokens, but never under 3%. */
function safetyMargin(window: number): number {
  return Math.round(Math.max(0.03 * window, Math.min(4000, 0.05 * window)));
}

/**
 * The budget of a request, in tokens. A window set by the person wins over the provider's; where neither says one,
 * `window` and `tokens` are absent: unknown is shown as unknown.
 */
export function budgetFor(info: ModelInfo, settings: WindowSettings): Budget {
  const window = settings.window ?? info.window;
  const wanted = Math.min(settings.maxOutputTokens, info.maxOutput ?? Number.POSITIVE_INFINITY);
  const rules = contextRulesFor(settings.context, info.id);
  const marks = { lines: linesOf(rules), ...(rules.maxTokens !== null && { cap: rules.maxTokens }) };
  if (window === undefined) return { reservedOutput: wanted, margin: 0, ...marks };
  const reservedOutput = Math.max(1, Math.min(wanted, Math.floor(window / MAX_OUTPUT_SHARE)));
  const margin = safetyMargin(window);
  return { window, reservedOutput, margin, tokens: Math.max(0, window - reservedOutput - margin), ...marks };
}

/** An answer needs at least so much room. Tokens. */
const LEAST_OUTPUT = 1_024;

/** What an answer to a request of `total` tokens may take: the reserve, or what the window leaves of it. */
export function outputRoom(total: number, { window, margin, reservedOutput }: Budget): number {
  if (window === undefined) return reservedOutput;
  const least = Math.min(LEAST_OUTPUT, reservedOutput);
  return Math.max(least, Math.min(reservedOutput, window - margin - total));
}

/** Whether a request of `total` tokens leaves no room for an answer. */
export function isTooLarge(total: number, { window, margin, reservedOutput }: Budget): boolean {
  return window !== undefined && total > window - margin - Math.min(LEAST_OUTPUT, reservedOutput);
}

function linesOf({ evictAt, prepareAt, compactAt, foldAt }: ContextRules): LoadLines {
  return {
    ...(evictAt !== null && { evict: evictAt }),
    ...(prepareAt !== null && { prepare: prepareAt }),
    ...(compactAt !== null && { compact: compactAt }),
    ...(foldAt !== null && { fold: foldAt }),
  };
}
