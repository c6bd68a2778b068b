import type { ApprovalRequest } from '../core/model/event.ts';
import type { EntryId, ToolStatus } from '../core/model/entry.ts';
import type { ErrorReport } from '../core/model/errors.ts';
import type { Ledger } from '../core/model/ledger.ts';

/**
 * What the panel shows: a pure fold over events, kept by the host, so that the webview can be thrown away and rebuilt
 * at any time. {@link file://./reduce.ts} folds.
 */
export interface PanelState {
  readonly sessionId: string;
  readonly items: readonly PanelItem[];
  readonly activity: Activity;
  /** the load of the last request; absent before the first */
  readonly ledger?: Ledger;
  /** the model in use, as its provider names it; absent before it is known */
  readonly model?: string;
  readonly environment: Environment;
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
      readonly attempt: number;
      readonly of: number;
      readonly delayMs: number;
      readonly reason: string;
    }
  /** the turn stopped at the round limit: the panel offers to go on */
  | { readonly kind: 'limit' }
  | { readonly kind: 'failed'; readonly error: ErrorReport };

/** What surrounds the session. */
export interface Environment {
  /** a model can be called: a key is there, or the server needs none */
  readonly hasKey: boolean;
  readonly isTrusted: boolean;
  readonly hasFolder: boolean;
}

export type PanelItem = UserItem | AssistantItem | ToolItem | NoteItem;

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
}

export interface NoteItem {
  readonly kind: 'note';
  readonly id: EntryId;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  /** of a failed turn: what a resumed panel still has to say about it */
  readonly error?: ErrorReport;
}
