import type { ErrorReport, ModelErrorCode } from '../model/errors.ts';
import { ModelError } from '../model/errors.ts';
import type { Ledger, LedgerCategory } from '../model/ledger.ts';

interface Explanation {
  readonly title: string;
  readonly advice: string;
}

const EXPLANATIONS: Record<ModelErrorCode, Explanation> = {
  no_key: {
    title: 'No API key',
    advice:
      'Set a key with the command “Plimsoll: Set API Key”, or start the editor with ANTHROPIC_API_KEY set.',
  },
  auth: {
    title: 'The API key was not accepted',
    advice: 'Set another key with the command “Plimsoll: Set API Key”, then retry.',
  },
  billing: {
    title: 'The account cannot be billed',
    advice: 'Check the plan and the credit of the account, then retry.',
  },
  permission: {
    title: 'The key may not use this model',
    advice: 'Choose another model in the settings (plimsoll.model), or use another key.',
  },
  not_found: {
    title: 'The model was not found',
    advice: 'Check plimsoll.model and plimsoll.anthropic.baseUrl in the settings.',
  },
  invalid_request: {
    title: 'The server refused the request',
    advice: 'Retry; if it is refused again, start a new session and report the words below.',
  },
  thinking_binding: {
    title: 'The server did not accept earlier reasoning',
    advice: 'Retry: the reasoning is left out then.',
  },
  signed_summary: {
    title: 'The server did not accept the summary it had written',
    advice: 'Retry: the summary is sent in another form then.',
  },
  too_long: {
    title: 'The conversation does not fit the model’s window',
    advice: 'Start a new session, or choose a model with a larger window.',
  },
  rate_limit: { title: 'Rate limit reached', advice: 'Wait a little, then retry.' },
  overloaded: { title: 'The model is overloaded', advice: 'Wait a little, then retry.' },
  server: { title: 'The server failed', advice: 'Retry in a moment.' },
  connection: {
    title: 'The server cannot be reached',
    advice: 'Check the network, the proxy and plimsoll.anthropic.baseUrl, then retry.',
  },
  stream_cut: {
    title: 'The answer was cut off',
    advice: 'The connection broke in the middle of the answer. Retry.',
  },
};

/** The request does not fit and nothing may be left out: said with what fills the window, and why it was refused if it was. */
export class ContextFullError extends Error {
  override readonly name = 'ContextFullError';
  constructor(
    readonly ledger: Ledger,
    readonly refusal?: ModelError,
  ) {
    super('the request does not fit the budget', { cause: refusal });
  }
}

/** Turns whatever ended a turn into something a person can act on. */
export function reportError(error: unknown): ErrorReport {
  if (error instanceof ContextFullError) return reportFull(error);
  if (error instanceof ModelError) {
    return { code: error.code, ...EXPLANATIONS[error.code], detail: detailOf(error), canRetry: true };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return {
    code: 'internal',
    title: 'Something went wrong in Plimsoll',
    detail,
    advice: 'Retry; if it happens again, please report it.',
    canRetry: true,
  };
}

function detailOf(error: ModelError): string {
  const facts = [
    error.status && `status ${error.status}`,
    error.requestId && `request ${error.requestId}`,
  ].filter(Boolean);
  return facts.length > 0 ? `${error.message} (${facts.join(', ')})` : error.message;
}

/** From this share on, what the person holds in view is a reason of its own. */
const HELD_SHARE = 0.25;

function reportFull({ ledger, refusal }: ContextFullError): ErrorReport {
  const held = ledger.items
    .filter(({ state }) => state === 'pinned')
    .reduce((sum, { tokens }) => sum + tokens, 0);
  const isHeld = held > HELD_SHARE * Math.min(ledger.total, ledger.budget.tokens ?? ledger.total);
  const said = refusal === undefined ? '' : ` The server said: ${detailOf(refusal)}`;
  const budget = ledger.budget.tokens ?? 0;
  return {
    code: 'context_full',
    title: 'The conversation does not fit the model’s window',
    detail: `The next request needs about ${count(ledger.total)} tokens; ${count(budget)} are available. ${breakdown(ledger)}${said}`,
    advice: isHeld
      ? 'Let go of some of what is held in view (pinned), or choose a model with a larger window.'
      : 'Start a new session, choose a model with a larger window, lower plimsoll.maxOutputTokens, or take back plimsoll.context.window where it is set too small.',
    canRetry: true,
  };
}

const CATEGORY_NAMES: Record<LedgerCategory, string> = {
  system: 'system prompt',
  tools: 'tool descriptions',
  summary: 'summaries',
  user: 'your messages',
  assistant: 'answers',
  thinking: 'reasoning',
  tool_result: 'tool results',
  reminder: 'reminders',
};

/** What fills the window: each category, then the three largest items. */
function breakdown(ledger: Ledger): string {
  const sums = new Map<LedgerCategory, number>();
  for (const item of ledger.items) sums.set(item.category, (sums.get(item.category) ?? 0) + item.tokens);
  const parts = [...sums]
    .sort((a, b) => b[1] - a[1])
    .map(([category, tokens]) => `${CATEGORY_NAMES[category]} ${count(tokens)}`);
  return `It holds: ${parts.join(', ')}.${heldIn(ledger)} Largest: ${largestItems(ledger)}.`;
}

/** What no relief touches because the person pinned it. */
function heldIn({ items }: Ledger): string {
  const held = items.filter(({ state }) => state === 'pinned');
  if (held.length === 0) return '';
  const tokens = held.reduce((sum, item) => sum + item.tokens, 0);
  const entries = new Set(held.map(({ entryId }) => entryId)).size;
  return ` Held in view by you (pinned): ${entries === 1 ? '1 entry' : `${entries} entries`}, ${count(tokens)}.`;
}

/** The three largest items of a request, as a person would call them. */
export function largestItems(ledger: Ledger): string {
  const largest = [...ledger.items].sort((a, b) => b.tokens - a.tokens).slice(0, 3);
  return largest
    .map(
      ({ label, category, tokens, state }) =>
        `${label === 'message' ? CATEGORY_NAMES[category] : label} (${count(tokens)}${state === 'pinned' ? ', held in view' : ''})`,
    )
    .join(', ');
}

function count(tokens: number): string {
  return tokens.toLocaleString('en-US');
}
