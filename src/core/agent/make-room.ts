import type { Assembled } from '../context/assemble.ts';
import type { Conversation } from '../context/conversation.ts';
import { conversationOf } from '../context/conversation.ts';
import { isTooLarge } from '../context/budget.ts';
import type { Cut } from '../context/cut.ts';
import type { CompactionBase } from '../context/plan-compaction.ts';
import { budgetOf, planCut, replacementFor } from '../context/plan-compaction.ts';
import { linesIn } from '../context/relief.ts';
import { shrinkPlan } from '../context/shrink.ts';
import type { ReliefOutcome } from '../model/entry.ts';
import type { Ledger } from '../model/ledger.ts';
import type { AgentEvent } from '../model/event.ts';
import type { CompactionMethod, EvictedItem, ReliefTrigger } from '../model/relief-entry.ts';
import { contextRulesFor } from '../model/settings.ts';
import { largestItems } from './error-report.ts';
import type { Turn } from './turn-deps.ts';
import { appendEntry } from './turn-entry.ts';

/** A relief must free at least this share of the load. */
export const LEAST_GAIN = 0.05;
/** What a fold brings the request down to: of the budget at most, and of the line that it was over. */
const FOLD_TO = { budget: 0.5, line: 0.625 };

/** What shortening results brings the request down to, of the fold line. */
const SHRINK_TO = 0.95;
const NOTHING_TO_SHRINK = { items: [], frees: 0 } as const;

interface Eviction {
  readonly items: readonly EvictedItem[];
  readonly trigger: ReliefTrigger;
  readonly frees: number;
}

export async function* evict(
  turn: Turn,
  { ledger }: Assembled,
  { items, trigger, frees }: Eviction,
): AsyncGenerator<AgentEvent> {
  const { total } = ledger;
  const after = Math.max(0, Math.round(total - frees));
  yield* appendEntry(turn.deps, { kind: 'eviction', trigger, items, before: total, after });
}

export interface CompactionAsk {
  readonly trigger: ReliefTrigger;
  readonly focus?: string;
}

export function methodFor({ info, settings }: Turn): CompactionMethod {
  const { strategy } = contextRulesFor(settings.context, info.id);
  if (strategy === 'summarize') return 'summary';
  return strategy === 'fold' ? 'fold' : 'window';
}

export function conversationNow({ deps }: Turn): Conversation {
  return conversationOf(deps.transcript.entries);
}

export function baseOf(turn: Turn, { ledger }: Assembled): CompactionBase {
  const rules = contextRulesFor(turn.settings.context, turn.info.id);
  return { conversation: conversationNow(turn), ledger, rules };
}

/** Told once: until the load has grown the engine does not try again. */
export async function* skip(
  turn: Turn,
  assembled: Assembled,
  { trigger, reason }: { readonly trigger: ReliefTrigger; readonly reason: string },
): AsyncGenerator<AgentEvent> {
  if (trigger !== 'asked' && turn.deps.desk.wasSkipped(assembled.ledger.total)) return;
  yield* giveUp(turn, assembled, { relief: 'skipped', text: `${reason}.` });
}

export async function* giveUp(
  turn: Turn,
  { ledger }: Assembled,
  { relief, text }: { readonly relief: ReliefOutcome; readonly text: string },
): AsyncGenerator<AgentEvent> {
  yield* appendEntry(turn.deps, {
    kind: 'note',
    level: relief === 'failed' ? 'warning' : 'info',
    text,
    relief,
    load: ledger.total,
  });
  yield { type: 'relief_ended', outcome: relief };
}

export interface RoomAsk extends CompactionAsk {
  /** tokens; default: half the budget */
  readonly target?: number;
  readonly fallback?: string;
}

/** Makes room without any model: folds what is old, and where that is not enough shortens the largest results. */
export async function* makeRoom(turn: Turn, assembled: Assembled, ask: RoomAsk): AsyncGenerator<AgentEvent> {
  const { ledger } = assembled;
  const target = ask.target ?? targetOf(ledger, ask);
  const base = { ...baseOf(turn, assembled), target };
  const method = methodFor(turn) === 'window' ? 'window' : 'fold';
  const cut = planCut(base, method);
  if (cut !== undefined && (yield* applyFold(turn, base, { ...ask, method, cut }))) return;
  // Nothing old is left to cover: what the model has not seen yet is shortened only where it does not fit.
  const { fold } = linesIn(ledger.budget);
  const goal = ask.trigger === 'too_long' ? target : SHRINK_TO * fold;
  const { items, frees } =
    ask.trigger === 'too_long' || ledger.total >= fold
      ? shrinkPlan(base.conversation, ledger, goal)
      : NOTHING_TO_SHRINK;
  if (items.length > 0) yield* evict(turn, assembled, { items, trigger: ask.trigger, frees });
  else if (mustShrink(base, ask) && (yield* foldAll(turn, base, ask))) return;
  else if (ask.trigger !== 'too_long')
    yield* skip(turn, assembled, {
      ...ask,
      reason: `Nothing can be left out. What fills the window: ${largestItems(ledger)}`,
    });
}

/** A target at the line or over it would be reached again by the next request. */
function targetOf(ledger: Ledger, { trigger }: CompactionAsk): number {
  const whole = budgetOf(ledger);
  if (trigger === 'asked') return FOLD_TO.budget * Math.min(whole, ledger.total);
  const { compact, fold } = linesIn(ledger.budget);
  return Math.min(FOLD_TO.budget * whole, FOLD_TO.line * Math.min(compact, fold));
}

/** The request was refused, or would be. */
function mustShrink({ ledger }: CompactionBase, { trigger }: RoomAsk): boolean {
  return trigger === 'too_long' || isTooLarge(ledger.total, ledger.budget);
}

interface FoldAsk extends RoomAsk {
  readonly method: CompactionMethod;
  readonly cut: Cut;
}

/** Appends the fold of `cut` if it frees anything; tells whether it did. */
async function* applyFold(
  turn: Turn,
  base: CompactionBase,
  { trigger, focus, fallback, method, cut }: FoldAsk,
): AsyncGenerator<AgentEvent, boolean> {
  // What an earlier summary says of the stretch before still stands.
  const summary = base.conversation.compaction?.summary ?? [];
  const { text, facts, state, after } = replacementFor(base, cut, { summary });
  const before = base.ledger.total;
  if (after >= before * (1 - LEAST_GAIN)) return false;
  yield* appendEntry(turn.deps, {
    kind: 'compaction',
    method,
    trigger,
    through: cut.through,
    text,
    summary,
    state,
    facts,
    before,
    after,
    ...(focus !== undefined && { focus }),
    ...(fallback !== undefined && { fallback }),
  });
  turn.deps.desk.done();
  turn.deps.onCompacted?.(cut.covered);
  yield { type: 'relief_ended', outcome: 'applied' };
  return true;
}

/**
 * The very last: the newest round itself does not fit the window, or an unanswered message that never did. It is told
 * like the others, and the session lives on. The message that is to be answered stays as it is: nobody shortens that
 * unasked.
 */
async function* foldAll(turn: Turn, base: CompactionBase, ask: RoomAsk): AsyncGenerator<AgentEvent, boolean> {
  const { spoken } = base.conversation;
  const end = spoken.at(-1)?.kind === 'user' ? spoken.length - 1 : spoken.length;
  const through = spoken[end - 1]?.id;
  if (through === undefined) return false;
  const cut = { covered: spoken.slice(0, end), kept: spoken.slice(end), through };
  return yield* applyFold(turn, base, { ...ask, method: 'fold', cut });
}
