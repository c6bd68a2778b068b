import type { Entry, ReliefOutcome } from './entry.ts';
import type { ErrorReport } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { OffloadedOutput } from './offloaded.ts';

/**
 * Everything a turn tells its listeners, grouped by lifecycle: this union is the whole contract with the panel.
 * What lasts is an `entry`, already on disk when it is heard; the rest is passing.
 */
export type AgentEvent =
  TurnEvent | ModelCallEvent | ToolEvent | ReliefEvent | { readonly type: 'entry'; readonly entry: Entry };

/** Why a turn is over. `limit`: `maxRounds` is reached and the person is asked whether to go on. */
export type TurnEnd = 'done' | 'stopped' | 'failed' | 'limit';

export type TurnEvent =
  | { readonly type: 'turn_started' }
  | { readonly type: 'turn_ended'; readonly end: TurnEnd; readonly error?: ErrorReport };

export type ModelCallEvent =
  /** the estimate, before the call */
  | { readonly type: 'request_prepared'; readonly ledger: Ledger; readonly model: string }
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | { readonly type: 'tool_use_started'; readonly toolUseId: string; readonly name: string }
  /** what was streamed so far is void: the call failed and is made again, or it ended without an answer */
  | { readonly type: 'stream_discarded' }
  | {
      readonly type: 'retry_scheduled';
      readonly attempt: number;
      readonly of: number;
      readonly delayMs: number;
      readonly reason: string;
    }
  /** the provider's own count, after the call */
  | { readonly type: 'usage_reported'; readonly ledger: Ledger }
  /** the estimate of the next request, where the conversation was changed during the call: its usage is of the past */
  | { readonly type: 'load_estimated'; readonly ledger: Ledger };

/** Making the conversation smaller. What was applied is an entry; what was not is a note. */
export type ReliefEvent =
  /** `isWaitedFor`: the next request waits for it; else it is prepared while the agent works */
  | { readonly type: 'relief_started'; readonly isWaitedFor: boolean; readonly before: number }
  /** `isWaitedFor` false: it was prepared in the background, and nobody is told that it failed */
  | {
      readonly type: 'relief_ended';
      readonly outcome: 'applied' | 'prepared' | ReliefOutcome;
      readonly isWaitedFor?: false;
    }
  /** the person asked for a compaction while something else runs: it waits for the next request */
  | { readonly type: 'compaction_queued'; readonly focus?: string }
  /** it begins, or it was taken back */
  | { readonly type: 'compaction_unqueued' };

export type ToolEvent =
  | { readonly type: 'approval_requested'; readonly approval: ApprovalRequest }
  | { readonly type: 'approval_resolved'; readonly toolUseId: string }
  | { readonly type: 'tool_started'; readonly toolUseId: string }
  /** output as it comes, control sequences stripped; for people, bounded */
  | { readonly type: 'tool_output'; readonly toolUseId: string; readonly text: string }
  /** the output is kept in a file, and is so long by now: heard again as it grows, a few times a second */
  | { readonly type: 'tool_output_kept'; readonly toolUseId: string; readonly output: OffloadedOutput };

/** A question to the person: may this tool call run? */
export interface ApprovalRequest {
  readonly toolUseId: string;
  readonly tool: string;
  readonly target: string;
  readonly action: 'read' | 'edit' | 'command';
  /** why it is asked, where that is not plain: "outside the workspace" */
  readonly reason?: string;
  /** the change an edit would make, as a unified patch */
  readonly patch?: string;
  /** the exact command line */
  readonly command?: string;
  /** whether a lasting answer may be given */
  readonly canRemember: boolean;
}

export type ApprovalDecision =
  | { readonly kind: 'allow'; readonly scope: 'once' | 'session' | 'always' }
  | { readonly kind: 'deny'; readonly reason: string };
