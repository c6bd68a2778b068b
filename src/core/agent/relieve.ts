import type { Assembled } from '../context/assemble.ts';
import type { Cut } from '../context/cut.ts';
import { planCut, replacementFor } from '../context/plan-compaction.ts';
import type { Relief } from '../context/relief.ts';
import { decideRelief, linesIn, pausedUntil } from '../context/relief.ts';
import { MOST_STRIKES, reliefHistoryOf } from '../context/relief-history.ts';
import { summaryBound } from '../context/summary-prompt.ts';
import { assertNever } from '../model/assert-never.ts';
import type { EntryDraft } from '../model/entry.ts';
import { AbortedError } from '../model/errors.ts';
import type { AgentEvent } from '../model/event.ts';
import type { ReliefTrigger } from '../model/relief-entry.ts';
import { contextRulesFor } from '../model/settings.ts';
import { assembleStep } from './assemble-step.ts';
import { largestItems } from './error-report.ts';
import type { CompactionAsk } from './make-room.ts';
import {
  baseOf,
  conversationNow,
  evict,
  giveUp,
  LEAST_GAIN,
  makeRoom,
  methodFor,
  skip,
} from './make-room.ts';
import type { Prepared } from './summary-desk.ts';
import type { SummaryOutcome, WrittenSummary } from './summary-outcome.ts';
import { writeInTime } from './summary-patience.ts';
import type { Turn } from './turn-deps.ts';
import { appendEntry } from './turn-entry.ts';
import type { SummaryJob } from './write-summary.ts';

/** Evict, compact, fold: no request needs more. */
const MOST_RELIEFS = 4;
/** A summary costs time and money: another one pays only after so many rounds. */
const ROUNDS_BETWEEN_SUMMARIES = 6;

/** Brings the load under its lines before a request goes out, and prepares for the next time. */
export async function* relieve(turn: Turn, first: Assembled): AsyncGenerator<AgentEvent, Assembled> {
  let assembled = first;
  const asked = turn.deps.desk.takeAsked();
  if (asked !== undefined) {
    yield { type: 'compaction_unqueued' };
    yield* compact(turn, assembled, { trigger: 'asked', ...(asked.focus && { focus: asked.focus }) });
    assembled = yield* assembleStep(turn);
  }
  for (let count = 0; count < MOST_RELIEFS; count += 1) {
    const relief = decide(turn, assembled);
    if (relief.kind === 'none') {
      yield* tellOfPause(turn, assembled);
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

function decide(turn: Turn, { ledger }: Assembled): Relief {
  const { deps, info, settings } = turn;
  const rules = contextRulesFor(settings.context, info.id);
  const relief = decideRelief({ entries: deps.transcript.entries, ledger, info, rules });
  // An eviction would throw away the summary that is being written, and that will free more.
  const isPrepared = relief.kind === 'evict' && deps.desk.find(conversationNow(turn), info) !== undefined;
  return isPrepared ? { kind: 'none', prepares: false } : relief;
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

/** Two reliefs in vain, or one that cannot reach its line: the engine waits, and says once what fills the window. */
async function* tellOfPause(turn: Turn, assembled: Assembled): AsyncGenerator<AgentEvent> {
  const { ledger } = assembled;
  const { total, budget } = ledger;
  const history = reliefHistoryOf(turn.deps.transcript.entries);
  const { compact, fold, trigger } = linesIn(budget);
  const isStuck = total < pausedUntil(history, budget);
  if ((!isStuck && history.strikes < MOST_STRIKES) || total < Math.min(compact, fold)) return;
  if (!turn.deps.desk.isNews('pause')) return;
  const limit = trigger === 'cap' ? 'plimsoll.context.maxTokens' : 'the model’s window';
  const reason = isStuck
    ? `What no compaction can leave out is too much for ${limit}`
    : 'Compacting has gained nothing twice';
  const text = `${reason}, so it waits until the conversation has grown. What fills the window: ${largestItems(ledger)}.`;
  yield* giveUp(turn, assembled, { relief: 'skipped', text });
}

/** No time for a model any more; a summary that is ready is as good. */
async function* fold(turn: Turn, assembled: Assembled, trigger: ReliefTrigger): AsyncGenerator<AgentEvent> {
  const prepared = turn.deps.desk.find(conversationNow(turn), turn.info);
  if (prepared?.ready !== undefined)
    yield* applySummary(turn, { trigger, assembled, cut: prepared.cut, outcome: prepared.ready });
  else yield* makeRoom(turn, assembled, { trigger });
}

/** Compacts by a summary; where none can be had, without a model. */
async function* compact(turn: Turn, assembled: Assembled, ask: CompactionAsk): AsyncGenerator<AgentEvent> {
  if (methodFor(turn) !== 'summary') {
    yield* makeRoom(turn, assembled, ask);
    return;
  }
  if (ask.trigger !== 'asked' && isJustSummarised(turn)) {
    yield* makeRoom(turn, assembled, ask);
    return;
  }
  const prepared =
    ask.focus === undefined ? turn.deps.desk.find(conversationNow(turn), turn.info) : undefined;
  if (prepared?.ready !== undefined) {
    yield* applySummary(turn, { ...ask, assembled, cut: prepared.cut, outcome: prepared.ready });
    return;
  }
  const cut = prepared?.cut ?? planCut(baseOf(turn, assembled), methodFor(turn));
  const reason =
    cut === undefined ? 'There is nothing older than what has to stay' : uselessness(turn, assembled, cut);
  if (cut === undefined || reason !== undefined) {
    yield* skip(turn, assembled, { ...ask, reason: reason ?? '' });
    return;
  }
  const outcome = yield* summaryFor(turn, assembled, { ...ask, cut, prepared });
  if (outcome === 'cancelled') return;
  if (outcome.kind === 'written') yield* applySummary(turn, { ...ask, assembled, cut, outcome });
  else {
    yield* giveUp(turn, assembled, {
      relief: 'failed',
      text: `No summary: ${outcome.reason}. The conversation is compacted without one.`,
    });
    yield* makeRoom(turn, assembled, { ...ask, fallback: outcome.reason });
  }
}

interface Wanted extends CompactionAsk {
  readonly cut: Cut;
  readonly prepared: Prepared | undefined;
}

/** The summary of a cut, waited for. One that has just failed in the background is not waited for once more. */
async function* summaryFor(
  turn: Turn,
  assembled: Assembled,
  { trigger, focus, cut, prepared }: Wanted,
): AsyncGenerator<AgentEvent, SummaryOutcome | 'cancelled'> {
  const { desk } = turn.deps;
  const { compaction, brokenAt, rounds } = conversationNow(turn);
  const failure = trigger === 'asked' ? undefined : desk.recentFailure(rounds);
  if (failure !== undefined) return failure;
  yield { type: 'relief_started', isWaitedFor: true, before: assembled.ledger.total };
  const outcome = yield* waitedFor(turn, prepared?.outcome ?? jobFor(turn, { assembled, cut, focus }));
  if (outcome === 'cancelled') {
    yield* giveUp(turn, assembled, { relief: 'cancelled', text: 'Compaction cancelled.' });
    return outcome;
  }
  const now = conversationNow(turn);
  if (now.compaction === compaction && now.brokenAt === brokenAt) return outcome;
  // Undone or rewound meanwhile: what was summarised is not what there is any more.
  desk.drop();
  yield* giveUp(turn, assembled, { relief: 'cancelled', text: 'The conversation was changed meanwhile.' });
  return 'cancelled';
}

/** Where the window is so small that it fills again at once, code folds what came since the summary, and that serves on. */
function isJustSummarised(turn: Turn): boolean {
  const { rounds, summarisedAt } = conversationNow(turn);
  return rounds - summarisedAt < ROUNDS_BETWEEN_SUMMARIES;
}

/** Why compacting here would be in vain; undefined where it would not. */
function uselessness(turn: Turn, assembled: Assembled, cut: Cut): string | undefined {
  const { total, budget } = assembled.ledger;
  const bound = summaryBound(budget.tokens ?? total);
  const gain = total - replacementFor(baseOf(turn, assembled), cut, { summary: [] }).after - bound;
  if (gain >= LEAST_GAIN * Math.min(total, budget.tokens ?? total)) return undefined;
  return `It would free ${Math.max(0, gain).toLocaleString('en-US')} tokens. What fills the window: ${largestItems(assembled.ledger)}`;
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
    return yield* writeInTime({ ...turn, signal }, work);
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
  readonly outcome: WrittenSummary;
}

async function* applySummary(turn: Turn, application: Application): AsyncGenerator<AgentEvent> {
  const { assembled, cut, outcome, trigger, focus } = application;
  const base = baseOf(turn, assembled);
  const { summary, signed, cost, model } = outcome;
  const { text, facts, state, after } = replacementFor(base, cut, { summary, signed });
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
  turn.deps.desk.done();
  turn.deps.onCompacted?.(cut.covered);
  yield { type: 'relief_ended', outcome: 'applied' };
}

/** Begins a summary in the background, where one will be wanted soon. */
function* prepare(turn: Turn, assembled: Assembled): Generator<AgentEvent> {
  const { desk } = turn.deps;
  const conversation = conversationNow(turn);
  if (desk.isMuted || desk.find(conversation, turn.info) !== undefined || isJustSummarised(turn)) return;
  if (desk.recentFailure(conversation.rounds) !== undefined) return;
  const cut = planCut(baseOf(turn, assembled), 'summary');
  if (cut === undefined || uselessness(turn, assembled, cut) !== undefined) return;
  const job = jobFor(turn, { assembled, cut, focus: undefined });
  yield { type: 'relief_started', isWaitedFor: false, before: assembled.ledger.total };
  const write = (signal: AbortSignal) => writeInTime({ ...turn, signal }, job);
  const done = desk.prepare({ cut, conversation, info: turn.info, write });
  // It never rejects. Where another one is being written by now, that one's end is told.
  void done.then(({ kind }) => {
    const outcome = kind === 'written' ? 'prepared' : 'failed';
    if (!desk.isWritingAnother(done)) turn.deps.tell({ type: 'relief_ended', outcome, isWaitedFor: false });
  });
}
