import type { ModelTraits } from '../core/model/request.ts';
import type { Json } from './json.ts';
import { asObject, asText } from './json.ts';

/** Lines that take messages of role `system`, from their release after {@link SYSTEM_MESSAGES_SINCE} on. */
const LINES_WITH_SYSTEM_MESSAGES: ReadonlySet<string> = new Set(['opus', 'fable', 'mythos']);

/** Between the last model of these lines that refuses such messages and the first that takes them. */
const SYSTEM_MESSAGES_SINCE = Date.parse('2026-05-15T00:00:00Z');

/**
 * What the Models API tells of a model's generation; undefined where it tells no capabilities, as from servers that
 * are not Anthropic's. Two things it does not tell at all, and both are taken to the safe side:
 *
 * - whether thinking is bound to its conversation. All models that are have given up manual thinking budgets, so
 *   whatever thinks without taking a budget is treated as bound: one that is not loses nothing by it.
 * - whether `system` messages are taken. That is documented by line and release, and else not assumed: said in a user
 *   message, a reminder is understood by every model.
 */
export function traitsOf(model: Json): ModelTraits | undefined {
  const capabilities = asObject(model.capabilities);
  const thinking = asObject(asObject(capabilities.thinking).types);
  if (Object.keys(thinking).length === 0) return undefined;
  const bindsThinking = isSupported(thinking.adaptive) && !isSupported(thinking.enabled);
  const signedSummaries = isSupported(asObject(capabilities.compaction).summarize);
  return {
    ...(bindsThinking && { bindsThinking }),
    ...(takesSystemMessages(model) && { systemMessages: true }),
    ...(signedSummaries && { signedSummaries }),
  };
}

function isSupported(capability: unknown): boolean {
  return asObject(capability).supported === true;
}

function takesSystemMessages(model: Json): boolean {
  return (
    LINES_WITH_SYSTEM_MESSAGES.has(asText(model.line)) &&
    Date.parse(asText(model.created_at)) >= SYSTEM_MESSAGES_SINCE
  );
}
