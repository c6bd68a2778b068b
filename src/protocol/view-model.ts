import type { ApprovalRequest } from '../core/model/event.ts';
import type { EntryId, ReliefOutcome, ToolStatus } from '../core/model/entry.ts';
import type { ErrorReport } from '../core/model/errors.ts';
import type { Ledger } from '../core/model/ledger.ts';
import type {
  CompactionMethod,
  EvictionReason,
  ReliefTrigger,
  SummarySection,
  WorkState,
} from '../core/model/relief-entry.ts';
import type { OffloadedOutput } from '../core/model/offloaded.ts';
import type { Usage } from '../core/model/usage.ts';

/**
 * What the panel shows: a pure fold over events, kept by the host, so that the webview can be thrown away and rebuilt
 * at any time. {@link file://./reduce.ts} folds.
 */
export interface PanelState {
  readonly sessionId: string;
  readonly items: readonly PanelItem[];
  readonly activity: Activity;
  /** what goes on when the relief that is waited for is over; absent when none is */
  readonly afterRelief?: Activity;
  /** a summary is being written in the background */
  readonly isPreparing?: true;
  /** a compaction that was asked for waits for the next request */
  readonly queuedCompaction?: { readonly focus?: string };
  /** tokens that undos have brought back behind the last request that was made */
  readonly broughtBack?: readonly BroughtBack[];
  /** the load of the last request; absent before the first */
  readonly ledger?: Ledger;
  /** the model in use, as its provider names it; absent before it is known */
  readonly model?: string;
  readonly environment: Environment;
}

export interface BroughtBack {
  /** the undo */
  readonly by: EntryId;
  readonly tokens: number;
}

/** What goes on right now, and so what Send, Stop and the status line say. */
export type Activity =
  | { readonly kind: 'idle' }
  | { readonly kind: 'calling' }
  | { readonly kind: 'streaming' }
  | { readonly kind: 'running_tools' }
  | { readonly kind: 'awaiting_approval' }
  | {
      readonly kind: 'retrying';
      /** it is the summary of a compaction that waits for the provider */
      readonly isCompacting?: true;
      readonly attempt: number;
      readonly of: number;
      readonly delayMs: number;
      readonly reason: string;
    }
  /** the conversation is being made smaller, and the next request waits for it */
  | {
      readonly kind: 'compacting';
      /** tokens of the whole request */
      readonly before: number;
    }
  /** the turn stopped at the round limit: the panel offers to go on */
  | { readonly kind: 'limit' }
  | { readonly kind: 'failed'; readonly error: ErrorReport };

export type Retrying = Extract<Activity, { readonly kind: 'retrying' }>;

/** What surrounds the session. */
export interface Environment {
  /** a model can be called: a key is there, or the server needs none */
  readonly hasKey: boolean;
  readonly isTrusted: boolean;
  readonly hasFolder: boolean;
}

export type PanelItem =
  UserItem | AssistantItem | ToolItem | NoteItem | EvictionItem | CompactionItem | ReliefNoteItem;

export interface UserItem {
  readonly kind: 'user';
  readonly id: EntryId;
  readonly text: string;
  /** typed while a turn is running, and not yet part of the conversation */
  readonly isQueued?: boolean;
}

export interface AssistantItem {
  readonly kind: 'assistant';
  /** `live` while it streams */
  readonly id: EntryId | 'live';
  readonly text: string;
  readonly thinking: string;
}

export type ToolState = 'composing' | 'pending' | 'approval' | 'running' | ToolStatus;

export interface ToolItem {
  readonly kind: 'tool';
  readonly toolUseId: string;
  readonly tool: string;
  readonly target: string;
  readonly state: ToolState;
  /** what it printed so far, or its result; bounded */
  readonly output: string;
  readonly startedAt?: number;
  readonly durationMs?: number;
  readonly approval?: ApprovalRequest;
  readonly patch?: string;
  readonly added?: number;
  readonly removed?: number;
  readonly exitCode?: number | null;
  /** where all of its output is, of which `output` is a part; it may still grow while the tool runs */
  readonly kept?: OffloadedOutput;
  /** the answer that made the call, and the entry of its result: what a source or an eviction points at */
  readonly callId?: EntryId;
  readonly resultId?: EntryId;
}

export interface NoteItem {
  readonly kind: 'note';
  readonly id: EntryId;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  /** of a failed turn: what a resumed panel still has to say about it */
  readonly error?: ErrorReport;
}

/** Old results that left the view. */
export interface EvictionItem {
  readonly kind: 'eviction';
  readonly id: EntryId;
  readonly trigger: ReliefTrigger;
  readonly results: readonly EvictedResult[];
  /** tokens of the whole request */
  readonly before: number;
  readonly after: number;
  readonly isUndone?: true;
}

export interface EvictedResult {
  readonly entryId: EntryId;
  /** empty where the panel has no card of it */
  readonly tool: string;
  readonly target: string;
  readonly reason: EvictionReason;
  /** too large for the window: its beginning and its end are still there */
  readonly isShortened?: true;
  /** the newer entry that holds the same or more */
  readonly see?: EntryId;
}

/** A stretch of the conversation that a shorter text stands for. The facts that code carries beside it stay at home. */
export interface CompactionItem {
  readonly kind: 'compaction';
  readonly id: EntryId;
  readonly method: CompactionMethod;
  readonly trigger: ReliefTrigger;
  /** tokens of the whole request */
  readonly before: number;
  readonly after: number;
  readonly summary: readonly SummarySection[];
  readonly state: WorkState;
  /** what the model sees in place of the stretch; bounded */
  readonly text: string;
  readonly cost?: Usage;
  readonly model?: string;
  readonly focus?: string;
  readonly fallback?: string;
  readonly isUndone?: true;
}

/** A relief that changed nothing, and why. */
export interface ReliefNoteItem {
  readonly kind: 'relief_note';
  readonly id: EntryId;
  readonly outcome: ReliefOutcome;
  readonly text: string;
  readonly error?: ErrorReport;
}
