import type { Importance, MemoryCategory, MemoryId, MemorySource } from '../core/model/memory.ts';
import type { EntryId } from '../core/model/entry.ts';

/** What the panel knows of the project's memory. */
export interface MemoryState {
  /** which store is in use, for people: the project and, where it is so, that its worktrees share it */
  readonly store: string;
  /** MEMORY.md as the workspace calls it, to be opened in an editor tab */
  readonly path: string;
  /** the text of MEMORY.md as file and store agree on it now */
  readonly text: string;
  readonly measure: MemoryMeasure;
  /** active ones in the order of the file */
  readonly memories: readonly MemoryRow[];
  /** proposals of the extractor, oldest first */
  readonly proposals: readonly MemoryRow[];
  /** what a person should know: a damaged store, a file too large, both sides of a conflict kept */
  readonly notices: readonly string[];
}

/** What a text of MEMORY.md takes of its bounds. */
export interface MemoryMeasure {
  readonly entries: number;
  readonly bytes: number;
  readonly tokens: number;
  /** lines of the text that the model sees, from the first; undefined: all of them */
  readonly shownLines?: number;
}

export interface MemoryRow {
  readonly id: MemoryId;
  readonly text: string;
  readonly category: MemoryCategory;
  readonly importance: Importance;
  readonly source: MemorySource;
  readonly isPinned: boolean;
  /** the model sees it */
  readonly isShown: boolean;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly usedMs?: number;
  readonly uses: number;
  /** where it was learnt */
  readonly origin?: {
    readonly sessionId: string;
    readonly entryId: EntryId;
    /** it is in the session that is shown, so the panel can jump there */
    readonly isHere: boolean;
  };
}

export interface SaveMemoryRequest {
  readonly text: string;
  /** what the person's text was made from: {@link MemoryState.text} as it was then */
  readonly base: string;
}

/** Conflicts are in the notices: both sides were kept. */
export interface SaveMemoryResponse {
  readonly state: MemoryState;
  readonly conflicts: readonly string[];
}

export interface ChangeMemoryRequest {
  readonly id: MemoryId;
  readonly importance?: Importance;
  readonly isPinned?: boolean;
}

export interface AnswerProposalRequest {
  readonly id: MemoryId;
  readonly answer: 'accept' | 'reject';
  /** with `accept`: in place of what was proposed */
  readonly text?: string;
}

/** A draft of MEMORY.md that is not saved. */
export interface MemoryDraft {
  readonly text: string;
  readonly base: string;
}
