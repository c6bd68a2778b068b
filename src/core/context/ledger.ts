import type { AssistantEntry, CountedPart, UsageEntry } from '../model/entry.ts';
import { orderOf } from '../model/entry-order.ts';
import type { Budget } from '../model/budget.ts';
import type { Ledger, LedgerItem } from '../model/ledger.ts';
import type { Usage } from '../model/usage.ts';
import { contextTokens } from '../model/usage.ts';
import { FACTOR_RANGE } from './calibration.ts';
import type { Measure } from './token-table.ts';

/** An item of a request before it is priced: who it is, and what the reference tokenizer says of it. */
export interface RawItem {
  readonly item: Omit<LedgerItem, 'tokens'>;
  readonly measure: Measure;
}

/** What real usage is known of the request's beginning. */
export interface Anchor {
  readonly usage: UsageEntry;
  /** the reply to that request: what it cost to write is what it costs to send */
  readonly reply: AssistantEntry;
}

/** The part of a request that nobody has billed yet: what its report will tell the price of. */
export interface AddedPart {
  /** by the reference tokenizer; images, whose price is no matter of tokenizers, apart */
  readonly tokens: number;
  readonly imageTokens: number;
  /** no estimate among them */
  readonly isCounted: boolean;
  /** of `tokens`: those that are estimated from their characters */
  readonly uncounted: number;
  /** tokens of the rest of the request, as billed before */
  readonly base: number;
  /** tokens that the whole request must have, whatever was billed before: no tokenizer makes fewer of its text */
  readonly least: number;
}

export interface Estimate {
  readonly ledger: Ledger;
  readonly added: AddedPart;
}

export interface EstimateOptions {
  readonly budget: Budget;
  /** absent after a break: then nothing of the request is known, and all of it is the added part */
  readonly anchor: Anchor | undefined;
  /** billed ÷ counted, as learnt so far */
  readonly factor: number;
  /** the same of system and tools, which no result resembles; absent where their report was not counted */
  readonly promptFactor?: number | undefined;
}

/** A server that bills less than this share of what it was sent has not read all of it. */
const CLIPPED_SHARE = 0.5;

/** Smaller parts say nothing about clipping: markers and ids weigh too much in them. Tokens. */
const TELLING = 500;

/** The estimate before a call: the last real usage, its reply as billed, and the factor times what was added since. */
export function estimateLedger(
  raw: readonly RawItem[],
  { budget, anchor, factor, promptFactor }: EstimateOptions,
): Estimate {
  const groups = raw.map(groupBy(anchor, promptFactor !== undefined));
  const weights = raw.map(
    ({ item, measure }) =>
      measure.imageTokens + textTokens(measure) * (isPrompt(item) ? (promptFactor ?? factor) : factor),
  );
  const part = partOf(raw, groups);
  const added = Math.round(part.imageTokens + part.tokens * factor);
  const known = () => sum(weights.filter((_, index) => groups[index] === 'sent'));
  const sharing: Record<Group, Sharing> = {
    sent: sharingOf(anchor === undefined ? Math.round(known()) : contextTokens(anchor.usage.usage)),
    reply: sharingOf(anchor?.usage.usage.output ?? 0),
    added: sharingOf(added),
  };
  const sharingAt = (index: number) => sharing[groups[index] ?? 'added'];
  weights.forEach((weight, index) => (sharingAt(index).whole += weight));
  const items = raw.map(({ item }, index) => priced(item, nextShare(sharingAt(index), weights[index] ?? 0)));
  const ledger = ledgerOf('estimate', items, budget);
  const base = ledger.total - (sharing.added.whole > 0 ? added : 0);
  return { ledger, added: { ...part, base, least: leastOf(raw) } };
}

/** By the reference tokenizer alone. Reasoning and images are counted by other rules. */
function leastOf(raw: readonly RawItem[]): number {
  let tokens = 0;
  for (const { item, measure } of raw)
    if (item.category !== 'thinking')
      tokens += textTokens(measure) * (measure.isCounted ? 1 : 1 - UNCERTAIN.estimated);
  return Math.floor(tokens * FACTOR_RANGE.min);
}

/** Written out, because a thousand of them are made for every request and copying by spread is slow. */
function priced({ entryId, category, label, state, age }: RawItem['item'], tokens: number): LedgerItem {
  if (entryId === undefined) return { category, label, state, tokens };
  if (age === undefined) return { entryId, category, label, state, tokens };
  return { entryId, category, label, state, age, tokens };
}

/** The truth after a call: the provider's total, shared among the items in proportion to what they were thought to cost. */
export function usageLedger(items: readonly LedgerItem[], budget: Budget, usage: Usage): Ledger {
  const tokens = scaledTo(contextTokens(usage), items.map(tokensOf));
  return ledgerOf(
    'usage',
    items.map((item, index) => ({ ...item, tokens: tokens[index] ?? 0 })),
    budget,
  );
}

/** The provider's own count of a request that was not made yet, shared among its items in the same way. */
export function countedLedger({ items, budget }: Ledger, total: number): Ledger {
  const tokens = scaledTo(total, items.map(tokensOf));
  return ledgerOf(
    'estimate',
    items.map((item, index) => ({ ...item, tokens: tokens[index] ?? 0 })),
    budget,
  );
}

/** An estimate from characters, and one by the reference tokenizer, may be off by so much. */
const UNCERTAIN = { estimated: 0.25, counted: 0.05 };

/** Tokens by which an estimate may be off: what was billed before is certain, the rest as it was counted. */
export function uncertaintyOf(
  { total }: Ledger,
  { tokens, imageTokens, uncounted, base }: AddedPart,
): number {
  const part = tokens + imageTokens;
  if (part === 0) return 0;
  const doubt = uncounted * UNCERTAIN.estimated + (part - uncounted) * UNCERTAIN.counted;
  return Math.ceil(((total - base) / part) * doubt);
}

/**
 * What calibration can learn from the report of a request: the price of what it added. Undefined where that teaches
 * nothing: an estimate among the counts, nothing added, or a server that has not read all of it.
 */
export function countedPart(added: AddedPart, usage: Usage): CountedPart | undefined {
  if (!added.isCounted || added.tokens === 0 || isClipped(added, usage)) return undefined;
  const billed = contextTokens(usage) - added.base - added.imageTokens;
  return billed >= added.tokens * FACTOR_RANGE.min ? { tokens: added.tokens, billed } : undefined;
}

/** Some local servers cut a request that is too long for them, silently: then they bill less than they were sent. */
export function isClipped(added: AddedPart, usage: Usage): boolean {
  const sent = added.tokens + added.imageTokens;
  return sent >= TELLING && contextTokens(usage) - added.base < sent * CLIPPED_SHARE;
}

type Group = 'sent' | 'reply' | 'added';

function isPrompt({ category }: RawItem['item']): boolean {
  return category === 'system' || category === 'tools';
}

/** Behind a break nothing is known but, where it was counted once, the price of the prompt. */
function groupBy(anchor: Anchor | undefined, isPromptKnown: boolean): (raw: RawItem) => Group {
  if (anchor === undefined) return ({ item }) => (isPromptKnown && isPrompt(item) ? 'sent' : 'added');
  const last = orderOf(anchor.usage.lastEntryId);
  return ({ item: { entryId } }) => {
    if (entryId === undefined || orderOf(entryId) <= last) return 'sent';
    return entryId === anchor.reply.id ? 'reply' : 'added';
  };
}

function partOf(raw: readonly RawItem[], groups: readonly Group[]): Omit<AddedPart, 'base' | 'least'> {
  const part = { tokens: 0, imageTokens: 0, isCounted: true, uncounted: 0 };
  for (const [index, { measure }] of raw.entries()) {
    if (groups[index] !== 'added') continue;
    part.tokens += textTokens(measure);
    part.imageTokens += measure.imageTokens;
    part.isCounted &&= measure.isCounted;
    if (!measure.isCounted) part.uncounted += textTokens(measure);
  }
  return part;
}

function textTokens({ tokens, imageTokens }: Measure): number {
  return tokens - imageTokens;
}

/** A total that is given out in whole numbers, in proportion to weights: what was given so far is kept exact. */
interface Sharing {
  readonly total: number;
  whole: number;
  soFar: number;
  given: number;
}

function sharingOf(total: number): Sharing {
  return { total, whole: 0, soFar: 0, given: 0 };
}

/** The next one's share. The shares of all sum to the total (running remainder, so none is off by one). */
function nextShare(sharing: Sharing, weight: number): number {
  sharing.soFar += weight;
  const upTo = sharing.whole === 0 ? 0 : Math.round((sharing.total * sharing.soFar) / sharing.whole);
  const share = upTo - sharing.given;
  sharing.given = upTo;
  return share;
}

/** Whole numbers in proportion to `weights` that sum to exactly `total`. */
function scaledTo(total: number, weights: readonly number[]): number[] {
  const whole = sum(weights);
  if (whole === 0) return weights.map((_, index) => (index === weights.length - 1 ? total : 0));
  const sharing = { ...sharingOf(total), whole };
  return weights.map((weight) => nextShare(sharing, weight));
}

function ledgerOf(phase: Ledger['phase'], items: readonly LedgerItem[], budget: Budget): Ledger {
  return { phase, items, total: items.reduce((total, { tokens }) => total + tokens, 0), budget };
}

function tokensOf(item: LedgerItem): number {
  return item.tokens;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
