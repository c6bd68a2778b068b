import { randomBytes } from 'node:crypto';
import type { SqlJsStatic } from 'sql.js';
import type { Memory, MemoryId } from '../../core/model/memory.ts';
import type { FileLocation } from '../../core/ports/files.ts';
import type { MemoryChange, MemoryHit, MemoryStore } from '../../core/ports/memory-store.ts';
import { failureOf } from '../failure-of.ts';
import { JournalFile } from './journal-file.ts';
import { encodeRecord, keptChanges, parseLine } from './journal-record.ts';
import type { JournalRecord } from './journal-record.ts';
import { JournalSize } from './journal-size.ts';
import type { CheckpointAt } from './journal-size.ts';
import { loadStore } from './load-store.ts';
import { putAway } from './put-away.ts';
import type { LoadedStore } from './load-store.ts';
import type { MemoryContents } from './memory-contents.ts';
import { NewerStoreError } from './migrations.ts';
import { fileIdOf, isSameImage } from './store-files.ts';
import type { FilesSeen, StoreFiles } from './store-files.ts';
import type { HeldLock } from './store-lock.ts';
import { StoreTurns } from './store-turns.ts';

/** Longer than anybody needs who does not hang: reading and writing one file. */
const PATIENCE_MS = 20_000;
/** An editor that closes does not wait for long; the journal has it all. */
const LAST_PATIENCE_MS = 500;
/** More checkpoints than can come while one line is written. */
const MOST_TRIES = 20;

export interface DiskMemoryStoreOptions {
  readonly name: string;
  readonly notice: string | undefined;
  readonly sql: SqlJsStatic;
  readonly files: StoreFiles;
  readonly checkpointAt: CheckpointAt;
}

/**
 * A store on this machine's disk, of one window. What is in `#contents` is what the files say up to a place in the
 * journal, in the journal's order: a write too is read back from there, so that all windows agree on which was last.
 */
export class DiskMemoryStore implements MemoryStore {
  readonly name: string;
  readonly notice?: string;
  readonly #options: DiskMemoryStoreOptions;
  readonly #files: StoreFiles;
  readonly #writer = randomBytes(6).toString('hex');
  readonly #forgotten = new Map<MemoryId, Memory>();
  /** records that were not written, though a part of them or more may be in the journal */
  readonly #failed = new Set<number>();
  #seq = 0;
  #contents: MemoryContents;
  #journal: JournalFile | undefined;
  /** which ones `#contents` goes beyond */
  #seen: Pick<FilesSeen, 'image' | 'sealed'>;
  #size: JournalSize;
  #hasNews = false;
  #newer: NewerStoreError | undefined;
  /** what reads or writes the files, one after the other */
  #operations: Promise<unknown> = Promise.resolve();
  /** never waited for by an operation */
  readonly #turns: StoreTurns;
  #disposed: Promise<void> | undefined;
  #isClosed = false;

  constructor(loaded: LoadedStore, options: DiskMemoryStoreOptions) {
    this.#options = options;
    this.#files = options.files;
    this.#turns = new StoreTurns(options.files);
    this.name = options.name;
    if (options.notice !== undefined) this.notice = options.notice;
    this.#contents = loaded.contents;
    this.#journal = loaded.journal;
    this.#seen = loaded.seen;
    this.#size = loaded.size;
  }

  all(): readonly Memory[] {
    return this.#contents.all();
  }

  get(id: MemoryId): Memory | undefined {
    return this.#contents.get(id);
  }

  isForgotten(id: MemoryId): boolean {
    return this.#contents.isForgotten(id);
  }

  forgotten(id: MemoryId): Memory | undefined {
    return this.#contents.isForgotten(id) ? this.#forgotten.get(id) : undefined;
  }

  wasForgotten(text: string): boolean {
    return this.#contents.wasForgotten(text);
  }

  search(query: string, limit: number): readonly MemoryHit[] {
    return this.#contents.search(query, limit);
  }

  baseOf(file: FileLocation): string | undefined {
    return this.#contents.baseOf(file);
  }

  write(changes: readonly MemoryChange[]): Promise<void> {
    return this.#operate(async () => {
      this.#expectWritable();
      const kept = keptChanges(changes, (id) => this.#contents.get(id) ?? this.#forgotten.get(id));
      if (kept.length > 0) await this.#append({ writer: this.#writer, seq: ++this.#seq, changes: kept });
    });
  }

  refresh(): Promise<boolean> {
    return this.#operate(async () => {
      await this.#catchUp();
      const hadNews = this.#hasNews;
      this.#hasNews = false;
      return hadNews;
    });
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take(PATIENCE_MS, async () => {
      await this.#operate(() => this.#catchUp());
      return work();
    });
  }

  dispose(): Promise<void> {
    return (this.#disposed ??= this.#dispose());
  }

  /** Writes the images, and begins the journal anew. Never throws: what it cannot do now is done the next time. */
  async checkpoint(patienceMs = PATIENCE_MS): Promise<void> {
    try {
      await this.#turns.take(patienceMs, (lock) => this.#operate(() => this.#writeImages(lock)));
    } catch {
      // The journals have everything.
    }
  }

  async #dispose(): Promise<void> {
    await this.#operations;
    if (!this.#size.isEmpty || this.#seen.sealed.length > 0) await this.checkpoint(LAST_PATIENCE_MS);
    await this.#turns.settled();
    await this.#operate(async () => {
      this.#isClosed = true;
      await this.#journal?.close();
      this.#contents.close();
    });
  }

  #expectWritable(): void {
    if (this.#isClosed) throw new Error('The project memory is closed.');
    if (this.#newer !== undefined) throw this.#newer;
  }

  async #append(record: JournalRecord): Promise<void> {
    const line = encodeRecord(record);
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1)
      if (await this.#isAppended(line, record.seq)) return;
    throw new Error(`The file system of ${this.#files.folder} does not say which file is which.`);
  }

  /**
   * A checkpoint may seal the journal at any moment, and be through with reading it when the line comes. So whoever has
   * written looks whether it is the journal still, and writes to the next one otherwise: of two, the second is passed over.
   */
  async #isAppended(line: Buffer, seq: number): Promise<boolean> {
    const journal = await this.#journalToAppend();
    if (journal === undefined) return false;
    const unwritten = await failureOf(journal.append(line));
    // The line is there: what comes of it can be looked at while it is flushed.
    const [failure, id, lines] = await Promise.all([
      unwritten ?? failureOf(journal.flush()),
      fileIdOf(this.#files.journal),
      journal.readLines(),
    ]);
    const isCurrent = id === journal.id;
    if (isCurrent && failure !== undefined) this.#failed.add(seq);
    this.#takeLines(lines);
    if (!isCurrent) await this.#catchUp();
    else if (failure !== undefined) throw failure;
    else if (this.#size.isDue(this.#options.checkpointAt) && this.#disposed === undefined)
      this.#turns.soon(() => this.checkpoint());
    return isCurrent;
  }

  async #journalToAppend(): Promise<JournalFile | undefined> {
    if (this.#journal?.canAppend === true) return this.#journal;
    await this.#files.make();
    // It is read from its beginning: records that are known already are passed over.
    const journal = await JournalFile.forAppend(this.#files.journal);
    await this.#journal?.close();
    this.#journal = journal;
    // There was none to hold on to: checkpoints of others may have come and gone.
    await this.#catchUp();
    return this.#journal;
  }

  /** Takes in what the journal has more; after a checkpoint of another window, everything anew. */
  async #catchUp(): Promise<void> {
    if (this.#newer !== undefined || this.#isClosed) return;
    try {
      const seen = await this.#files.look();
      if (this.#isBehind(seen)) return await this.#reload();
      if (this.#journal === undefined && (await this.#isMissed(seen))) return await this.#reload();
      await this.#readOn();
    } catch (error) {
      if (!(error instanceof NewerStoreError)) throw error;
      this.#newer = error;
    }
  }

  /** Whether more has happened than that the journal has grown, or was begun. */
  #isBehind(now: FilesSeen): boolean {
    return !isSameImage(now, this.#seen) || (this.#journal !== undefined && this.#journal.id !== now.journal);
  }

  /**
   * Opens the journal. True where a checkpoint has come since the look. Only of a file that is held open does the id say
   * which one it is: the system gives it away again.
   */
  async #isMissed({ journal }: FilesSeen): Promise<boolean> {
    this.#journal = await JournalFile.existing(this.#files.journal);
    const isThere = this.#journal !== undefined || journal !== undefined;
    return isThere && this.#isBehind(await this.#files.look());
  }

  async #readOn(): Promise<void> {
    this.#takeLines((await this.#journal?.readLines()) ?? []);
  }

  #takeLines(lines: readonly string[]): void {
    this.#size.add(lines);
    for (const line of lines.map(parseLine)) {
      if (line === 'newer') this.#newer ??= new NewerStoreError(this.#files.folder);
      else if (line !== 'damaged') this.#take(line);
    }
  }

  #take(record: JournalRecord): void {
    const isOwn = record.writer === this.#writer;
    if (isOwn && this.#failed.has(record.seq)) return;
    const leaving = record.changes.flatMap((change) =>
      change.kind === 'forget' ? (this.#contents.get(change.id) ?? []) : [],
    );
    const isNew = this.#contents.apply(record, Date.now());
    for (const memory of leaving) this.#forgotten.set(memory.id, memory);
    if (isNew && !isOwn) this.#hasNews = true;
  }

  async #reload(): Promise<void> {
    const before = this.#contents;
    const loaded = await loadStore(this.#files, this.#options.sql);
    for (const memory of before.all())
      if (loaded.contents.isForgotten(memory.id)) this.#forgotten.set(memory.id, memory);
    if (loaded.contents.hasMoreThan(before, this.#writer)) this.#hasNews = true;
    await this.#journal?.close();
    this.#seen = loaded.seen;
    this.#contents = loaded.contents;
    this.#journal = loaded.journal;
    this.#size = loaded.size;
    before.close();
  }

  async #writeImages(lock: HeldLock): Promise<void> {
    await this.#catchUp();
    this.#expectWritable();
    if (!lock.isHeld()) return;
    await this.#seal();
    const image = this.#contents.toImage(Date.now());
    await this.#files.removeDrafts();
    if (!lock.isHeld()) return;
    this.#seen = { ...this.#seen, image: await this.#files.replaceImage(image) };
    if (!lock.isHeld()) return;
    for (const name of this.#seen.sealed) await putAway(this.#files, name);
    this.#seen = { ...this.#seen, sealed: [] };
    this.#size = new JournalSize();
  }

  async #seal(): Promise<void> {
    const name = await this.#files.seal();
    if (name === undefined) return;
    this.#seen = { ...this.#seen, sealed: [...this.#seen.sealed, name] };
    // Others may have written, or begun it, until it got its new name.
    this.#journal ??= await JournalFile.existing(this.#files.at(name));
    await this.#readOn();
    await this.#journal?.close();
    this.#journal = undefined;
  }

  #operate<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#operations.then(work);
    this.#operations = done.catch(() => undefined); // the caller has the error
    return done;
  }
}
