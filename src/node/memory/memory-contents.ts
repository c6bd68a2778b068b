import type { Memory, MemoryId } from '../../core/model/memory.ts';
import { assertNever } from '../../core/model/assert-never.ts';
import type { MemoryHit } from '../../core/ports/memory-store.ts';
import { sha256 } from '../hash.ts';
import type { JournalRecord, KeptChange } from './journal-record.ts';
import type { MemoryTables } from './memory-tables.ts';
import { WordIndex } from './word-index.ts';

/** Important memories come a little before others that match as well. */
const BOOST_PER_RANK = 0.08;
const MIDDLE_RANK = 3;

/** Milliseconds for which a store that is being opened holds up everything else. */
const SLICE_MS = 8;

/** What is in a store: the database, and beside it what is asked for all the time. Records make it what it is. */
export class MemoryContents {
  /** rows of the image that were no memories, and are not there any more */
  damagedRows = 0;
  readonly #tables: MemoryTables;
  readonly #memories = new Map<MemoryId, Memory>();
  readonly #index = new WordIndex();
  /** the hash of its text by the id of what was forgotten */
  readonly #hashes = new Map<MemoryId, string>();
  readonly #views: Map<string, string>;
  readonly #writers: Map<string, number>;

  private constructor(tables: MemoryTables) {
    this.#tables = tables;
    for (const [id, hash] of tables.forgotten()) this.#hashes.set(id, hash);
    this.#views = new Map(tables.views());
    this.#writers = new Map(tables.writers());
  }

  /** Reads all of it, in slices between which others have their turn. */
  static async of(tables: MemoryTables): Promise<MemoryContents> {
    const contents = new MemoryContents(tables);
    let begun = performance.now();
    for (const memory of tables.memories()) {
      if (memory === undefined) contents.damagedRows += 1;
      else contents.#enter(memory);
      if (performance.now() - begun < SLICE_MS) continue;
      await new Promise(setImmediate);
      begun = performance.now();
    }
    return contents;
  }

  all(): readonly Memory[] {
    return [...this.#memories.values()];
  }

  get(id: MemoryId): Memory | undefined {
    return this.#memories.get(id);
  }

  isForgotten(id: MemoryId): boolean {
    return this.#hashes.has(id);
  }

  wasForgotten(text: string): boolean {
    const hash = hashOf(text);
    for (const known of this.#hashes.values()) if (known === hash) return true;
    return false;
  }

  baseOf(file: string): string | undefined {
    return this.#views.get(file);
  }

  search(query: string, limit: number): readonly MemoryHit[] {
    const found = this.#index.search(query, limit, (id) => this.#boostOf(id));
    return found.flatMap(({ id, score }) => {
      const memory = this.#memories.get(id);
      return memory === undefined ? [] : [{ memory, score }];
    });
  }

  /** The number of the writer's last record that is in here; 0 for none. */
  lastOf(writer: string): number {
    return this.#writers.get(writer) ?? 0;
  }

  /** Whether there is a record of another writer in here that is not in `before`. */
  hasMoreThan(before: MemoryContents, own: string): boolean {
    return [...this.#writers].some(([writer, seq]) => writer !== own && seq > before.lastOf(writer));
  }

  /** False for a record that is in here already. */
  apply({ writer, seq, changes }: JournalRecord, nowMs: number): boolean {
    if (seq <= this.lastOf(writer)) return false;
    for (const change of changes) this.#change(change);
    this.#writers.set(writer, seq);
    this.#tables.setWriter(writer, seq, nowMs);
    return true;
  }

  toImage(nowMs: number): Uint8Array {
    return this.#tables.toBytes(nowMs);
  }

  close(): void {
    this.#tables.close();
  }

  #change(change: KeptChange): void {
    switch (change.kind) {
      case 'put':
        return this.#put(change.memory);
      case 'forget':
        return this.#forget(change.id, change.atMs);
      case 'used':
        return change.ids.forEach((id) => this.#use(id, change.atMs));
      case 'base':
        if (change.text === undefined) this.#views.delete(change.file);
        else this.#views.set(change.file, change.text);
        return this.#tables.setView(change.file, change.text);
      default:
        return assertNever(change);
    }
  }

  #put(memory: Memory): void {
    this.#enter(memory);
    this.#hashes.delete(memory.id);
    this.#tables.put(memory);
  }

  #forget(id: MemoryId, atMs: number): void {
    const memory = this.#memories.get(id);
    // Of what is not here there are no words to be known again.
    const hash = memory === undefined ? (this.#hashes.get(id) ?? '') : hashOf(memory.text);
    this.#leave(id);
    this.#hashes.set(id, hash);
    this.#tables.forget(id, hash, atMs);
  }

  #use(id: MemoryId, atMs: number): void {
    const memory = this.#memories.get(id);
    if (memory === undefined) return;
    const used = { ...memory, uses: memory.uses + 1, usedMs: Math.max(atMs, memory.usedMs ?? 0) };
    this.#memories.set(id, used);
    this.#tables.put(used);
  }

  #enter(memory: Memory): void {
    const before = this.#memories.get(memory.id);
    this.#memories.set(memory.id, memory);
    if (before?.text === memory.text && before.status === memory.status) return;
    if (before !== undefined) this.#index.remove(before.id, before.text);
    if (memory.status === 'active') this.#index.add(memory.id, memory.text);
  }

  #leave(id: MemoryId): void {
    const memory = this.#memories.get(id);
    if (memory === undefined) return;
    this.#memories.delete(id);
    this.#index.remove(id, memory.text);
  }

  #boostOf(id: MemoryId): number {
    const importance = this.#memories.get(id)?.importance ?? MIDDLE_RANK;
    return 1 + BOOST_PER_RANK * (importance - MIDDLE_RANK);
  }
}

/** The same for texts that differ in case, spaces or punctuation at their ends only. */
function hashOf(text: string): string {
  const plain = text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
  return sha256(withoutEnds(plain) || plain);
}

const END = /[\s\p{P}\p{S}]/u;

/** By hand: an expression that looks for the end of a text begins anew at every character like one. */
function withoutEnds(text: string): string {
  const characters = [...text];
  const start = characters.findIndex((character) => !END.test(character));
  const end = characters.findLastIndex((character) => !END.test(character));
  return characters.slice(Math.max(0, start), end + 1).join('');
}
