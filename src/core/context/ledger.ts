import type { AssistantEntry, EntryId, UsageEntry } from '../model/entry.ts';
import type { Budget } from '../model/budget.ts';
import type { Ledger, LedgerItem } from '../model/ledger.ts';
import type { Usage } from '../model/usage.ts';
import { contextTokens } from '../model/usage.ts';

/** An item as the reference tokenizer counts it: before calibration, so its tokens need not be the provider's. */
export type RawItem = LedgerItem;

/** What real usage is known of the request's beginning. */
export interface Anchor {
  readonly usage: UsageEntry;
  /** the reply to that request: what it cost to write is what it costs to send */
  readonly reply: AssistantEntry;
}

/** A factor learnt from a tiny request would mislead a large one. */
const FACTOR_RANGE = { min: 0.5, max: 2.5 };

/**
 * The estimate before a call: the last real usage, its reply as billed, and what was added since, calibrated by the
 * ratio of real to counted tokens so far. Without an anchor the raw counts stand.
 */
export function estimateLedger(raw: readonly RawItem[], budget: Budget, anchor: Anchor | undefined): Ledger {
  if (anchor === undefined) return ledgerOf('estimate', raw.map(tokensOf), { raw, budget });
  const last = orderOf(anchor.usage.lastEntryId);
  const groups = raw.map((item) => groupOf(item, last, anchor.reply.id));
  const sent = scaledTo(contextTokens(anchor.usage.usage), pick(raw, groups, 'sent'));
  const reply = scaledTo(anchor.usage.usage.output, pick(raw, groups, 'reply'));
  const factor = calibration(contextTokens(anchor.usage.usage), pick(raw, groups, 'sent'));
  const queues = {
    sent,
    reply,
    added: pick(raw, groups, 'added').map((tokens) => Math.round(tokens * factor)),
  };
  const tokens = groups.map((group) => queues[group].shift() ?? 0);
  return ledgerOf('estimate', tokens, { raw, budget });
}

/** The truth after a call: the provider's total, shared among the items in proportion to their counts. */
export function usageLedger(raw: readonly RawItem[], budget: Budget, usage: Usage): Ledger {
  return ledgerOf('usage', scaledTo(contextTokens(usage), raw.map(tokensOf)), { raw, budget });
}

type Group = 'sent' | 'reply' | 'added';

function groupOf(item: RawItem, lastSent: number, replyId: EntryId): Group {
  if (item.entryId === undefined || orderOf(item.entryId) <= lastSent) return 'sent';
  return item.entryId === replyId ? 'reply' : 'added';
}

function pick(raw: readonly RawItem[], groups: readonly Group[], group: Group): number[] {
  return raw.filter((_, index) => groups[index] === group).map(tokensOf);
}

function calibration(real: number, counted: readonly number[]): number {
  const total = sum(counted);
  return total === 0 ? 1 : Math.min(FACTOR_RANGE.max, Math.max(FACTOR_RANGE.min, real / total));
}

/** Whole numbers in proportion to `weights` that sum to exactly `total` (running remainder, so none is off by one). */
function scaledTo(total: number, weights: readonly number[]): number[] {
  const whole = sum(weights);
  if (whole === 0) return weights.map((_, index) => (index === weights.length - 1 ? total : 0));
  let weightSoFar = 0;
  let given = 0;
  return weights.map((weight) => {
    weightSoFar += weight;
    const share = Math.round((total * weightSoFar) / whole) - given;
    given += share;
    return share;
  });
}

function ledgerOf(
  phase: Ledger['phase'],
  tokens: readonly number[],
  { raw, budget }: { readonly raw: readonly RawItem[]; readonly budget: Budget },
): Ledger {
  const items = raw.map((item, index) => ({ ...item, tokens: tokens[index] ?? 0 }));
  return { phase, items, total: sum(items.map(tokensOf)), budget };
}

function orderOf(id: EntryId): number {
  return Number(id.slice(1));
}

function tokensOf(item: RawItem): number {
  return item.tokens;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
