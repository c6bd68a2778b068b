import type { Assembled } from '../context/assemble.ts';
import { countedPart, uncertaintyOf, usageLedger } from '../context/ledger.ts';
import { assertNever } from '../model/assert-never.ts';
import type { AssistantBlock, ToolUseBlock } from '../model/content.ts';
import type { EntryDraft, EntryId } from '../model/entry.ts';
import { orderOf } from '../model/entry-order.ts';
import type { ErrorReport } from '../model/errors.ts';
import { AbortedError } from '../model/errors.ts';
import type { AgentEvent, TurnEnd } from '../model/event.ts';
import type { ModelMessage } from '../model/request.ts';
import { isKnownUsage } from '../model/usage.ts';
import { waitingMessages } from '../sessions/queue.ts';
import { assembleNow } from './assemble-step.ts';
import { withOwnIds } from './own-ids.ts';
import { prepareRequest } from './prepare-request.ts';
import { reportError } from './error-report.ts';
import { Heals } from './heals.ts';
import { conversationNow, makeRoom } from './make-room.ts';
import { tokensClipped } from '../context/usage-check.ts';
import { callModel } from './model-call.ts';
import { memoryIn } from './memory-in.ts';
import { memoryNudge } from './nudges.ts';
import { resolveModel } from './resolve-model.ts';
import type { Reply } from './model-call.ts';
import { runToolCalls } from './tool-calls.ts';
import type { Turn, TurnDeps } from './turn-deps.ts';
import { appendEntry } from './turn-entry.ts';

/** A reply cut by its output limit is continued, but not for ever. */
const MAX_CUT_REPLIES = 2;

const CUT_REMINDER =
  'Your last reply reached the output limit and was cut; an unfinished tool call in it was dropped. Go on from there, in smaller steps.';

/**
 * Runs one turn: calls the model and runs its tools, round after round, until it answers without a call. What lasts is
 * appended to the transcript before it is told as an `entry` event; the log is valid whenever the turn ends.
 * Must not throw: the last event is always `turn_ended`, which says how it ended.
 */
export async function* runTurn(deps: TurnDeps, signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
  yield { type: 'turn_started' };
  try {
    const settings = deps.settings();
    const info = yield* resolveModel(deps, settings.model, signal);
    const end = yield* runRounds({ deps, info, settings, signal });
    if (end === 'stopped') yield* recordStop(deps);
    else yield { type: 'turn_ended', end };
  } catch (error) {
    if (error instanceof AbortedError || signal.aborted) yield* recordStop(deps);
    else yield* recordFailure(deps, reportError(error));
  }
}

async function* recordStop(deps: TurnDeps): AsyncGenerator<AgentEvent> {
  yield* appendIfPossible(deps, { kind: 'note', level: 'info', text: 'Stopped.' });
  yield { type: 'turn_ended', end: 'stopped' };
}

/** The failure is kept, so that a resumed session still says why it stands still. */
async function* recordFailure(deps: TurnDeps, error: ErrorReport): AsyncGenerator<AgentEvent> {
  yield* appendIfPossible(deps, { kind: 'note', level: 'error', text: error.title, error });
  yield { type: 'turn_ended', end: 'failed', error };
}

async function* appendIfPossible(deps: TurnDeps, draft: EntryDraft): AsyncGenerator<AgentEvent> {
  try {
    yield* appendEntry(deps, draft);
  } catch {
    // The disk may be what failed; the turn's last event says how it ended all the same.
  }
}

async function* runRounds(turn: Turn): AsyncGenerator<AgentEvent, TurnEnd> {
  let cutReplies = 0;
  for (let round = 0; round < turn.settings.maxRounds; round += 1) {
    if (turn.signal.aborted) throw new AbortedError();
    yield* deliverQueued(turn);
    yield* nudge(turn);
    const prepared = yield* prepareRequest(turn);
    const answer = yield* call(turn, prepared);
    const { reply, answered } = answer;
    if (reply.kind === 'stopped') {
      yield* recordStopped(turn, reply.blocks);
      return 'stopped';
    }
    const blocks = withOwnIds(reply.message.blocks, turn.deps.transcript.entries);
    const calls = yield* recordReply(turn, { ...reply.message, blocks }, answer);
    yield* runToolCalls(turn, calls);
    if (turn.signal.aborted) return 'stopped';
    cutReplies = wasCut(reply.message) ? cutReplies + 1 : 0;
    if (reply.message.stopReason === 'model_context_window_exceeded')
      yield* makeRoom(turn, answered, { trigger: 'too_long' });
    if (cutReplies > 0 && cutReplies <= MAX_CUT_REPLIES)
      yield* appendEntry(turn.deps, { kind: 'reminder', topic: 'output_limit', text: CUT_REMINDER });
    else if (calls.length === 0 && !hasQueued(turn)) return yield* endOf(turn, reply.message);
  }
  yield* appendEntry(turn.deps, { kind: 'note', level: 'info', text: limitText(turn), isLimit: true });
  return 'limit';
}

/** By its own limit, or by the end of the window, for which room is made first. */
function wasCut({ stopReason }: ModelMessage): boolean {
  return stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded';
}

function limitText({ settings }: Turn): string {
  return `Paused after ${settings.maxRounds} model calls for one message (plimsoll.maxRounds).`;
}

interface Answered {
  readonly reply: Reply;
  /** the request that was answered: another one than prepared where it had to be healed */
  readonly answered: Assembled;
  /** the last entry it was made from */
  readonly lastEntryId: EntryId;
}

/**
 * The call, made again where another request can be accepted: once without earlier reasoning or a signed summary that
 * the server does not take, and at most twice with a smaller request where it was too long.
 */
async function* call(turn: Turn, prepared: Assembled): AsyncGenerator<AgentEvent, Answered> {
  const { model, clock, random, transcript } = turn.deps;
  const heals = new Heals();
  for (let answered = prepared; ;) {
    const { request } = answered;
    const lastEntryId = transcript.entries.at(-1)?.id ?? 'e1';
    try {
      const reply = yield* callModel({ model, info: turn.info, request, clock, random, signal: turn.signal });
      return { reply, answered, lastEntryId };
    } catch (error) {
      answered = yield* heals.next(turn, answered, error);
    }
  }
}

async function* recordReply(
  turn: Turn,
  message: ModelMessage,
  { answered: { ledger, added }, lastEntryId }: Answered,
): AsyncGenerator<AgentEvent, readonly ToolUseBlock[]> {
  const assistantId = yield* appendReply(turn, message);
  const { usage } = message;
  if (assistantId !== undefined && isKnownUsage(usage, ledger.budget.window)) {
    const { provider, id: model } = turn.info;
    const { budget, items, total: estimated } = ledger;
    const clipped = tokensClipped(usage, estimated - uncertaintyOf(ledger, added), added.least);
    const counted = clipped === undefined ? countedPart(added, usage) : undefined;
    yield* appendEntry(turn.deps, {
      kind: 'usage',
      assistantId,
      lastEntryId,
      provider,
      model,
      usage,
      estimated,
      ...(clipped !== undefined && { isClipped: true }),
      ...(counted !== undefined && { counted }),
      ...(message.cacheMiss && { cacheMiss: message.cacheMiss }),
      budget,
    });
    // Undone meanwhile: what was billed is not what comes next.
    if (conversationNow(turn).brokenAt > orderOf(lastEntryId))
      yield { type: 'load_estimated', ledger: assembleNow(turn).ledger };
    else if (clipped === undefined)
      yield { type: 'usage_reported', ledger: usageLedger(items, budget, usage) };
    if (clipped !== undefined) yield* warnOfClipping(turn, clipped);
  }
  return message.blocks.filter((block) => block.type === 'tool_use');
}

/** Said once: a server that reads only a part of what it is sent makes the model forget without a word. */
async function* warnOfClipping({ deps }: Turn, tokens: number): AsyncGenerator<AgentEvent> {
  if (!deps.desk.isNews('clipping')) return;
  const text = `The server seems to cut requests short, or to count them wrong: it reports about ${tokens.toLocaleString('en-US')} tokens less than were sent. Set plimsoll.context.window to the window it really has.`;
  yield* appendEntry(deps, { kind: 'note', level: 'warning', text });
}

/** A reply of nothing is no message: the API would refuse it in the next request. */
async function* appendReply(
  turn: Turn,
  message: ModelMessage,
): AsyncGenerator<AgentEvent, EntryId | undefined> {
  if (message.blocks.length === 0) {
    yield { type: 'stream_discarded' };
    return undefined;
  }
  const { provider, id: model } = turn.info;
  const { id: messageId, blocks, stopReason } = message;
  return yield* appendEntry(turn.deps, { kind: 'assistant', provider, model, messageId, blocks, stopReason });
}

async function* recordStopped(turn: Turn, blocks: readonly AssistantBlock[]): AsyncGenerator<AgentEvent> {
  const { provider, id: model } = turn.info;
  const isSpoken = blocks.some((block) => block.type === 'text');
  if (isSpoken)
    yield* appendEntry(turn.deps, {
      kind: 'assistant',
      provider,
      model,
      messageId: '',
      blocks,
      stopReason: 'aborted',
    });
  else yield { type: 'stream_discarded' };
}

/** A reply without calls ends the turn; where it is not a plain answer, people are told why. */
async function* endOf(turn: Turn, message: ModelMessage): AsyncGenerator<AgentEvent, TurnEnd> {
  const text = unusualEnd(message);
  if (text !== undefined) yield* appendEntry(turn.deps, { kind: 'note', level: 'warning', text });
  return 'done';
}

function unusualEnd({ stopReason, blocks }: ModelMessage): string | undefined {
  switch (stopReason) {
    case 'max_tokens':
      return 'The answer reached the output limit (plimsoll.maxOutputTokens) and was cut, again and again.';
    case 'refusal':
      return 'The model declined to answer.';
    case 'model_context_window_exceeded':
      return 'The answer was cut because the model’s window is full.';
    case 'end_turn':
    case 'stop_sequence':
    case 'tool_use':
    case 'pause_turn':
    case 'aborted':
      return blocks.some((block) => block.type === 'text')
        ? undefined
        : 'The model ended its turn without an answer.';
    default:
      return assertNever(stopReason);
  }
}

/** Messages typed while the turn ran join the conversation at the tail, where they do not touch what was sent. */
async function* deliverQueued(turn: Turn): AsyncGenerator<AgentEvent> {
  for (const { id, text } of waitingMessages(turn.deps.transcript.entries))
    yield* appendEntry(turn.deps, { kind: 'user', text, queueId: id });
}

/** Only where there is a memory to write to. */
async function* nudge({ deps, info }: Turn): AsyncGenerator<AgentEvent> {
  if (memoryIn(deps.world) === undefined) return;
  const clearsNudges = info.traits?.systemMessages === true;
  const draft = memoryNudge(deps.transcript.entries, { clearsNudges });
  if (draft !== undefined) yield* appendEntry(deps, draft);
}

function hasQueued(turn: Turn): boolean {
  return waitingMessages(turn.deps.transcript.entries).length > 0;
}
