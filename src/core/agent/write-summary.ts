import { cite } from '../context/cite.ts';
import { estimateTokens } from '../context/estimate-tokens.ts';
import type { CompactionBase } from '../context/plan-compaction.ts';
import type { Cut } from '../context/cut.ts';
import { weightsOf } from '../context/cut.ts';
import type { ParsedSection } from '../context/summary-check.ts';
import { checkSummary, checkSummaryText } from '../context/summary-check.ts';
import { summaryBound, summaryInstructions } from '../context/summary-prompt.ts';
import {
  cacheAlignedRequest,
  plainRequest,
  stretchRequest,
  summaryRoom,
} from '../context/summary-request.ts';
import { transcriptPieces } from '../context/transcript-text.ts';
import type { ModelErrorCode } from '../model/errors.ts';
import { AbortedError, ModelError } from '../model/errors.ts';
import type { ModelCallEvent } from '../model/event.ts';
import type { SignedSummary, SummarySection } from '../model/relief-entry.ts';
import type { ModelInfo, ModelMessage, ModelRequest } from '../model/request.ts';
import type { Usage } from '../model/usage.ts';
import { budgetFor } from '../context/budget.ts';
import { callModel, retrying } from './model-call.ts';
import type { SummaryOutcome } from './summary-outcome.ts';
import type { Turn } from './turn-deps.ts';

/** Taken for a model that does not say its window. Tokens. */
const UNKNOWN_WINDOW = 32_000;
/** What asking for a summary takes, beside what the person asks to keep in mind. Tokens. */
const INSTRUCTION_TOKENS = 900;

/** What is to be summarised, and the request that the model has cached. */
export interface SummaryJob {
  readonly base: CompactionBase;
  readonly request: ModelRequest;
  readonly cut: Cut;
  readonly focus: string | undefined;
}

/**
 * Has a summary written: signed by the provider where the model does that, else by the model that knows the
 * conversation, read from its cache, or by the one the person chose for it. What fails is told, never thrown.
 * @throws AbortedError when it is stopped
 */
export async function* writeSummary(
  turn: Turn,
  job: SummaryJob,
): AsyncGenerator<ModelCallEvent, SummaryOutcome> {
  try {
    const { compactionModel } = job.base.rules;
    if (compactionModel !== '' && compactionModel !== turn.info.id)
      return yield* byOtherModel(turn, job, compactionModel);
    if (canSign(turn)) {
      const signed = yield* bySigning(turn, job);
      if (signed !== undefined) return signed;
    }
    return yield* fromCache(turn, job);
  } catch (error) {
    if (error instanceof AbortedError || turn.signal.aborted) throw new AbortedError();
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function canSign({ info, deps }: Turn): boolean {
  return (
    info.traits?.signedSummaries === true && deps.model.summarize !== undefined && !deps.unsigned.has(info.id)
  );
}

/** Refusals that are of this way of asking: what else a server refuses, it refuses any other way too. */
const ANOTHER_WAY: ReadonlySet<ModelErrorCode> = new Set([
  'signed_summary',
  'invalid_request',
  'not_found',
  'permission',
  'too_long',
]);

/** Undefined where the model does not do it after all: then another way is tried, and this one not again. */
async function* bySigning(
  turn: Turn,
  job: SummaryJob,
): AsyncGenerator<ModelCallEvent, SummaryOutcome | undefined> {
  const { model, unsigned } = turn.deps;
  const { info, signal } = turn;
  const { conversation } = job.base;
  const request = stretchRequest(job.request, { conversation, cut: job.cut, info });
  const ask = { request, instructions: instructionsFor(job) };
  try {
    const reply = yield* quietly(turn, () => model.summarize?.(ask, info, signal));
    if (reply?.summary === undefined) return { kind: 'failed', reason: 'the model wrote no summary' };
    return written(job, {
      checked: checkSummaryText(reply.summary.text, replacedBy(job)),
      // By the id that it was asked by: a server may tell another name of the same model.
      signed: { ...reply.summary, model: info.id },
      cost: reply.usage,
      model: info.id,
    });
  } catch (error) {
    if (!(error instanceof ModelError) || !ANOTHER_WAY.has(error.code)) throw error;
    if (error.code !== 'too_long') unsigned.add(info.id);
    return undefined;
  }
}

async function* fromCache(turn: Turn, job: SummaryJob): AsyncGenerator<ModelCallEvent, SummaryOutcome> {
  const { budget, total } = job.base.ledger;
  const isTooLarge = budget.tokens !== undefined && total + askTokens(job) > budget.tokens;
  if (isTooLarge) return yield* byPieces(turn, job, turn.info);
  const request = cacheAlignedRequest(
    job.request,
    instructionsFor(job),
    summaryRoom(turn.info, boundOf(job)),
  );
  const reply = yield* complete(turn, turn.info, request);
  return written(job, {
    checked: checkSummary(reply, replacedBy(job)),
    cost: reply.usage,
    model: turn.info.id,
  });
}

async function* byOtherModel(
  turn: Turn,
  job: SummaryJob,
  id: string,
): AsyncGenerator<ModelCallEvent, SummaryOutcome> {
  const info = yield* quietly(turn, () => turn.deps.model.resolve(id, turn.signal));
  return yield* byPieces(turn, job, info);
}

/** A stretch in more pieces than this is not worth its price. */
const MOST_PIECES = 12;

/** Piece by piece, each merged into the summary so far: no input is larger than the window it is for. */
async function* byPieces(
  turn: Turn,
  job: SummaryJob,
  info: ModelInfo,
): AsyncGenerator<ModelCallEvent, SummaryOutcome> {
  const { bound, room, earlier } = piecesFor(turn, info, job);
  let sofar = earlierSummary(job, earlier);
  let cost: Usage | undefined;
  let reply: ModelMessage | undefined;
  const pieces = transcriptPieces(job.cut.covered, room);
  if (pieces.length > MOST_PIECES)
    return { kind: 'failed', reason: `it would take ${pieces.length} calls of ${info.displayName}` };
  for (const piece of pieces) {
    const ask = summaryInstructions({ focus: job.focus, hasPrevious: sofar !== '', bound });
    const parts = sofar === '' ? [piece, ask] : [`The summary so far:\n${sofar}`, piece, ask];
    reply = yield* complete(turn, info, plainRequest(info, parts, summaryRoom(info, bound)));
    cost = added(cost, reply.usage);
    const checked = checkSummary(reply, Number.POSITIVE_INFINITY);
    if (checked.kind === 'refused') return { kind: 'failed', reason: checked.reason };
    sofar = textOfReply(reply);
  }
  if (reply === undefined) return { kind: 'failed', reason: 'there was nothing to summarise' };
  return written(job, { checked: checkSummary(reply, replacedBy(job)), cost, model: info.id });
}

interface PieceSizes {
  /** most tokens of a summary */
  readonly bound: number;
  /** of a piece of the conversation */
  readonly room: number;
  /** of what an earlier compaction says */
  readonly earlier: number;
}

/** Summary so far, piece, instruction and reply share the window, with room for a wrong guess. */
function piecesFor(turn: Turn, info: ModelInfo, job: SummaryJob): PieceSizes {
  const own = turn.settings.window;
  const { window: _, ...settings } = turn.settings;
  const { window = UNKNOWN_WINDOW } = budgetFor(
    info,
    info.id === turn.info.id && own !== undefined ? turn.settings : settings,
  );
  const bound = Math.min(boundOf(job), Math.max(256, Math.floor(window / 16)));
  const left = window * 0.8 - summaryRoom(info, bound) - askTokens(job);
  const earlier = Math.max(bound, Math.floor(left * 0.3));
  return { bound, room: Math.max(300, Math.floor(left - earlier)), earlier };
}

/** What an earlier compaction says: all of it, or where that is too much what its summary says. */
function earlierSummary({ base }: SummaryJob, most: number): string {
  const { compaction } = base.conversation;
  if (compaction === undefined) return '';
  const { signed, text, summary } = compaction;
  const whole = signed === undefined ? text : `${signed.text}\n${text}`;
  if (estimateTokens(whole) <= most) return whole;
  const prose = signed?.text ?? summary.map(sectionText).join('\n');
  return prose === '' || estimateTokens(prose) > most ? whole.slice(0, most).toWellFormed() : prose;
}

function sectionText({ title, bullets }: SummarySection): string {
  return [`## ${title}`, ...bullets.map(({ text }) => `- ${text}`)].join('\n');
}

interface Written {
  readonly checked: ReturnType<typeof checkSummary>;
  readonly signed?: SignedSummary;
  readonly cost: Usage | undefined;
  readonly model: string;
}

function written(job: SummaryJob, { checked, signed, cost, model }: Written): SummaryOutcome {
  if (checked.kind === 'refused') return { kind: 'failed', reason: checked.reason };
  return {
    kind: 'written',
    summary: cited(checked.sections, job),
    ...(signed && { signed }),
    ...(cost && { cost }),
    model,
  };
}

function cited(sections: readonly ParsedSection[], { base, cut }: SummaryJob): readonly SummarySection[] {
  const before = base.conversation.compaction;
  return cite(
    sections,
    before === undefined || cut.covered.includes(before) ? cut.covered : [before, ...cut.covered],
  );
}

async function* complete(
  turn: Turn,
  info: ModelInfo,
  request: ModelRequest,
): AsyncGenerator<ModelCallEvent, ModelMessage> {
  const { model, clock, random } = turn.deps;
  const call = callModel({ model, info, request, clock, random, signal: turn.signal });
  for (let next = await call.next(); ; next = await call.next()) {
    if (next.done === true) {
      if (next.value.kind === 'stopped') throw new AbortedError();
      return next.value.message;
    }
    // What a summary says while it is written is nobody's answer; that it waits is worth telling.
    if (next.value.type === 'retry_scheduled') yield next.value;
  }
}

/** With the same patience as any call, and no more words than that it waits. */
async function* quietly<T>(
  turn: Turn,
  work: () => Promise<T> | undefined,
): AsyncGenerator<ModelCallEvent, T> {
  const { clock, random } = turn.deps;
  const tries = retrying({ clock, random, signal: turn.signal }, async function* () {
    return (await work()) as T;
  });
  for (let next = await tries.next(); ; next = await tries.next()) {
    if (next.done === true) return next.value;
    if (next.value.type === 'retry_scheduled') yield next.value;
  }
}

function instructionsFor(job: SummaryJob): string {
  const hasPrevious = job.base.conversation.compaction !== undefined;
  return summaryInstructions({ focus: job.focus, hasPrevious, bound: boundOf(job) });
}

function askTokens({ focus = '' }: SummaryJob): number {
  return INSTRUCTION_TOKENS + estimateTokens(focus);
}

function boundOf({ base }: SummaryJob): number {
  return summaryBound(base.ledger.budget.tokens ?? base.ledger.total);
}

/** Tokens of what the summary would stand for. */
function replacedBy({ base, cut }: SummaryJob): number {
  const weigh = weightsOf(base.ledger);
  const { compaction } = base.conversation;
  const before = compaction === undefined || cut.covered.includes(compaction) ? 0 : weigh(compaction);
  return cut.covered.reduce((sum, entry) => sum + weigh(entry), before);
}

function textOfReply({ blocks }: ModelMessage): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function added(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
  };
}
