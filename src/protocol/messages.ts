import type { AgentEvent, ApprovalDecision } from '../core/model/event.ts';
import type { EntryId } from '../core/model/entry.ts';
import type { MemoryId } from '../core/model/memory.ts';
import type {
  KeptOutput,
  OutputPage,
  OutputPageRequest,
  OutputSearchRequest,
  OutputSearchResult,
} from './output-pages.ts';
import type {
  AnswerProposalRequest,
  ChangeMemoryRequest,
  MemoryDraft,
  MemoryMeasure,
  MemoryState,
  SaveMemoryRequest,
  SaveMemoryResponse,
} from './memory.ts';
import type { Environment, PanelState } from './view-model.ts';

/**
 * Everything that crosses between the extension host and the webview.
 * The webview opens with the `ready` request and gets the whole state; from then on the host sends what changed.
 */

/** What the webview can ask of the host: name → [request, response]. A rejection reaches the caller as an Error. */
export interface HostRequests {
  ready: [undefined, PanelState];
  send: [SendRequest, undefined];
  /** keeps what is typed and not sent, so that a reload does not lose it */
  saveDraft: [Draft, undefined];
  loadDraft: [undefined, Draft | undefined];
  /** keeps which output is open, for the same reason */
  saveOutput: [KeptOutput, undefined];
  /** what was open when the host came up: for who asks first */
  loadOutput: [undefined, KeptOutput | undefined];
  stop: [undefined, undefined];
  /** makes the failed model call again, or goes on after the round limit */
  goOn: [undefined, undefined];
  newSession: [undefined, undefined];
  answerApproval: [AnswerApprovalRequest, undefined];
  /** makes the conversation smaller: at once, or before the next request of the turn that runs */
  compact: [CompactRequest, undefined];
  /** takes back a compaction that was asked for and has not begun */
  withdrawCompaction: [undefined, undefined];
  /** gives up the relief that runs; the turn goes on without it */
  cancelRelief: [undefined, undefined];
  /** takes back an eviction or a compaction */
  undo: [{ readonly entryId: EntryId }, undefined];
  /** opens the editor's diff of what an edit changed */
  openDiff: [{ readonly toolUseId: string }, undefined];
  /** a page of an output that is kept in a file */
  outputPage: [OutputPageRequest, OutputPage];
  /** a new search of an output gives up the one before */
  searchOutput: [OutputSearchRequest, OutputSearchResult];
  /** opens it in an editor tab */
  openOutput: [OutputRequest, undefined];
  /** shows it in the explorer, or where the system shows files */
  revealOutput: [OutputRequest, undefined];
  openFile: [{ readonly path: string; readonly line?: number }, undefined];
  openExternal: [{ readonly url: string }, undefined];
  /** the project's memory as it is now; rejects where there is none: no folder, or one that is not trusted */
  memory: [undefined, MemoryState];
  /** what a text of MEMORY.md would take, and where the model's view of it would end */
  measureMemory: [{ readonly text: string }, MemoryMeasure];
  /** merges a person's text into the file and the store */
  saveMemory: [SaveMemoryRequest, SaveMemoryResponse];
  changeMemory: [ChangeMemoryRequest, undefined];
  forgetMemory: [{ readonly id: MemoryId }, undefined];
  /** takes back that it was forgotten */
  restoreMemory: [{ readonly id: MemoryId }, undefined];
  answerProposal: [AnswerProposalRequest, undefined];
  /** ids of what matches, best first */
  searchMemory: [{ readonly query: string }, { readonly ids: readonly MemoryId[] }];
  /** opens MEMORY.md in an editor tab */
  openMemory: [undefined, undefined];
  /** keeps the text that is not saved, so that a reload does not lose it; undefined: there is none any more */
  saveMemoryDraft: [MemoryDraft | undefined, undefined];
  loadMemoryDraft: [undefined, MemoryDraft | undefined];
  setApiKey: [undefined, undefined];
  /** opens the settings at Plimsoll */
  openSettings: [undefined, undefined];
}

export interface OutputRequest {
  readonly toolUseId: string;
}

/** What is typed and not sent. */
export interface Draft {
  readonly text: string;
}

export interface SendRequest {
  readonly text: string;
}

export interface CompactRequest {
  /** what the summary should keep in mind */
  readonly focus?: string;
}

export interface AnswerApprovalRequest {
  readonly toolUseId: string;
  readonly decision: ApprovalDecision;
}

/** What changes a {@link PanelState}. */
export type PanelEvent = AgentEvent | HostEvent;

export type HostEvent =
  | { readonly type: 'environment_changed'; readonly environment: Environment }
  /** which model will answer, as its provider names it; before the first request too */
  | { readonly type: 'model_resolved'; readonly model: string }
  /** another session is shown from here on */
  | { readonly type: 'session_opened'; readonly state: PanelState };

/** What the host pushes, in order. */
export type HostPush =
  | { readonly push: 'events'; readonly events: readonly PanelEvent[] }
  | { readonly push: 'focusComposer' }
  /** opens the account behind the meter, and takes the focus there */
  | { readonly push: 'showContext' }
  /** the project's memory has changed, whoever changed it */
  | { readonly push: 'memory'; readonly state: MemoryState }
  /** opens the Memory tab, and takes the focus to its text */
  | { readonly push: 'showMemory' };

export type WebviewMessage = {
  readonly [Name in keyof HostRequests]: {
    readonly request: Name;
    readonly id: number;
    readonly body: HostRequests[Name][0];
  };
}[keyof HostRequests];

export type HostMessage =
  | HostPush
  | { readonly reply: number; readonly ok: true; readonly body: unknown }
  | { readonly reply: number; readonly ok: false; readonly error: string };
