import type { ToolUseBlock } from '../model/content.ts';
import type { Consent, EntryDraft, FileSeen } from '../model/entry.ts';
import { AbortedError } from '../model/errors.ts';
import type { AgentEvent, ApprovalRequest } from '../model/event.ts';
import { incremental } from '../model/incremental.ts';
import type { OffloadedOutput } from '../model/offloaded.ts';
import { offloadAt } from '../model/settings.ts';
import { LiveRedactor } from '../text/redact-live.ts';
import type { PreparedCall, ToolContext, ToolOutput } from '../tools/define-tool.ts';
import { rememberSeen } from '../tools/seen.ts';
import { decide } from './approval-policy.ts';
import { bridge } from './bridge.ts';
import { ResultRoom } from './result-room.ts';
import type { Call } from './tool-call.ts';
import { failureOf, resultOf } from './tool-results.ts';
import type { Turn } from './turn-deps.ts';

type Agreement =
  | { readonly kind: 'run'; readonly consent: Consent; readonly grants?: readonly string[] }
  | { readonly kind: 'refused'; readonly text: string };

/**
 * Runs the calls of one message and logs each result as it is in. Reads run side by side; whatever changes something
 * waits for all before it and holds up all after it, so that the order the model wrote is the order things happen in.
 * Every call gets a result, whatever happens: its own, an error, a refusal, or "interrupted".
 */
export function runToolCalls(turn: Turn, uses: readonly ToolUseBlock[]): AsyncGenerator<AgentEvent> {
  const room = new ResultRoom(uses.length);
  return bridge(async (emit) => {
    const reads = new Reads();
    try {
      for (const use of uses) await runInOrder(callOf(turn, use, { emit, room }), reads);
      await reads.allDone();
    } finally {
      await reads.allSettled(); // nothing goes on behind a turn that has ended
    }
  });
}

function callOf(turn: Turn, use: ToolUseBlock, { emit, room }: Pick<Call, 'emit' | 'room'>): Call {
  const { outputs, transcript } = turn.deps;
  const writer = outputs.begin(transcript.sessionId, use.name, {
    threshold: offloadAt(turn.settings),
    onKept: (output) => {
      emit({ type: 'tool_output_kept', toolUseId: use.id, output });
      logPlace(output);
    },
  });
  const call: Call = { turn, use, emit, room, writer };
  const logPlace = placeLogger(call);
  return call;
}

/** Logs where an output is once for each of its files: after a crash there is no result that says it. */
function placeLogger(call: Call): (output: OffloadedOutput) => void {
  let logged: string | undefined;
  return (output) => {
    const file = output.parts.at(-1)?.file;
    if (file === logged) return;
    logged = file;
    // Where the log cannot be written, the result that comes next cannot be either, and ends the turn.
    log(call, { kind: 'output', toolUseId: call.use.id, output }).catch(() => undefined);
  };
}

async function runInOrder(call: Call, reads: Reads): Promise<void> {
  const prepared = await prepare(call, reads);
  if (prepared === undefined) return;
  if (prepared.access.kind === 'read') {
    reads.add(run(call, prepared));
    return;
  }
  await reads.allDone();
  await run(call, prepared);
}

/** Calls that run side by side. They fail only where the log cannot be written. */
class Reads {
  #running: Promise<void>[] = [];

  get isEmpty(): boolean {
    return this.#running.length === 0;
  }

  add(read: Promise<void>): void {
    read.catch(() => undefined); // thrown by `allDone`, which may come later
    this.#running.push(read);
  }

  /** Waits for all of them. @throws what the first of them failed with */
  async allDone(): Promise<void> {
    const running = this.#running;
    await this.allSettled();
    await Promise.all(running);
  }

  async allSettled(): Promise<void> {
    await Promise.allSettled(this.#running);
    this.#running = [];
  }
}

/**
 * Undefined when the call came to nothing, which is then logged. What fails while reads are still running may only have
 * come too early, an edit of a file that is just being read for one: it is prepared again behind them.
 */
async function prepare(call: Call, reads: Reads): Promise<PreparedCall | undefined> {
  const { turn, use } = call;
  const begun = turn.deps.clock.now().getTime();
  const attempt = async () => {
    if (turn.signal.aborted) throw new AbortedError();
    return turn.deps.tools.prepare(use.name, use.input, contextOf(call));
  };
  try {
    return await attempt().catch(async (error: unknown) => {
      if (reads.isEmpty) throw error;
      await reads.allDone();
      return attempt();
    });
  } catch (error) {
    await log(call, await failureOf(call, { error, begun, wasStarted: false }));
    return undefined;
  }
}

async function run(call: Call, prepared: PreparedCall): Promise<void> {
  await log(call, await execute(call, prepared));
}

/** What the call came to, as an entry that is still to be logged. */
async function execute(call: Call, prepared: PreparedCall): Promise<EntryDraft> {
  const { turn, use, emit } = call;
  const { target } = prepared;
  const now = () => turn.deps.clock.now().getTime();
  let begun = now();
  let wasStarted = false;
  try {
    const agreement = await agree(call, prepared);
    if (agreement.kind === 'refused') {
      const output = { content: agreement.text };
      return await resultOf(call, { output, status: 'denied', target, durationMs: 0 });
    }
    const { kind: _, ...consent } = agreement;
    await log(call, { kind: 'tool_intent', toolUseId: use.id, name: use.name, target, ...consent });
    wasStarted = true;
    begun = now();
    emit({ type: 'tool_started', toolUseId: use.id });
    const output = await executeWithin(call, prepared);
    const status = output.isError === true ? 'error' : 'ok';
    return await resultOf(call, { output, status, target, durationMs: now() - begun });
  } catch (error) {
    return failureOf(call, { error, begun, wasStarted });
  }
}

/** A page that is larger than the step has room for is read again, smaller. */
async function executeWithin({ turn, use, room }: Call, prepared: PreparedCall): Promise<ToolOutput> {
  const output = await prepared.execute();
  const isTooLong = typeof output.content === 'string' && output.content.length > room.next;
  return isTooLong && turn.deps.tools.isPaged(use.name) ? prepared.execute(room.next) : output;
}

/** Asks the person where the rules say so, and remembers what they allow for good. */
async function agree({ turn, use, emit }: Call, prepared: PreparedCall): Promise<Agreement> {
  const { deps, settings, signal } = turn;
  const verdict = decide(prepared.access, {
    mode: settings.approvalMode,
    trusted: deps.world.workspace.isTrusted(),
    sessionGrants: grantsIn(turn.deps.transcript.entries),
    always: deps.grants,
    outputs: deps.outputs.folder().location,
  });
  if (verdict.kind === 'allow') return { kind: 'run', consent: verdict.consent };
  if (verdict.kind === 'refuse') return { kind: 'refused', text: verdict.reason };
  const approval = approvalFor(use, prepared, verdict);
  emit({ type: 'approval_requested', approval });
  const decision = await deps.approvals.ask(approval, signal);
  emit({ type: 'approval_resolved', toolUseId: use.id });
  if (decision.kind === 'deny') return { kind: 'refused', text: deniedText(decision.reason) };
  if (decision.scope === 'once' || verdict.grantKeys.length === 0) return { kind: 'run', consent: 'once' };
  if (decision.scope === 'always' && (await isKept(turn, verdict.grantKeys)))
    return { kind: 'run', consent: 'always' };
  return { kind: 'run', consent: 'session', grants: verdict.grantKeys };
}

/** A permission that cannot be written down still holds for this session. */
async function isKept({ deps }: Turn, grantKeys: readonly string[]): Promise<boolean> {
  try {
    await deps.grants.add(grantKeys);
    return true;
  } catch {
    return false;
  }
}

function approvalFor(
  use: ToolUseBlock,
  { access, target, patch }: PreparedCall,
  { reason, grantKeys }: { readonly reason?: string; readonly grantKeys: readonly string[] },
): ApprovalRequest {
  return {
    toolUseId: use.id,
    tool: use.name,
    target,
    action: access.kind === 'memory' ? 'edit' : access.kind,
    canRemember: grantKeys.length > 0,
    ...(reason === undefined ? {} : { reason }),
    ...(patch === undefined ? {} : { patch }),
    ...(access.kind === 'command' ? { command: access.line } : {}),
  };
}

/** What was allowed "for this session" is in the log, so it holds after a restart too. */
const grantsIn = incremental(
  () => new Set<string>(),
  (grants, entry) => {
    if (entry.kind === 'tool_intent') for (const grant of entry.grants ?? []) grants.add(grant);
  },
);

function deniedText(reason: string): string {
  const why = reason.trim() === '' ? 'They gave no reason.' : `Their reason: ${reason.trim()}`;
  return `The user declined this call; it was not run. ${why}`;
}

const filesSeen = incremental(
  () => new Map<string, FileSeen>(),
  (seen, entry) => {
    if (entry.kind === 'tool_result') rememberSeen(seen, entry.details);
  },
);

function contextOf({ turn, use, emit, writer: sink }: Call): ToolContext {
  const live = new LiveRedactor();
  const onOutput = (piece: string) => {
    const text = live.push(piece);
    if (text !== '') emit({ type: 'tool_output', toolUseId: use.id, text });
  };
  const { world, clock, transcript } = turn.deps;
  const seen = filesSeen(transcript.entries);
  const { sessionId } = transcript;
  const entryId = transcript.entries.findLast(({ kind }) => kind === 'assistant')?.id ?? 'e1';
  const origin = { sessionId, entryId };
  const { signal } = turn;
  return { ...world, clock, seen, transcript: () => transcript.entries, origin, signal, onOutput, sink };
}

async function log({ turn, emit }: Call, draft: EntryDraft): Promise<void> {
  emit({ type: 'entry', entry: await turn.deps.transcript.append(draft) });
}
