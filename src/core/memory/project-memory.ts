import type { Memory, MemoryId } from '../model/memory.ts';
import { MAX_MEMORY_FILE } from '../model/memory.ts';
import type { FileLocation } from '../ports/files.ts';
import type { MemoryChange, MemoryStore } from '../ports/memory-store.ts';
import type { ForgetAnswer, MemoryAnswer, MemoryDraft, ProjectMemoryPort } from '../ports/project-memory.ts';
import { isNearlySame, objectionToEdit, objectionToText, sameText } from './checks.ts';
import type { MemoryDocument } from './document.ts';
import { memoryOf, reinforced } from './drafted.ts';
import type { MemoryFile } from './memory-file.ts';
import { MemorySync } from './memory-sync.ts';
import type { Occasion, Synced, SyncOptions } from './memory-sync.ts';
import type { MemoryView } from './memory-view.ts';
import { parseDocument } from './parse.ts';
import { renderDocument } from './render.ts';
import { tidyText } from './tidy.ts';
import { toldBy, ToldMemories } from './told-memories.ts';
import { byteLength } from './view-lines.ts';

export interface ProjectMemoryOptions extends SyncOptions {
  /** whether what the extractor proposes is remembered without asking; read at each proposal */
  readonly isAutomatic: () => boolean;
  /** hears that store or file have changed, whoever changed them; must not throw */
  readonly onChanged: () => void;
}

/** What a person sees of it. */
export interface MemorySnapshot {
  /** MEMORY.md as file and store agree on it, without the mark where the view ends */
  readonly text: string;
  readonly document: MemoryDocument;
  readonly view: MemoryView;
  readonly memories: readonly Memory[];
  readonly proposals: readonly Memory[];
  readonly notices: readonly string[];
}

/**
 * A project's memory: what the store holds and what MEMORY.md says, kept the same. Whatever was said by a person, by the
 * agent, through git or in another window meets here, one at a time and across windows, and nothing is lost of it.
 */
export class ProjectMemory implements ProjectMemoryPort {
  readonly #options: ProjectMemoryOptions;
  readonly #sync: MemorySync;
  readonly #told = new ToldMemories();
  #last: Synced | undefined;
  #trouble: string | undefined;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: ProjectMemoryOptions) {
    this.#options = options;
    this.#sync = new MemorySync(options);
  }

  get file(): MemoryFile {
    return this.#options.file;
  }

  get store(): MemoryStore {
    return this.#options.store;
  }

  /**
   * What the prompt says of it, which is what the model is told. Never throws: the agent works without its memory rather
   * than not at all.
   */
  async section(): Promise<string | undefined> {
    try {
      const { document, view } = await this.refresh();
      this.#told.note(toldBy(document, view));
      return view.text;
    } catch (error) {
      this.#trouble = `The memory cannot be read: ${(error as Error).message}`;
      return this.#last?.view.text;
    }
  }

  /** Takes in what has changed in the file or in other windows. @throws the system's own error */
  refresh(): Promise<MemorySnapshot> {
    return this.#inOrder(async () => {
      await this.#look();
      return this.#snapshot();
    });
  }

  /** Merges a person's text into file and store. Resolves to what was in conflict: both sides were kept. */
  save(text: string, base: string): Promise<readonly string[]> {
    // A text field knows one kind of line end only: that the others are gone is nobody's wish.
    const from = text.includes('\r') ? base : base.replaceAll('\r\n', '\n');
    return this.#inOrder(async () => {
      if (byteLength(text) > MAX_MEMORY_FILE)
        throw new RangeError(
          `MEMORY.md may have at most ${MAX_MEMORY_FILE.toLocaleString('en')} bytes. Nothing was saved.`,
        );
      return (await this.#run({ text, base: from })).conflicts;
    });
  }

  /** What a text of MEMORY.md would take in the prompt, and where the view of it would end. */
  measure(text: string): Promise<{ readonly document: MemoryDocument; readonly view: MemoryView }> {
    const document = parseDocument(text);
    return this.#sync.viewOf(document).then((view) => ({ document, view }));
  }

  write(draft: MemoryDraft): Promise<MemoryAnswer> {
    return this.#add(draft, { source: 'agent', status: 'active' });
  }

  async propose(drafts: readonly MemoryDraft[]): Promise<void> {
    const status = this.#options.isAutomatic() ? 'active' : 'proposed';
    for (const draft of drafts) {
      if (this.#options.store.wasForgotten(draft.text)) continue;
      await this.#add(draft, { source: 'extractor', status });
    }
  }

  async search(query: string, limit: number): Promise<readonly Memory[]> {
    await this.refresh();
    const found =
      query.trim() === ''
        ? this.#active().sort((a, b) => b.importance - a.importance || b.updatedMs - a.updatedMs)
        : this.#options.store.search(query, limit).map(({ memory }) => memory);
    const given = found.filter((memory) => this.#holds(memory)).slice(0, limit);
    if (given.length > 0) await this.#noteUse(given);
    return given;
  }

  noteTold(shown: readonly Memory[]): void {
    this.#told.note(shown);
  }

  forgetTold(what: string): Promise<ForgetAnswer> {
    return this.#inOrder(async (): Promise<ForgetAnswer> => {
      await this.#look();
      const memory = this.#find(what);
      if (memory === undefined) return { kind: 'unknown' };
      const reason = this.#told.objectionToForget(memory, what);
      if (reason !== undefined) return { kind: 'refused', reason };
      await this.#write([{ kind: 'forget', id: memory.id, atMs: this.#now() }]);
      return { kind: 'forgotten', memory };
    });
  }

  /** For a person, who sees what they do. @param what as for {@link forgetTold}. Resolves to what was forgotten */
  async forget(what: string): Promise<Memory | undefined> {
    const known = this.#find(what);
    if (known === undefined) return undefined;
    await this.#change([{ kind: 'forget', id: known.id, atMs: this.#now() }]);
    return known;
  }

  /** Takes back that it was forgotten. False where its words are gone. */
  async restore(id: MemoryId): Promise<boolean> {
    if (this.#options.store.forgotten(id) === undefined) return false;
    await this.#change([{ kind: 'restore', id }]);
    return true;
  }

  /** Gives a memory another rank, or takes a proposal in. @throws RangeError where there is none of this id */
  revise(id: MemoryId, change: Partial<Pick<Memory, 'importance' | 'isPinned' | 'status' | 'text'>>) {
    return this.#inOrder(async () => {
      await this.#look(); // what is put holds all of a memory: also what another window has just made of it
      const known = this.#options.store.get(id);
      if (known === undefined) throw new RangeError('This memory is no longer there.');
      const text = change.text === undefined ? known.text : tidyText(change.text);
      const objection = change.text === undefined ? undefined : objectionToText(text);
      if (objection !== undefined) throw new RangeError(objection);
      const updatedMs = text === known.text ? known.updatedMs : this.#now();
      await this.#write([{ kind: 'put', memory: { ...known, ...change, text, updatedMs } }]);
    });
  }

  objectionTo(file: FileLocation, before: string, after: string): string | undefined {
    return file === this.#sync.realLocation ? objectionToEdit(before, after) : undefined;
  }

  async #add(draft: MemoryDraft, as: Pick<Memory, 'source' | 'status'>): Promise<MemoryAnswer> {
    const text = tidyText(draft.text);
    const objection = objectionToText(text);
    if (objection !== undefined) return { kind: 'refused', reason: objection };
    return this.#inOrder(async () => {
      await this.#look();
      const answer = await this.#added({ ...draft, text }, as);
      if (answer.kind !== 'refused' && as.source === 'agent') this.#told.note([answer.memory]);
      return answer;
    });
  }

  /** @param draft with its text tidied */
  async #added(draft: MemoryDraft, as: Pick<Memory, 'source' | 'status'>): Promise<MemoryAnswer> {
    // The agent may have learnt that a word of it is another one now; who proposes it again has only said it otherwise.
    const isSame = as.source === 'agent' ? sameText : isNearlySame;
    const known = this.#options.store
      .all()
      .find(
        (memory) => memory.id !== draft.replaces && this.#holds(memory) && isSame(memory.text, draft.text),
      );
    if (known !== undefined && (known.status === 'active' || as.status === 'proposed'))
      return this.#reinforce(known, draft);
    const memory = memoryOf(draft, { id: this.#options.newId(), nowMs: this.#now(), ...as });
    const replaced = draft.replaces === undefined ? undefined : this.#options.store.get(draft.replaces);
    if (draft.replaces !== undefined && replaced === undefined)
      return { kind: 'refused', reason: `There is no memory ${draft.replaces} to replace.` };
    const reason = replaced && this.#told.objectionToReplace(replaced);
    if (reason !== undefined) return { kind: 'refused', reason };
    await this.#write([
      ...(replaced ? [{ kind: 'forget' as const, id: replaced.id, atMs: this.#now() }] : []),
      { kind: 'put', memory },
    ]);
    return { kind: 'written', memory };
  }

  async #reinforce(known: Memory, draft: MemoryDraft): Promise<MemoryAnswer> {
    const memory = reinforced(known, draft, this.#now());
    if (memory === known) await this.#noteUse([known]);
    else
      await this.#write([
        { kind: 'put', memory },
        { kind: 'used', ids: [known.id], atMs: this.#now() },
      ]);
    return { kind: 'known', memory };
  }

  #holds({ expiresMs }: Memory): boolean {
    return expiresMs === undefined || expiresMs > this.#now();
  }

  /** That it was of use is worth a line in the store, and no failure. */
  async #noteUse(memories: readonly Memory[]): Promise<void> {
    const ids = memories.map(({ id }) => id);
    await this.#options.store.write([{ kind: 'used', ids, atMs: this.#now() }]).catch(() => undefined);
  }

  #change(changes: readonly MemoryChange[]): Promise<void> {
    return this.#inOrder(() => this.#write(changes));
  }

  /** What is written is safe in the store; the file follows, and a file that cannot be written waits for the next time. */
  async #write(changes: readonly MemoryChange[]): Promise<void> {
    await this.#options.store.write(changes);
    await this.#run('news');
  }

  async #look(): Promise<void> {
    if (this.#last === undefined || !(await this.#sync.isCurrent())) await this.#run('look');
  }

  async #run(occasion: Occasion): Promise<Synced> {
    const synced = await this.#sync.run(occasion);
    this.#last = synced;
    this.#trouble = undefined;
    this.#options.onChanged();
    return synced;
  }

  #snapshot(): MemorySnapshot {
    const synced = this.#last;
    if (synced === undefined) throw new Error('The memory has not been read yet.');
    const { store } = this.#options;
    const proposals = store.all().filter(({ status }) => status === 'proposed');
    return {
      text: renderDocument(synced.document),
      document: synced.document,
      view: synced.view,
      memories: this.#active(),
      proposals: proposals.sort((a, b) => a.createdMs - b.createdMs || a.id.localeCompare(b.id)),
      notices: [store.notice, this.#trouble, ...synced.notices].filter((notice) => notice !== undefined),
    };
  }

  #find(what: string): Memory | undefined {
    const active = this.#active();
    return (
      this.#options.store.get(what) ??
      active.find(({ text }) => text === what) ??
      active.find(({ text }) => sameText(text, what))
    );
  }

  #active(): Memory[] {
    return this.#options.store.all().filter(({ status }) => status === 'active');
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => undefined); // the caller has the error
    return done;
  }
}
