import type { EntryId } from '../model/entry.ts';
import type { Ledger } from '../model/ledger.ts';
import type {
  CarriedFacts,
  CompactionMethod,
  SignedSummary,
  SummarySection,
  WorkState,
} from '../model/relief-entry.ts';
import type { ContextRules } from '../model/settings.ts';
import { compactionText } from './compaction-text.ts';
import type { Conversation, SpokenEntry } from './conversation.ts';
import type { Cut } from './cut.ts';
import { cutFor, weightsOf } from './cut.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { extendFacts } from './facts.ts';
import { workState } from './work-state.ts';

/** What stays word for word behind a summary: recent rounds, within this share of the budget. */
const TAIL = { most: 20_000, share: 0.1, cheap: 0.07 };
/** What a fold brings the load down to. */
const FOLD_SHARE = 0.5;
/** Room for its text, of what it brings the load down to. */
const FOLD_TEXT_SHARE = 0.3;
/** Messages that a sliding window keeps. */
const WINDOW_MESSAGES = 20;

export interface CompactionBase {
  readonly conversation: Conversation;
  readonly ledger: Ledger;
  readonly rules: ContextRules;
  /** tokens that a fold brings the request down to; default: half the budget */
  readonly target?: number;
}

/** What a compaction would cover, by the way it is made. Undefined where there is nothing to cover. */
export function planCut(base: CompactionBase, method: CompactionMethod): Cut | undefined {
  const { conversation, ledger, rules } = base;
  const weigh = weightsOf(ledger);
  const budget = budgetOf(ledger);
  // What is held stays on both sides of the cut.
  const weighLoose = (entry: SpokenEntry) => (conversation.pinned.has(entry.id) ? 0 : weigh(entry));
  switch (method) {
    case 'summary':
    case 'signed':
      return cutFor(conversation.spoken, {
        weigh,
        tail: tailOf(budget),
        rounds: rules.keepRounds,
        cheap: Math.floor(TAIL.cheap * budget),
      });
    case 'fold':
      return cutFor(conversation.spoken, {
        weigh: weighLoose,
        tail: foldTail(base),
        rounds: Number.POSITIVE_INFINITY,
      });
    case 'window':
      return cutFor(conversation.spoken, {
        weigh: weighLoose,
        tail: foldTail(base),
        rounds: WINDOW_MESSAGES / 2,
      });
  }
}

export function tailOf(budget: number): number {
  return Math.min(TAIL.most, Math.floor(budget * TAIL.share));
}

/** The room that is left of half the budget beside everything that no compaction touches, and its own text. */
function foldTail({ conversation, ledger, target }: CompactionBase): number {
  const weigh = weightsOf(ledger);
  const loose = conversation.spoken.filter(({ id }) => !conversation.pinned.has(id));
  const movable = loose.reduce((sum, entry) => sum + weigh(entry), 0);
  const summary = weighSummary(conversation, weigh);
  const fixed = ledger.total - movable - summary;
  const budget = budgetOf(ledger);
  return Math.max(0, (target ?? FOLD_SHARE * budget) * (1 - FOLD_TEXT_SHARE) - fixed);
}

/** What the budget leaves to the conversation: a large system prompt makes everything else smaller. */
function roomOf(ledger: Ledger): number {
  const fixed = ledger.items
    .filter(({ category }) => category === 'system' || category === 'tools')
    .reduce((sum, { tokens }) => sum + tokens, 0);
  return Math.max(0, budgetOf(ledger) - fixed);
}

/** What relief works with: the budget, or where the person wants less than that, their economy cap. */
export function budgetOf({ budget: { tokens, cap }, total }: Ledger): number {
  return Math.min(tokens ?? cap ?? total, cap ?? Number.POSITIVE_INFINITY);
}

/** What a compaction of `cut` puts in its place. */
export interface Replacement {
  readonly text: string;
  readonly facts: CarriedFacts;
  readonly state: WorkState;
  readonly after: number;
}

export interface SummaryParts {
  readonly summary: readonly SummarySection[];
  readonly signed?: SignedSummary | undefined;
}

export function replacementFor(
  { conversation, ledger }: CompactionBase,
  cut: Cut,
  { summary, signed }: SummaryParts,
): Replacement {
  const facts = extendFacts(conversation.compaction, cut.covered);
  const state = workState(facts, summary, cut.through);
  // What the provider vouches for holds the summary itself; code adds the rest.
  const told = signed === undefined ? summary : [];
  const text = compactionText({ facts, summary: told, state, room: roomOf(ledger) });
  const weigh = weightsOf(ledger);
  // What is held stays in view behind the text.
  const left = cut.covered.filter(({ id }) => !conversation.pinned.has(id));
  const before = left.reduce((sum, entry) => sum + weigh(entry), weighSummary(conversation, weigh));
  return {
    text,
    facts,
    state,
    after: Math.max(0, ledger.total - before + estimateTokens(text + (signed?.text ?? ''))),
  };
}

function weighSummary(
  { compaction, spoken }: Conversation,
  weigh: (entry: { readonly id: EntryId }) => number,
): number {
  return compaction === undefined || spoken.includes(compaction) ? 0 : weigh(compaction);
}
