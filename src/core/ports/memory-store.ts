import type { Memory, MemoryId } from '../model/memory.ts';
import type { FileLocation } from './files.ts';

/** One change, whole in itself: replayed in the order written they give the store. */
export type MemoryChange =
  /** adds it, or replaces the one with its id, be it forgotten */
  | { readonly kind: 'put'; readonly memory: Memory }
  /** it can be brought back as long as the store is open; the next time it is opened its words are gone for good */
  | { readonly kind: 'forget'; readonly id: MemoryId; readonly atMs: number }
  | { readonly kind: 'restore'; readonly id: MemoryId }
  | { readonly kind: 'used'; readonly ids: readonly MemoryId[]; readonly atMs: number }
  /** the text of a view as file and store last agreed on it; undefined: there is none any more */
  | { readonly kind: 'base'; readonly file: FileLocation; readonly text: string | undefined };

export interface MemoryHit {
  readonly memory: Memory;
  /** higher is better; comparable within one search only */
  readonly score: number;
}

/**
 * A project's memories, shared by all windows on it. Reads are of what is in this process: {@link refresh} takes in what
 * others wrote.
 */
export interface MemoryStore {
  /** for people: where it is, which project it is of */
  readonly name: string;
  /** a word about what was damaged and mended when it was opened; absent where nothing was */
  readonly notice?: string;
  /** In no order, without those forgotten. */
  all(): readonly Memory[];
  get(id: MemoryId): Memory | undefined;
  /** Whether a memory of this id was forgotten, in any window, at any time. */
  isForgotten(id: MemoryId): boolean;
  /** The words of one that was forgotten since the store was opened. */
  forgotten(id: MemoryId): Memory | undefined;
  /** Whether a text (but for case, spaces and punctuation at its ends) is that of a memory that was forgotten or refused. */
  wasForgotten(text: string): boolean;
  /** Active memories that match any of the words, best first. Never throws, whatever is asked. */
  search(query: string, limit: number): readonly MemoryHit[];
  /** The text of a view as file and store last agreed on it. */
  baseOf(file: FileLocation): string | undefined;
  /**
   * Writes the changes as one: after a crash all of them are there or none. They are on the disk when this resolves.
   * @throws the system's own error; then nothing has changed
   */
  write(changes: readonly MemoryChange[]): Promise<void>;
  /** Takes in what other windows have written. Resolves to whether there was anything. */
  refresh(): Promise<boolean>;
  /**
   * Runs `work` while no other window runs its own: for what reads a file, decides and writes it. The store is fresh
   * when `work` begins.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  dispose(): Promise<void>;
}
