import type { AssistantBlock, ImageBlock, ResultBlock } from './content.ts';
import type { ErrorReport } from './errors.ts';
import type { Budget } from './budget.ts';
import type { EntryBase, EntryId } from './entry-base.ts';
import type { OffloadedOutput } from './offloaded.ts';
import type { CompactionEntry, EvictionEntry } from './relief-entry.ts';

export type { EntryId } from './entry-base.ts';
import type { Usage } from './usage.ts';

/**
 * The transcript is an append-only log of entries; everything else is a fold over it.
 * An entry is never changed once it is written.
 */
export type Entry =
  | SessionEntry
  | UserEntry
  | QueueEntry
  | AssistantEntry
  | ToolIntentEntry
  | OutputEntry
  | ToolResultEntry
  | PromptEntry
  | ReminderEntry
  | UsageEntry
  | NoteEntry
  | EvictionEntry
  | CompactionEntry
  | UndoEntry
  | PinEntry
  | RewindEntry;

/** The first line of every log. */
export interface SessionEntry extends EntryBase {
  readonly kind: 'session';
  /** of the log's format */
  readonly version: 1;
  readonly sessionId: string;
  /** roots of the workspace the session belongs to: paths, or URIs where it is not on disk */
  readonly workspace: readonly string[];
  /** version of the product that began it */
  readonly product: string;
}

export interface UserEntry extends EntryBase {
  readonly kind: 'user';
  readonly text: string;
  readonly images?: readonly ImageBlock[];
  /** the queue entry whose text this is, where it was typed while a turn was running */
  readonly queueId?: EntryId;
}

/**
 * A message typed while a turn is running: on disk at once, not yet part of the conversation.
 * It becomes a user entry before the next request.
 */
export interface QueueEntry extends EntryBase {
  readonly kind: 'queue';
  readonly text: string;
}

/** Why the model stopped. `aborted`: the user stopped it or the stream was given up; what is here is what came. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'
  | 'aborted';

export interface AssistantEntry extends EntryBase {
  readonly kind: 'assistant';
  readonly provider: string;
  readonly model: string;
  /** the provider's id of the message */
  readonly messageId: string;
  readonly blocks: readonly AssistantBlock[];
  readonly stopReason: StopReason;
}

/** What let a tool run: nothing had to be asked, or the person said so. */
export type Consent = 'free' | 'once' | 'session' | 'always' | 'mode';

/** Written before a tool runs, so that after a crash nobody has to guess whether it did. */
export interface ToolIntentEntry extends EntryBase {
  readonly kind: 'tool_intent';
  readonly toolUseId: string;
  readonly name: string;
  readonly target: string;
  readonly consent: Consent;
  /** what `session` consent covers from here on, one key per granted thing */
  readonly grants?: readonly string[];
}

/**
 * Written as soon as a running tool's output has a file, and again where it goes on in another: after a crash, before
 * there is a result, this alone says where the output is. No part of the conversation.
 */
export interface OutputEntry extends EntryBase {
  readonly kind: 'output';
  readonly toolUseId: string;
  /** as far as it was written by then */
  readonly output: OffloadedOutput;
}

export type ToolStatus = 'ok' | 'error' | 'denied' | 'interrupted';

export interface ToolResultEntry extends EntryBase {
  readonly kind: 'tool_result';
  readonly toolUseId: string;
  readonly name: string;
  readonly target: string;
  readonly status: ToolStatus;
  readonly content: readonly ResultBlock[];
  readonly durationMs: number;
  readonly details?: ToolDetails;
}

/** What code needs to know of a result beside its text; never sent to the model. */
export interface ToolDetails {
  /** files as the model now knows them: what a later edit is checked against */
  readonly seen?: readonly FileSeen[];
  /** of an edit or a write, as a unified patch; bounded */
  readonly patch?: string;
  /** lines added and removed */
  readonly added?: number;
  readonly removed?: number;
  readonly exitCode?: number | null;
  /** bytes the tool produced before any bound */
  readonly totalBytes?: number;
  /** where all of it is, where the entry holds a preview only */
  readonly output?: OffloadedOutput;
}

export interface FileSeen {
  /** canonical location, as {@link FilePort} takes it */
  readonly file: string;
  /** sha256 of the whole file's bytes, hex */
  readonly hash: string;
  /** the model saw only some of it: enough to edit a place, not to replace the file */
  readonly isPartial?: true;
}

/** A section of the system prompt as it was sent. */
export interface PromptSection {
  readonly name: string;
  readonly text: string;
}

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the input */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** System sections and tools as sent from here to the next such entry: the frozen prefix of every request. */
export interface PromptEntry extends EntryBase {
  readonly kind: 'prompt';
  /** sha256 over sections and tools, hex */
  readonly hash: string;
  readonly sections: readonly PromptSection[];
  readonly tools: readonly ToolSchema[];
}

/** Said at the tail of a request by Plimsoll itself: never conversation, and never in the user's name. */
export interface ReminderEntry extends EntryBase {
  readonly kind: 'reminder';
  /** the prompt section that changed, or what else is being said */
  readonly topic: string;
  readonly text: string;
  /** where the text says only what has changed of a prompt section: the whole of it as it is now, never sent */
  readonly section?: string;
  /** a nudge: it holds for the turn it is said in, and is no longer shown after it where the model can do that */
  readonly isTurnScoped?: true;
}

/** What the provider reported for the request that `assistantId` answers. */
export interface UsageEntry extends EntryBase {
  readonly kind: 'usage';
  readonly assistantId: EntryId;
  /** last entry that was part of the request */
  readonly lastEntryId: EntryId;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  /** what the ledger had said before the call, in tokens */
  readonly estimated: number;
  /** the server seems to have read less than it was sent: its count says nothing of the next request */
  readonly isClipped?: true;
  /** what calibration learns from: see {@link CountedPart}; absent where nothing can be learnt */
  readonly counted?: CountedPart;
  /** why less of the prefix was read from the cache than the request before had sent, where the provider says it */
  readonly cacheMiss?: CacheMiss;
  /** the budget the request was made under, so that the meter can be shown without asking anybody */
  readonly budget: Budget;
}

/** The part of a request that the provider's count has just told the price of. Tokens. */
export interface CountedPart {
  /** by the reference tokenizer */
  readonly tokens: number;
  /** by the provider */
  readonly billed: number;
}

export interface CacheMiss {
  /** the provider's word: `messages_changed`, `tools_changed`, … */
  readonly reason: string;
  readonly missedTokens?: number;
}

/** Takes back an eviction or a compaction: what it replaced is in the view again. */
export interface UndoEntry extends EntryBase {
  readonly kind: 'undo';
  readonly of: EntryId;
}

/** What the person holds in the view: no relief touches it, and a compaction carries it verbatim. */
export interface PinEntry extends EntryBase {
  readonly kind: 'pin';
  readonly entryId: EntryId;
  readonly isPinned: boolean;
}

/** The conversation goes on from `to`: whatever came between is out of the view, and stays in the log. */
export interface RewindEntry extends EntryBase {
  readonly kind: 'rewind';
  readonly to: EntryId;
}

/** For people only: a stop, a failure, a repaired log. */
export interface NoteEntry extends EntryBase {
  readonly kind: 'note';
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly error?: ErrorReport;
  /** the turn paused at the round limit: whoever opens the session here is asked whether to go on */
  readonly isLimit?: boolean;
  /** a relief that changed nothing, and why: the engine reads it too, so as not to try the same again at once */
  readonly relief?: ReliefOutcome;
  /** tokens of the request that it was about */
  readonly load?: number;
}

/** How a relief ended that was not applied; one that was is an entry of its own. */
export type ReliefOutcome = 'skipped' | 'failed' | 'cancelled';

type WithoutBase<T> = T extends Entry ? Omit<T, 'id' | 'at'> : never;

/** An entry that the log has not numbered and dated yet. */
export type EntryDraft = WithoutBase<Entry>;
