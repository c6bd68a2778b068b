import type { Memory, MemoryId } from '../model/memory.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileLocation } from '../ports/files.ts';
import type { MemoryStore } from '../ports/memory-store.ts';
import type { MemoryDocument } from './document.ts';
import { LinePlaces } from './line-places.ts';
import { viewOfMemory } from './memory-view.ts';
import type { MemoryView } from './memory-view.ts';
import { mergeDocuments } from './merge.ts';
import type { MemoryFile, MemoryFileContent } from './memory-file.ts';
import { idsIn } from './named-alike.ts';
import { parseDocument } from './parse.ts';
import { changesOf, documentOf } from './reconcile.ts';
import { renderDocument } from './render.ts';
import type { TextCounts } from './text-counts.ts';

/** What file and store agree on. */
export interface Synced {
  readonly document: MemoryDocument;
  readonly view: MemoryView;
  /** sentences for a person: what could not be read or written */
  readonly notices: readonly string[];
  /** sentences for a person: both sides were kept */
  readonly conflicts: readonly string[];
}

/** A person's text, and the one it was made from. */
export interface Edit {
  readonly text: string;
  readonly base: string;
}

/** Why file and store are made the same: somebody looks, the store has changed, or a person saves their text. */
export type Occasion = 'look' | 'news' | Edit;

/** How often a file may change under our hands before we leave it for the next time. */
const MOST_TRIES = 5;

const EMPTY = parseDocument('');
const CHANGED = 'MEMORY.md changes all the time, so it was left as it is.';

export interface SyncOptions {
  readonly store: MemoryStore;
  readonly file: MemoryFile;
  readonly clock: Clock;
  readonly newId: () => MemoryId;
  readonly counts: TextCounts;
}

/**
 * Makes MEMORY.md and the store say the same. The text they last agreed on is the base of a three-way merge: what the
 * file says more or less than that, somebody wrote; what the store says more or less, the agent did, or another window.
 *
 * The file is written first and the store second: what a crash between both leaves is taken in as an edit, and changes
 * nothing. The other way round the file's old text would look like somebody's wish to have the new lines gone.
 */
export class MemorySync {
  readonly #options: SyncOptions;
  #version: string | undefined;
  #real: FileLocation | undefined;
  /** the text file and store last agreed on, as it was read */
  #agreed: { readonly text: string; readonly document: MemoryDocument } | undefined;
  /** when the next memory is no longer to be told */
  #nextExpiryMs = Infinity;
  readonly #places = new LinePlaces();
  /** what the file could not be replaced by yet, and why */
  #waiting: { readonly text: string; readonly reason: string } | undefined;
  /** the file that was there when both agreed was not there any more when it was last looked for */
  #isGone = false;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  /** Where the file really is, once it was looked at. */
  get realLocation(): FileLocation | undefined {
    return this.#real;
  }

  /** Whether neither file nor store have changed since the last run. @throws the system's own error */
  async isCurrent(): Promise<boolean> {
    const { store, file } = this.#options;
    const [isStoreChanged, version, real] = await Promise.all([
      store.refresh(),
      file.version(),
      file.realLocation(),
    ]);
    if (isStoreChanged || version !== this.#version || real !== this.#real) return false;
    if (this.#now() >= this.#nextExpiryMs) return false;
    const waiting = this.#waiting;
    return waiting === undefined || (await file.objectionTo(waiting.text)) === waiting.reason;
  }

  /** @throws the system's own error where the store cannot be written, or with an edit where the file cannot */
  run(occasion: Occasion): Promise<Synced> {
    return this.#options.store.exclusively(async () => {
      for (let tries = 1; ; tries += 1) {
        const synced = await this.#once(occasion, tries === MOST_TRIES);
        if (synced !== undefined) return synced;
      }
    });
  }

  /** Undefined where the file has changed between reading and writing. */
  async #once(occasion: Occasion, isLastTry: boolean): Promise<Synced | undefined> {
    const { file } = this.#options;
    const edit = typeof occasion === 'string' ? undefined : occasion;
    this.#version = await file.version();
    this.#real = await file.realLocation();
    const content = await file.read();
    if (content.kind === 'unreadable') return this.#without(content.reason, edit);
    this.#places.note(this.#base());
    const { document, changes, conflicts } = this.#merged(content, edit);
    const view = await this.viewOf(document);
    const text = renderDocument(document, view.endsAt === undefined ? {} : { endsAt: view.endsAt });
    if (content.kind === 'absent' && this.#isLeftGone(occasion, text)) {
      this.#waiting = undefined;
      return { document, view, notices: [], conflicts };
    }
    const trouble = text === textOf(content) ? undefined : await this.#write(content, { text, edit });
    if (trouble === CHANGED && !isLastTry) return undefined;
    this.#waiting = trouble === undefined ? undefined : { text, reason: trouble };
    if (trouble === undefined) {
      await this.#agree(text, changes);
      this.#agreed = { text, document };
      this.#places.note(document);
      this.#isGone = false;
    }
    return { document, view, notices: trouble === undefined ? [] : [trouble], conflicts };
  }

  /**
   * Whether a file that was there when both agreed stays away: somebody has removed it, or git has with another branch,
   * and would find one in its way on the way back. The store speaks until there is something to be written.
   */
  #isLeftGone(occasion: Occasion, text: string): boolean {
    const { store, file } = this.#options;
    const agreed = store.baseOf(file.location) ?? '';
    this.#isGone = agreed.trim() !== '';
    return this.#isGone && (occasion === 'look' || (occasion === 'news' && text === agreed));
  }

  /** What the file says and what the store says, and then a person's text from the panel. */
  #merged(content: Exclude<MemoryFileContent, { readonly kind: 'unreadable' }>, edit: Edit | undefined) {
    const { store, file, newId } = this.#options;
    const memories = this.#memories();
    const agreed = store.baseOf(file.location);
    // Nobody but the store has something to say: merging would come to the same, more slowly.
    if (edit === undefined && (content.kind === 'absent' || content.text === agreed))
      return { document: documentOf(this.#base(), memories, this.#places.items), changes: [], conflicts: [] };
    const said = content.kind === 'text' ? parseDocument(content.text) : this.#base();
    const base = agreed === undefined || this.#isAnother(said) ? this.#known(said) : this.#base();
    const kept = mergeDocuments({ base, mine: said, theirs: this.#ours(base, memories) });
    const edited = edit && mergeDocuments({ ...parsed(edit), theirs: kept.document });
    const { document } = edited ?? kept;
    const reconciled = changesOf({
      ...{ document, memories: [...memories, ...this.#told('proposed')], newId, nowMs: this.#now() },
      isForgotten: (id) => store.isForgotten(id),
      past: (id) => store.get(id) ?? store.forgotten(id),
    });
    return { ...reconciled, conflicts: [...kept.conflicts, ...(edited?.conflicts ?? [])] };
  }

  /** Large ones are not read again for every memory that is written. */
  #base(): MemoryDocument {
    const { store, file } = this.#options;
    const text = store.baseOf(file.location);
    if (text === undefined) return EMPTY;
    if (this.#agreed?.text !== text) this.#agreed = { text, document: parseDocument(text) };
    return this.#agreed.document;
  }

  /** Whether it was written anew where the one that both knew was gone: what it does not say nobody has taken away. */
  #isAnother(said: MemoryDocument): boolean {
    if (!this.#isGone) return false;
    const known = idsIn(this.#base());
    return ![...idsIn(said)].some((id) => known.has(id));
  }

  /**
   * A file that was never looked at from here, as it comes with a clone or another worktree: of what the store knows or
   * has forgotten, the store knows better.
   */
  #known(document: MemoryDocument): MemoryDocument {
    const { store } = this.#options;
    const isKnown = (id: string | undefined) =>
      id !== undefined && (store.get(id) !== undefined || store.isForgotten(id));
    return {
      ...document,
      items: document.items.filter((item) => item.kind === 'memory' && isKnown(item.id)),
      learnt: document.learnt.filter(({ id }) => isKnown(id)),
    };
  }

  /** What the store says. It has no say in how the file's lines end, which a document without any does not tell. */
  #ours(base: MemoryDocument, memories: readonly Memory[]): MemoryDocument {
    const { eol, hasBom } = base;
    return { ...documentOf(base, memories, this.#places.items), eol, hasBom };
  }

  /** Those that MEMORY.md is to hold. */
  #memories(): readonly Memory[] {
    const now = this.#now();
    const memories = this.#options.store.all();
    const ends = memories.flatMap(({ expiresMs }) => (expiresMs === undefined ? [] : [expiresMs]));
    this.#nextExpiryMs = Math.min(...ends.filter((end) => end > now));
    return this.#told('active');
  }

  #told(wanted: Memory['status']): readonly Memory[] {
    const now = this.#now();
    return this.#options.store
      .all()
      .filter(({ status, expiresMs }) => status === wanted && (expiresMs === undefined || expiresMs > now));
  }

  /** What went wrong, as a sentence. @throws it where a person wants to save: they keep their text */
  async #write(
    content: MemoryFileContent,
    { text, edit }: { readonly text: string; readonly edit: Edit | undefined },
  ): Promise<string | undefined> {
    const { file } = this.#options;
    const fail = (sentence: string) => {
      if (edit !== undefined) throw new Error(`${sentence} Nothing was saved.`);
      return sentence;
    };
    const objection = await file.objectionTo(text);
    if (objection !== undefined) return fail(objection);
    try {
      return (await file.replace(content, text)) ? undefined : CHANGED;
    } catch (error) {
      return fail(`${file.path} could not be written: ${(error as Error).message}.`);
    }
  }

  async #agree(text: string, changes: Parameters<SyncOptions['store']['write']>[0]): Promise<void> {
    const { store, file } = this.#options;
    const isNew = (store.baseOf(file.location) ?? '') !== text;
    if (changes.length > 0 || isNew)
      await store.write([
        ...changes,
        ...(isNew ? [{ kind: 'base' as const, file: file.location, text }] : []),
      ]);
    this.#version = await file.version();
    this.#real = await file.realLocation();
  }

  /** There is a file that is not ours to read: the store speaks alone, and the file stays as it is. */
  async #without(reason: string, edit: Edit | undefined): Promise<Synced> {
    if (edit !== undefined) throw new Error(`${reason} Nothing was saved.`);
    const document = documentOf(this.#base(), this.#memories(), this.#places.items);
    return { document, view: await this.viewOf(document), notices: [reason], conflicts: [] };
  }

  /** What the model would see of a document. */
  viewOf(document: MemoryDocument): Promise<MemoryView> {
    const { counts, store } = this.#options;
    return counts.counted((tokensOf) =>
      viewOfMemory(document, { memories: store.all(), tokensOf, nowMs: this.#now() }),
    );
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }
}

function parsed({ base, text }: Edit) {
  return { base: parseDocument(base), mine: parseDocument(text) };
}

function textOf(content: MemoryFileContent): string {
  return content.kind === 'text' ? content.text : '';
}
