import type { Importance, Memory, MemoryCategory, MemoryId, MemoryOrigin } from '../model/memory.ts';
import type { FileLocation } from './files.ts';

/** What the agent wants remembered. */
export interface MemoryDraft {
  readonly text: string;
  readonly category: MemoryCategory;
  readonly importance: Importance;
  readonly origin: MemoryOrigin;
  /** days until it is no longer told; absent for never */
  readonly days?: number;
  /** the memory that it replaces */
  readonly replaces?: MemoryId;
}

export type MemoryAnswer =
  | { readonly kind: 'written'; readonly memory: Memory }
  /** the same is remembered already; it was noted that it was needed again */
  | { readonly kind: 'known'; readonly memory: Memory }
  /** nothing was changed; a sentence for the model */
  | { readonly kind: 'refused'; readonly reason: string };

export type ForgetAnswer =
  | { readonly kind: 'forgotten'; readonly memory: Memory }
  /** there is no such memory */
  | { readonly kind: 'unknown' }
  /** nothing was changed; a sentence for the model, which counts as told */
  | { readonly kind: 'refused'; readonly reason: string };

/** The project's memory as the agent's tools see it. Methods throw the system's own error. */
export interface ProjectMemoryPort {
  /** Whether it could not be opened when it was last asked for: then nobody is asked to write to it. */
  isUnavailable?(): boolean;
  write(draft: MemoryDraft): Promise<MemoryAnswer>;
  /** What was found beside the work. It waits for a person, or is remembered at once, as they have set it. */
  propose(drafts: readonly MemoryDraft[]): Promise<void>;
  /** Active memories, best first; that they were given is noted. An empty query gives the most important. */
  search(query: string, limit: number): Promise<readonly Memory[]>;
  /** Notes what the model was shown whole: only what it knows as it is does it replace or forget by its id. */
  noteTold(shown: readonly Memory[]): void;
  /** @param what an id, or the memory's whole text; that of a person's own line exactly */
  forgetTold(what: string): Promise<ForgetAnswer>;
  /** Why the file must not be changed so: a sentence for the model. Undefined: it may, or it is not MEMORY.md. */
  objectionTo(file: FileLocation, before: string, after: string): string | undefined;
}
