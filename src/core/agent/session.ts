import { reportedLedger, lastReport } from '../context/assemble.ts';
import { isInForce } from '../context/conversation.ts';
import { boundedFocus } from '../context/summary-prompt.ts';
import type { Entry, EntryDraft, EntryId } from '../model/entry.ts';
import type { AgentEvent, ApprovalDecision, TurnEnd } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import { interruptedNote, interruptedResults } from '../sessions/interrupted.ts';
import { waitingMessages } from '../sessions/queue.ts';
import type { Transcript } from '../sessions/transcript.ts';
import { reportError } from './error-report.ts';
import { Learner } from './learn.ts';
import { PendingApprovals } from './pending-approvals.ts';
import { SummaryDesk } from './summary-desk.ts';
import { relieveBetweenTurns } from './relieve-between-turns.ts';
import { runTurn } from './turn.ts';
import type { TurnDeps } from './turn-deps.ts';

const GO_ON = 'Go on where you stopped.';

/** What a session needs; the approvals are its own, answered through {@link Session.answerApproval}. */
export type SessionDeps = Omit<
  TurnDeps,
  'transcript' | 'approvals' | 'desk' | 'unsigned' | 'learntWindows' | 'tell' | 'onCompacted'
>;

/** How a new log begins. */
export interface SessionHeader {
  readonly workspace: readonly string[];
  readonly product: string;
}

export interface SessionOptions {
  readonly deps: SessionDeps;
  /** hears everything, in order; must not throw */
  readonly onEvent: (event: AgentEvent) => void;
}

/** A conversation that can be talked to: one turn at a time, everything said is in the log first. */
export class Session {
  readonly #transcript: Transcript;
  readonly #deps: TurnDeps;
  readonly #learner: Learner;
  readonly #approvals = new PendingApprovals();
  readonly #onEvent: (event: AgentEvent) => void;
  #turn: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined;

  constructor(transcript: Transcript, { deps, onEvent }: SessionOptions) {
    this.#transcript = transcript;
    const learner = new Learner({ ...deps, transcript });
    this.#learner = learner;
    this.#deps = {
      ...deps,
      transcript,
      approvals: this.#approvals,
      desk: new SummaryDesk(),
      unsigned: new Set(),
      learntWindows: new Map(),
      tell: onEvent,
      onCompacted: (covered) => learner.learn(covered),
    };
    this.#onEvent = onEvent;
  }

  get id(): string {
    return this.#transcript.sessionId;
  }

  get entries(): readonly Entry[] {
    return this.#transcript.entries;
  }

  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /** The load of the last request that was answered, from the log alone. */
  lastLedger(): Ledger | undefined {
    const report = lastReport(this.entries);
    return report && reportedLedger(this.entries, report, this.#deps.tokens);
  }

  /**
   * Makes the log whole before its first use: gives a new one its first line, calls that a crash left open their
   * results, and a turn that it cut off a word about it. Calling it again changes nothing.
   */
  async prepare({ workspace, product }: SessionHeader): Promise<void> {
    if (this.entries.length === 0) {
      await this.#append({ kind: 'session', version: 1, sessionId: this.id, workspace, product });
    }
    for (const draft of interruptedResults(this.entries)) await this.#append(draft);
    const note = interruptedNote(this.entries);
    if (note !== undefined) await this.#append(note);
  }

  /**
   * Takes the person's message. It is on the disk when this resolves: as part of the conversation, or in the queue when
   * a turn is running.
   * @throws when it says nothing or could not be written; nothing was taken then
   */
  async send(text: string): Promise<void> {
    // No server takes it, and the log would have it from then on.
    if (text.trim() === '') throw new Error('The message is empty. Nothing was sent.');
    const stopping = this.#turn?.abort.signal.aborted === true ? this.#turn.ended : undefined;
    // Behind what already waits, or the order in which it was said is lost.
    if (this.isRunning || waitingMessages(this.entries).length > 0) {
      await this.#append({ kind: 'queue', text });
      // What was said after Stop was not meant for the turn that is ending.
      await stopping;
      if (!this.isRunning) await this.#begin();
      return;
    }
    await this.#begin({ kind: 'user', text });
  }

  /** Goes on without a new message: after a failure, a stop or the round limit. What was queued goes with it. */
  async goOn(): Promise<void> {
    if (this.isRunning) return;
    const isWaitedFor = waitingMessages(this.entries).length > 0;
    const isSilent = !isWaitedFor && this.#hasAssistantLastWord();
    await this.#begin(isSilent ? { kind: 'reminder', topic: 'resume', text: GO_ON } : undefined);
  }

  answerApproval(toolUseId: string, decision: ApprovalDecision): boolean {
    return this.#approvals.answer(toolUseId, decision);
  }

  /** Stops the running turn, and resolves when all of it is over and the log is valid. */
  async stop(): Promise<void> {
    this.#deps.desk.drop();
    this.#learner.stop();
    this.withdrawCompaction();
    this.#turn?.abort.abort();
    await this.#turn?.ended;
  }

  /** Makes the conversation smaller: at once between turns; while a turn runs before its next request, or at its end. */
  async compact(focus?: string): Promise<void> {
    const asked = boundedFocus(focus);
    this.#deps.desk.ask(asked);
    if (this.isRunning) {
      this.#onEvent({ type: 'compaction_queued', ...(asked !== undefined && { focus: asked }) });
      return;
    }
    const abort = new AbortController();
    const ended = this.#relieve(abort.signal);
    this.#turn = { abort, ended };
    await ended;
  }

  /** Takes back a compaction that was asked for and has not begun. */
  withdrawCompaction(): void {
    if (this.#deps.desk.takeAsked() !== undefined) this.#onEvent({ type: 'compaction_unqueued' });
  }

  /** Gives up the relief that runs; a turn goes on without it. */
  cancelRelief(): void {
    this.#deps.desk.cancel();
  }

  /** Takes back an eviction or a compaction. Resolves to whether there was one to take back. */
  async undo(entryId: EntryId): Promise<boolean> {
    if (!isInForce(this.entries, entryId)) return false;
    await this.#append({ kind: 'undo', of: entryId });
    return true;
  }

  /** Holds an entry in the view, or lets go of it. */
  async pin(entryId: EntryId, isPinned: boolean): Promise<void> {
    await this.#append({ kind: 'pin', entryId, isPinned });
  }

  /**
   * Running from the first moment: a message that comes while `first` is being written queues behind it, and a stop
   * holds for the turn that is about to begin.
   */
  #begin(first?: EntryDraft): Promise<void> {
    const abort = new AbortController();
    const written = first === undefined ? Promise.resolve() : this.#append(first);
    const ended = written.then(
      () => this.#run(abort.signal),
      () => this.#over(), // the caller has the error
    );
    this.#turn = { abort, ended };
    return written;
  }

  /** Must not throw. A message that came after the turn's last look at the queue gets a turn of its own. */
  async #run(signal: AbortSignal): Promise<void> {
    let end: TurnEnd;
    do {
      end = await this.#runOnce(signal);
    } while (end === 'done' && waitingMessages(this.entries).length > 0);
    if (end !== 'stopped' && this.#deps.desk.isAsked) await this.#relieve(signal);
    else this.#over();
  }

  /** Must not throw. What was typed meanwhile gets its turn. */
  async #relieve(signal: AbortSignal): Promise<void> {
    let failed = false;
    try {
      for await (const event of relieveBetweenTurns(this.#deps, signal)) this.#onEvent(event);
    } catch (error) {
      failed = true;
      this.withdrawCompaction(); // it was carried out as far as it could be
      if (signal.aborted) await this.#recordStoppedRelief();
      this.#onEvent({ type: 'relief_ended', outcome: signal.aborted ? 'cancelled' : 'failed' });
      if (signal.aborted) this.#onEvent({ type: 'turn_ended', end: 'stopped' });
      else this.#onEvent({ type: 'turn_ended', end: 'failed', error: reportError(error) });
    }
    if (signal.aborted) this.#over();
    else if (this.#deps.desk.isAsked && !failed) await this.#relieve(signal);
    else if (waitingMessages(this.entries).length > 0) await this.#run(signal);
    else this.#over();
  }

  async #recordStoppedRelief(): Promise<void> {
    try {
      await this.#append({ kind: 'note', level: 'info', text: 'Compaction stopped.', relief: 'cancelled' });
    } catch {
      // The disk may be full; that it was stopped is told by the events too.
    }
  }

  #over(): void {
    this.#turn = undefined;
  }

  async #runOnce(signal: AbortSignal): Promise<TurnEnd> {
    let end: TurnEnd = 'failed';
    try {
      for await (const event of runTurn(this.#deps, signal)) {
        if (event.type === 'turn_ended') end = event.end;
        this.#onEvent(event);
      }
    } catch (error) {
      // runTurn tells failures as events; what arrives here is a defect, and the panel must not hang on it.
      this.#onEvent({ type: 'turn_ended', end: 'failed', error: reportError(error) });
    }
    return end;
  }

  #hasAssistantLastWord(): boolean {
    const last = this.entries.findLast(
      ({ kind }) => kind === 'user' || kind === 'assistant' || kind === 'tool_result' || kind === 'reminder',
    );
    return last?.kind === 'assistant';
  }

  async #append(draft: EntryDraft): Promise<void> {
    const entry = await this.#transcript.append(draft);
    this.#onEvent({ type: 'entry', entry });
  }
}
