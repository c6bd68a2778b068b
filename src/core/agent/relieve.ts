import type { Assembled } from '../context/assemble.ts';
import type { Conversation } from '../context/conversation.ts';
import { conversationOf } from '../context/conversation.ts';
import type { Cut } from '../context/cut.ts';
import type { CompactionBase } from '../context/plan-compaction.ts';
import { planCut, replacementFor } from '../context/plan-compaction.ts';
import type { Relief } from '../context/relief.ts';
import { decideRelief, linesIn } from '../context/relief.ts';
import { summaryBound } from '../context/summary-prompt.ts';
import { shrinkPlan } from '../context/shrink.ts';
import { assertNever } from '../model/assert-never.ts';
import { AbortedError } from '../model/errors.ts';
import type { EntryDraft } from '../model/entry.ts';
import type { AgentEvent } from '../model/event.ts';
import type { CompactionMethod, EvictedItem, ReliefTrigger } from '../model/relief-entry.ts';
import { contextRulesFor } from '../model/settings.ts';
import { assembleStep } from './assemble-step.ts';
import { largestItems } from './error-report.ts';
import type { Turn } from './turn-deps.ts';
import { appendEntry } from './turn-entry.ts';
import type { SummaryJob, SummaryOutcome } from './write-summary.ts';
import { writeSummary } from './write-summary.ts';

/** Evict, compact, fold: no request needs more. */
const MOST_RELIEFS = 4;
/** A compaction must free at least this share of the budget. */
const LEAST_GAIN = 0.05;
/** What a fold brings the request down to. */
const FOLD_TO = 0.5;

/** Brings the load under its lines before a request goes out, and prepares for the next time. */
export async function* relieve(turn: Turn, first: Assembled): AsyncGenerator<AgentEvent, Assembled> {
  let assembled = first;
  for (let count = 0; count < MOST_RELIEFS; count += 1) {
    const relief = decide(turn, assembled);
    if (relief.kind === 'none') {
      if (relief.prepares) yield* prepare(turn, assembled);
      return assembled;
    }
    const before = turn.deps.transcript.entries.length;
    yield* carryOut(turn, assembled, relief);
    if (turn.deps.transcript.entries.length === before) return assembled;
    assembled = yield* assembleStep(turn);
  }
  return assembled;
}

function decide({ deps, info, settings }: Turn, { ledger }: Assembled): Relief {
  const rules = contextRulesFor(settings.context, info.id);
  return decideRelief({ entries: deps.transcript.entries, ledger, info, rules });
}

async function* carryOut(turn: Turn, assembled: Assembled, relief: Relief): AsyncGenerator<AgentEvent> {
  switch (relief.kind) {
    case 'none':
      return;
    case 'evict':
      yield* evict(turn, assembled, { items: relief.items, trigger: 'line', frees: relief.frees });
      return;
    case 'compact':
      yield* compact(turn, assembled, { trigger: relief.trigger });
      return;
    case 'fold':
      yield* fold(turn, assembled, relief.trigger);
      return;
    default:
      assertNever(relief);
  }
}

/** No time for a model any more; a summary that is ready is as good. */
async function* fold(turn: Turn, assembled: Assembled, trigger: ReliefTrigger): AsyncGenerator<AgentEvent> {
  const prepared = turn.deps.desk.find(conversationNow(turn));
  if (prepared?.ready?.kind === 'written')
    yield* applySummary(turn, { trigger, assembled, cut: prepared.cut, outcome: prepared.ready });
  else yield* makeRoom(turn, assembled, { trigger });
}

interface Eviction {
  readonly items: readonly EvictedItem[];
  readonly trigger: ReliefTrigger;
  readonly frees: number;
}

async function* evict(
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

/** Compacts by a summary; where none can be had, without a model. */
export async function* compact(
  turn: Turn,
  assembled: Assembled,
  ask: CompactionAsk,
): AsyncGenerator<AgentEvent> {
  const prepared = ask.focus === undefined ? turn.deps.desk.find(conversationNow(turn)) : undefined;
  if (prepared?.ready?.kind === 'written') {
    yield* applySummary(turn, { ...ask, assembled, cut: prepared.cut, outcome: prepared.ready });
    return;
  }
  const cut = prepared?.cut ?? planCut(baseOf(turn, assembled), methodFor(turn));
  const reason =
    cut === undefined ? 'there is nothing older than what has to stay' : uselessness(turn, assembled, cut);
  if (cut === undefined || reason !== undefined) {
    yield* skip(turn, assembled, reason ?? '');
    return;
  }
  yield { type: 'relief_started', isWaitedFor: true, before: assembled.ledger.total };
  const outcome = yield* waitedFor(
    turn,
    prepared?.outcome ?? jobFor(turn, { assembled, cut, focus: ask.focus }),
  );
  if (outcome === 'cancelled') {
    yield* giveUp(turn, 'cancelled', 'Compaction cancelled.');
    return;
  }
  if (outcome.kind === 'written') yield* applySummary(turn, { ...ask, assembled, cut, outcome });
  else {
    yield* giveUp(
      turn,
      'failed',
      `No summary: ${outcome.reason}. The conversation is compacted without one.`,
    );
    yield* makeRoom(turn, assembled, { ...ask, fallback: outcome.reason });
  }
}

function methodFor({ info, settings }: Turn): CompactionMethod {
  const { strategy } = contextRulesFor(settings.context, info.id);
  if (strategy === 'summarize') return 'summary';
  return strategy === 'fold' ? 'fold' : 'window';
}

function conversationNow({ deps }: Turn): Conversation {
  return conversationOf(deps.transcript.entries);
}

export function baseOf(turn: Turn, { ledger }: Assembled): CompactionBase {
  const rules = contextRulesFor(turn.settings.context, turn.info.id);
  return { conversation: conversationNow(turn), ledger, rules };
}

/** Why compacting here would be in vain; undefined where it would not. */
function uselessness(turn: Turn, assembled: Assembled, cut: Cut): string | undefined {
  const { total, budget } = assembled.ledger;
  const bound = summaryBound(budget.tokens ?? total);
  const gain = total - replacementFor(baseOf(turn, assembled), cut, []).after - bound;
  if (gain >= LEAST_GAIN * (budget.tokens ?? total)) return undefined;
  return `it would free ${Math.max(0, gain).toLocaleString('en-US')} tokens. What fills the window: ${largestItems(assembled.ledger)}`;
}

/** Told once: until the load has grown the engine does not try again. */
async function* skip(turn: Turn, { ledger }: Assembled, reason: string): AsyncGenerator<AgentEvent> {
  if (turn.deps.desk.wasSkipped(ledger.total)) return;
  yield* giveUp(turn, 'skipped', `Not compacted: ${reason}.`);
}

async function* giveUp(
  turn: Turn,
  relief: 'skipped' | 'failed' | 'cancelled',
  text: string,
): AsyncGenerator<AgentEvent> {
  yield* appendEntry(turn.deps, {
    kind: 'note',
    level: relief === 'failed' ? 'warning' : 'info',
    text,
    relief,
  });
  yield { type: 'relief_ended', outcome: relief };
}

interface Planned {
  readonly assembled: Assembled;
  readonly cut: Cut;
  readonly focus: string | undefined;
}

function jobFor(turn: Turn, { assembled, cut, focus }: Planned): SummaryJob {
  return { base: baseOf(turn, assembled), request: assembled.request, cut, focus };
}

/** Waits for a summary, written now or already being written. The person may call it off; a stop ends the turn. */
async function* waitedFor(
  turn: Turn,
  work: SummaryJob | Promise<SummaryOutcome>,
): AsyncGenerator<AgentEvent, SummaryOutcome | 'cancelled'> {
  const cancel = turn.deps.desk.cancellation();
  const signal = AbortSignal.any([turn.signal, cancel]);
  try {
    if (work instanceof Promise) return await unlessAborted(work, signal);
    return yield* writeSummary({ ...turn, signal }, work);
  } catch (error) {
    if (turn.signal.aborted) throw new AbortedError();
    if (cancel.aborted) return 'cancelled';
    throw error;
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new AbortedError());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

interface Application extends CompactionAsk {
  readonly assembled: Assembled;
  readonly cut: Cut;
  readonly outcome: Extract<SummaryOutcome, { kind: 'written' }>;
}

async function* applySummary(turn: Turn, application: Application): AsyncGenerator<AgentEvent> {
  const { assembled, cut, outcome, trigger, focus } = application;
  const base = baseOf(turn, assembled);
  const { summary, signed, cost, model } = outcome;
  // What the provider vouches for holds the summary itself; code adds the rest.
  const { text, facts, state, after } = replacementFor(base, cut, signed ? [] : summary);
  const draft: EntryDraft = {
    kind: 'compaction',
    method: signed ? 'signed' : 'summary',
    trigger,
    through: cut.through,
    text,
    summary,
    state,
    facts,
    ...(signed && { signed }),
    before: assembled.ledger.total,
    after,
    ...(cost && { cost }),
    model,
    ...(focus !== undefined && { focus }),
  };
  yield* appendEntry(turn.deps, draft);
  turn.deps.desk.drop();
  turn.deps.onCompacted?.(cut.covered);
  yield { type: 'relief_ended', outcome: 'applied' };
}

export interface RoomAsk extends CompactionAsk {
  /** tokens; default: half the budget */
  readonly target?: number;
  readonly fallback?: string;
}

/** Makes room without any model: folds what is old, and where that is not enough shortens the largest results. */
export async function* makeRoom(turn: Turn, assembled: Assembled, ask: RoomAsk): AsyncGenerator<AgentEvent> {
  const { ledger } = assembled;
  const target = ask.target ?? FOLD_TO * (ledger.budget.tokens ?? ledger.budget.cap ?? ledger.total);
  const base = { ...baseOf(turn, assembled), target };
  const method = methodFor(turn) === 'window' ? 'window' : 'fold';
  const cut = planCut(base, method);
  // What an earlier summary says of the stretch before still stands.
  const summary = base.conversation.compaction?.summary ?? [];
  const replacement = cut && replacementFor(base, cut, summary);
  const hasGain = replacement !== undefined && replacement.after < ledger.total * (1 - LEAST_GAIN);
  if (cut !== undefined && replacement !== undefined && hasGain) {
    const { text, facts, state, after } = replacement;
    yield* appendEntry(turn.deps, {
      kind: 'compaction',
      method,
      trigger: ask.trigger,
      through: cut.through,
      text,
      summary,
      state,
      facts,
      before: ledger.total,
      after,
      ...(ask.focus !== undefined && { focus: ask.focus }),
      ...(ask.fallback !== undefined && { fallback: ask.fallback }),
    });
    turn.deps.desk.drop();
    turn.deps.onCompacted?.(cut.covered);
    yield { type: 'relief_ended', outcome: 'applied' };
    return;
  }
  // Nothing old is left to cover: only what does not fit may be shortened.
  const { fold } = linesIn(ledger.budget);
  const items =
    ledger.total >= Math.min(fold, target + 1) || ask.target !== undefined
      ? shrinkPlan(base.conversation, ledger, target)
      : [];
  if (items.length > 0)
    yield* evict(turn, assembled, { items, trigger: ask.trigger, frees: ledger.total - target });
  else if (ask.trigger !== 'too_long')
    yield* skip(turn, assembled, `nothing can be left out. What fills the window: ${largestItems(ledger)}`);
}

/** Begins a summary in the background, where one will be wanted soon. */
function* prepare(turn: Turn, assembled: Assembled): Generator<AgentEvent> {
  const { desk } = turn.deps;
  const conversation = conversationNow(turn);
  if (desk.find(conversation) !== undefined) return;
  const cut = planCut(baseOf(turn, assembled), 'summary');
  if (cut === undefined || uselessness(turn, assembled, cut) !== undefined) return;
  const job = jobFor(turn, { assembled, cut, focus: undefined });
  yield { type: 'relief_started', isWaitedFor: false, before: assembled.ledger.total };
  desk.prepare(cut, conversation, (signal) => writeSummary({ ...turn, signal }, job));
}
