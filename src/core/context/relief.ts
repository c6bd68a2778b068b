import type { Budget } from '../model/budget.ts';
import type { Entry } from '../model/entry.ts';
import type { Ledger } from '../model/ledger.ts';
import type { EvictedItem, ReliefTrigger } from '../model/relief-entry.ts';
import type { ModelInfo } from '../model/request.ts';
import type { ContextRules } from '../model/settings.ts';
import type { Conversation } from './conversation.ts';
import { conversationOf } from './conversation.ts';
import { cutFor, weightsOf } from './cut.ts';
import { evictionCandidates } from './evict.ts';
import { budgetOf, tailOf } from './plan-compaction.ts';
import { worthwhileBatch } from './price.ts';
import type { ReliefHistory } from './relief-history.ts';
import { pauseOver, reliefHistoryOf } from './relief-history.ts';

/** What has to be done before the next request may go out. */
export type Relief =
  | { readonly kind: 'none'; readonly prepares: boolean }
  | { readonly kind: 'evict'; readonly items: readonly EvictedItem[]; readonly frees: number }
  | { readonly kind: 'compact'; readonly trigger: ReliefTrigger }
  /** no time or no room for a model */
  | { readonly kind: 'fold'; readonly trigger: ReliefTrigger };

/** Least that an eviction must free, to be worth breaking the prefix at all. */
const LEAST_FREED = { tokens: 20_000, share: 0.1 };

/** A summary is begun when so many more rounds would bring the load to the compact line. */
const ROUNDS_TO_PREPARE = 2;
/** A round is taken to add at least this share of the budget. */
const LEAST_GROWTH = 0.01;

export interface ReliefBase {
  readonly entries: readonly Entry[];
  readonly ledger: Ledger;
  readonly info: ModelInfo;
  readonly rules: ContextRules;
}

/** Where the load stands, and so what to do. Pure: the same log and ledger give the same answer. */
export function decideRelief(base: ReliefBase): Relief {
  const { entries, ledger, rules } = base;
  const { total, budget } = ledger;
  const lines = linesIn(budget);
  const history = reliefHistoryOf(entries);
  const waits = total < Math.max(history.waitsUntil, pausedUntil(history, budget));
  const isOver = budget.tokens !== undefined && total > budget.tokens;
  if (total >= lines.fold && (isOver || !waits)) return { kind: 'fold', trigger: 'line' };
  // What was just relieved is judged by the next bill; until then only what must be done is done.
  if (history.isUnbilled) return { kind: 'none', prepares: false };
  if (total >= lines.compact && !waits)
    return { kind: rules.strategy === 'summarize' ? 'compact' : 'fold', trigger: lines.trigger };
  if (total >= lines.evict && !waits) {
    const batch = evictionBatch(base, history);
    if (batch !== undefined) return batch;
  }
  return { kind: 'none', prepares: rules.strategy === 'summarize' && !waits && isNear(ledger, history) };
}

/**
 * The load below which nothing is compacted because the last compaction has left more than its line: prompt, tools and
 * summary alone are over it. Under an economy cap at most the line that would hold without it. 0: it does not wait.
 */
export function pausedUntil(history: ReliefHistory, budget: Budget): number {
  const { compact, fold } = linesIn(budget);
  const { cap, ...uncapped } = budget;
  const most = cap === undefined ? Number.POSITIVE_INFINITY : linesIn(uncapped).compact;
  return Math.min(pauseOver(history, Math.min(compact, fold)), most);
}

interface Lines {
  readonly evict: number;
  readonly prepare: number;
  readonly compact: number;
  readonly fold: number;
  readonly trigger: ReliefTrigger;
}

/**
 * The load lines in tokens. A line that is off is out of reach. Where compaction alone is left on, its last resort is
 * the budget itself: over it nothing is ever sent. Under an economy cap the other lines come as much earlier as
 * compaction does.
 */
export function linesIn({ tokens = Number.POSITIVE_INFINITY, lines, cap }: Budget): Lines {
  const reach = Math.min(tokens, (cap ?? Number.POSITIVE_INFINITY) / (lines.compact ?? 1));
  const lastResort = lines.compact === undefined && cap === undefined ? undefined : 1;
  const at = (line: number | undefined, of: number) =>
    line === undefined ? Number.POSITIVE_INFINITY : line * of;
  return {
    evict: at(lines.evict, reach),
    prepare: at(lines.prepare, reach),
    compact: Math.min(at(lines.compact, reach), cap ?? Number.POSITIVE_INFINITY),
    fold: at(lines.fold ?? lastResort, tokens),
    trigger: reach < tokens ? 'cap' : 'line',
  };
}

/** Near enough to the compact line for a summary to be begun in the background. */
function isNear({ total, budget }: Ledger, history: ReliefHistory): boolean {
  const { prepare, compact } = linesIn(budget);
  const growth = growthOf(history, budget);
  return total >= prepare && compact - total <= ROUNDS_TO_PREPARE * growth;
}

function growthOf({ growth }: ReliefHistory, { tokens = 0 }: Budget): number {
  return Math.max(growth, LEAST_GROWTH * tokens, 1);
}

function evictionBatch(
  { entries, ledger, info, rules }: ReliefBase,
  history: ReliefHistory,
): Relief | undefined {
  // A break costs these models their reasoning: it comes together with the compaction, once instead of twice.
  if (info.traits?.bindsThinking === true) return undefined;
  const conversation = conversationOf(entries);
  const weigh = weightsOf(ledger);
  const budget = budgetOf(ledger);
  const tail = tailOf(budget);
  const until = cutFor(conversation.spoken, { weigh, tail, rounds: rules.keepRounds })?.covered.length ?? 0;
  const { compact } = linesIn(ledger.budget);
  const batch = worthwhileBatch(
    evictionCandidates({ conversation, weigh, until }),
    Math.min(LEAST_FREED.tokens, LEAST_FREED.share * budget),
    {
      load: ledger.total,
      line: Number.isFinite(compact) ? compact : undefined,
      floor: tail + 0.1 * budget,
      growth: growthOf(history, ledger.budget),
      before: tokensBefore(conversation, ledger, weigh),
    },
  );
  if (batch.length === 0) return undefined;
  return {
    kind: 'evict',
    items: batch.map(({ item }) => item),
    frees: batch.reduce((sum, { frees }) => sum + frees, 0),
  };
}

function tokensBefore(
  { spoken }: Conversation,
  { total }: Ledger,
  weigh: ReturnType<typeof weightsOf>,
): (index: number) => number {
  const weights = spoken.map(weigh);
  let sum = total - weights.reduce((all, weight) => all + weight, 0);
  const sums = weights.map((weight) => (sum += weight) - weight);
  return (index) => sums[index] ?? total;
}
