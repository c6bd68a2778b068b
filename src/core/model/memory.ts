import type { EntryId } from './entry.ts';

/** What a memory is about. */
export const MEMORY_CATEGORIES = ['preference', 'convention', 'decision', 'fact', 'lesson'] as const;
export type MemoryCategory = (typeof MEMORY_CATEGORIES)[number];

/** Who wrote it: a person in MEMORY.md, the agent by its tool, or the extractor at a compaction. */
export type MemorySource = 'user' | 'agent' | 'extractor';

/** 1: nice to know … 5: must not be missed. */
export type Importance = 1 | 2 | 3 | 4 | 5;

/** A person's words, until they give them another rank. */
export const USER_IMPORTANCE: Importance = 4;
export const AGENT_IMPORTANCE: Importance = 3;

/** `m` and seven of 0-9a-z; never used again for another memory. */
export type MemoryId = string;

/** The entry of a session that a memory was learnt from. */
export interface MemoryOrigin {
  readonly sessionId: string;
  readonly entryId: EntryId;
}

/** One thing to be remembered of a project. */
export interface Memory {
  readonly id: MemoryId;
  /** one or several lines, trimmed, never empty; any Unicode but lone surrogates and control characters */
  readonly text: string;
  readonly category: MemoryCategory;
  readonly importance: Importance;
  readonly source: MemorySource;
  /** absent for what a person wrote into the file */
  readonly origin?: MemoryOrigin;
  /** `proposed`: waits for a person in the inbox, and is in neither the file nor the prompt */
  readonly status: 'active' | 'proposed';
  /** it stands before what is more important */
  readonly isPinned: boolean;
  /** milliseconds since the epoch */
  readonly createdMs: number;
  readonly updatedMs: number;
  /** when a search last gave it to the model; absent for never */
  readonly usedMs?: number;
  /** how often */
  readonly uses: number;
  /** from then on it is no longer told; absent for never */
  readonly expiresMs?: number;
}

/** What enters the prompt, whichever comes first. Framing included. */
export const MEMORY_BOUND = { entries: 30, bytes: 5_120, tokens: 1_300 } as const;

/** Characters of one memory that the tool and the inbox take. A person's own lines may be longer. */
export const MAX_MEMORY_CHARS = 1_000;

/** Bytes of a MEMORY.md beyond which it is not read. */
export const MAX_MEMORY_FILE = 4_000_000;
