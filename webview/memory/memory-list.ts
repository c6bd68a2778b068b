import type { ReadonlySignal } from '@preact/signals';
import { computed, signal } from '@preact/signals';
import type { MemoryId } from '../../src/core/model/memory.ts';
import type { ChangeMemoryRequest, MemoryRow } from '../../src/protocol/memory.ts';
import type { AskHost } from './host-link.ts';
import { reasonOf } from './host-link.ts';

/** How long nothing is typed before it is searched for. */
const TYPING_PAUSE_MS = 200;

/** A memory, or what is left of one until it is too late to undo it. */
export interface ListedMemory {
  readonly row: MemoryRow;
  readonly isForgotten: boolean;
}

interface Forgotten {
  readonly row: MemoryRow;
  /** what stood before it */
  readonly before: readonly MemoryId[];
}

/** The memories one by one: looking for them, ranking and forgetting them. */
export class MemoryList {
  readonly #ask: AskHost;
  readonly #memories: ReadonlySignal<readonly MemoryRow[]>;
  readonly #query = signal('');
  readonly #found = signal<readonly MemoryId[] | undefined>(undefined);
  readonly #forgotten = signal<readonly Forgotten[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** why the last request was refused */
  readonly trouble = signal<string | undefined>(undefined);

  /** the row that is to take the focus; it resets it */
  readonly focus = signal<MemoryId | undefined>(undefined);

  readonly #all = computed(() => withForgotten(this.#memories.value, this.#forgotten.value));

  readonly rows = computed((): readonly ListedMemory[] => {
    const all = this.#all.value;
    const found = this.#found.value;
    if (found === undefined) return all;
    const byId = new Map(all.map((listed) => [listed.row.id, listed]));
    return found.flatMap((id) => byId.get(id) ?? []);
  });

  constructor(ask: AskHost, memories: ReadonlySignal<readonly MemoryRow[]>) {
    this.#ask = ask;
    this.#memories = memories;
  }

  get query(): ReadonlySignal<string> {
    return this.#query;
  }

  /** Whether the rows are what a search has found. */
  get isFiltered(): boolean {
    return this.#found.value !== undefined;
  }

  search(query: string): void {
    this.#query.value = query;
    clearTimeout(this.#timer);
    if (query.trim() === '') this.#found.value = undefined;
    else this.#timer = setTimeout(() => void this.#search(), TYPING_PAUSE_MS);
  }

  /** Resolves to whether it was done; a refusal is part of the state. */
  change(change: ChangeMemoryRequest): Promise<boolean> {
    return this.#tried(this.#ask('changeMemory', change));
  }

  /** It stays in its place, to be taken back. */
  async forget(row: MemoryRow): Promise<void> {
    const ids = this.#all.peek().map((listed) => listed.row.id);
    const before = ids.slice(0, Math.max(0, ids.indexOf(row.id)));
    this.#forgotten.value = [...this.#forgotten.peek(), { row, before }];
    this.focus.value = row.id;
    if (await this.#tried(this.#ask('forgetMemory', { id: row.id }))) return;
    this.letGo(row.id);
    this.focus.value = row.id;
  }

  async undo(id: MemoryId): Promise<void> {
    if (!(await this.#tried(this.#ask('restoreMemory', { id })))) return;
    this.letGo(id);
    this.focus.value = id;
  }

  /** Nothing is left of it here. */
  letGo(id: MemoryId): void {
    this.#forgotten.value = this.#forgotten.peek().filter(({ row }) => row.id !== id);
  }

  async #search(): Promise<void> {
    const query = this.#query.peek();
    try {
      const { ids } = await this.#ask('searchMemory', { query });
      if (this.#query.peek() !== query) return;
      this.#found.value = ids;
      this.trouble.value = undefined;
    } catch (error) {
      if (this.#query.peek() === query) this.trouble.value = reasonOf(error);
    }
  }

  #tried(request: Promise<unknown>): Promise<boolean> {
    this.trouble.value = undefined;
    return request.then(
      () => true,
      (error: unknown) => {
        this.trouble.value = reasonOf(error);
        return false;
      },
    );
  }
}

/** Whether the host has heard of it yet or not: what is forgotten stands once, where it stood. */
function withForgotten(
  memories: readonly MemoryRow[],
  forgotten: readonly Forgotten[],
): readonly ListedMemory[] {
  const gone = new Set(forgotten.map(({ row }) => row.id));
  const listed = memories.map((row) => ({ row, isForgotten: gone.has(row.id) }));
  const known = new Set(memories.map(({ id }) => id));
  const missing = forgotten.filter(({ row }) => !known.has(row.id));
  for (const { row, before } of missing.sort((a, b) => a.before.length - b.before.length)) {
    const last = before.findLast((id) => known.has(id));
    const index = listed.findIndex((other) => other.row.id === last) + 1;
    listed.splice(index, 0, { row, isForgotten: true });
    known.add(row.id);
  }
  return listed;
}
