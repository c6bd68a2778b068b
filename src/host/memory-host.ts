import path from 'node:path';
import * as vscode from 'vscode';
import { estimateTokens } from '../core/context/estimate-tokens.ts';
import { MemoryFile } from '../core/memory/memory-file.ts';
import { ProjectMemory } from '../core/memory/project-memory.ts';
import { TextCounts } from '../core/memory/text-counts.ts';
import type { FileLocation, WorkspaceRoot } from '../core/ports/files.ts';
import type { ProjectMemoryPort } from '../core/ports/project-memory.ts';
import type { TokenCounter } from '../core/ports/token-counter.ts';
import { systemClock } from '../node/clock.ts';
import { createDiskFiles } from '../node/disk-files.ts';
import { sha256 } from '../node/hash.ts';
import { DraftFile } from '../node/memory/draft-file.ts';
import { loadSql } from '../node/memory/load-sql.ts';
import { newMemoryId } from '../node/memory/memory-id.ts';
import { openMemoryStore } from '../node/memory/open-memory-store.ts';
import { projectOf } from '../node/memory/project-key.ts';
import type { MemoryDraft } from '../protocol/memory.ts';

import { isOnDisk, uriOf } from './locations.ts';
import { readSettings } from './settings.ts';
import { routedFiles } from './workspace-files.ts';
import { workspace } from './workspace.ts';

/** Several changes of a file within so many milliseconds are one. */
const SETTLE_MS = 150;

export interface MemoryHostOptions {
  /** the product's own folder on this machine */
  readonly storage: string;
  /** where the product's bundles are */
  readonly dist: string;
  readonly counter: TokenCounter;
  /** hears that the memory has changed, or that there is another one or none; must not throw */
  readonly onChanged: () => void;
}

/** A project's memory, and what a person calls the store it is in. */
export interface OpenMemory {
  readonly memory: ProjectMemory;
  readonly store: string;
  readonly path: string;
}

interface Opened extends OpenMemory {
  readonly key: string;
  readonly draft: DraftFile;
  readonly watch: vscode.Disposable;
}

/** What a change of the memory is seen by. */
interface Watched {
  /** the store's, on this machine */
  readonly folder: string;
  /** where the file really is, if that is known */
  readonly real: FileLocation | undefined;
}

/** The memory of the project that is open: the first folder's, as long as the folder is trusted. */
export class MemoryHost implements vscode.Disposable {
  readonly #options: MemoryHostOptions;
  #opened: Opened | undefined;
  /** it could not be opened when it was last asked for */
  #isUnavailable = false;
  #tail: Promise<unknown> = Promise.resolve();
  #settling: NodeJS.Timeout | undefined;

  constructor(options: MemoryHostOptions) {
    this.#options = options;
  }

  /** Undefined where there is none: no folder, or one that is not trusted. @throws where the store cannot be opened */
  current(): Promise<OpenMemory | undefined> {
    const done = this.#tail.then(() => this.#current());
    this.#tail = done.catch(() => undefined); // the caller has the error
    return done;
  }

  /** What the prompt says of the memory. Never throws. */
  async section(): Promise<string | undefined> {
    const open = await this.current().catch(() => undefined);
    return open?.memory.section();
  }

  /** For the agent's tools, whatever is open when they use it. Rejects with a sentence for the model where nothing is. */
  readonly port: ProjectMemoryPort = {
    isUnavailable: () => this.#isUnavailable,
    write: async (draft) => (await this.#needed()).write(draft),
    propose: async (drafts) => (await this.#needed()).propose(drafts),
    search: async (query, limit) => (await this.#needed()).search(query, limit),
    noteTold: (shown) => this.#opened?.memory.noteTold(shown),
    forgetTold: async (what) => (await this.#needed()).forgetTold(what),
    objectionTo: (file, before, after) => this.#opened?.memory.objectionTo(file, before, after),
  };

  dispose(): void {
    clearTimeout(this.#settling);
    this.#opened?.watch.dispose();
  }

  /** Resolves when the store is at rest. */
  async close(): Promise<void> {
    this.dispose();
    await this.#tail;
    await this.#opened?.memory.store.dispose();
    this.#opened = undefined;
  }

  async #needed(): Promise<ProjectMemory> {
    const open = await this.current();
    if (open === undefined)
      throw new Error('There is no project memory here: no folder is open, or it is not trusted.');
    return open.memory;
  }

  /** What was typed into the Memory tab and not saved. */
  async draft(): Promise<MemoryDraft | undefined> {
    await this.current();
    return this.#opened?.draft.load();
  }

  async keepDraft(draft: MemoryDraft | undefined): Promise<void> {
    await this.current();
    await this.#opened?.draft.keep(draft);
  }

  async #current(): Promise<Opened | undefined> {
    const [root] = workspace.roots();
    const isWanted = root !== undefined && workspace.isTrusted();
    const { path: file } = readSettings().memory;
    const key = isWanted ? `${root.location}\n${file}` : '';
    if (this.#opened?.key === key) return this.#opened;
    const before = this.#opened;
    this.#opened = undefined;
    before?.watch.dispose();
    await before?.memory.store.dispose();
    this.#isUnavailable = isWanted;
    if (isWanted) this.#opened = await this.#open(root, { key, file });
    this.#isUnavailable = false;
    return this.#opened;
  }

  async #open(
    root: WorkspaceRoot,
    { key, file }: { readonly key: string; readonly file: string },
  ): Promise<Opened> {
    const project = isOnDisk(root.location)
      ? await projectOf(root.location)
      : { key: sha256(root.location).slice(0, 32), name: root.name, isShared: false };
    const folder = path.join(this.#options.storage, 'memory', project.key);
    const store = await openMemoryStore({
      folder,
      name: project.name,
      loadSql: () => loadSql(this.#options.dist),
    });
    const memory = new ProjectMemory({
      store,
      file: new MemoryFile({
        ...{ files: routedFiles(createDiskFiles()), root: root.location, path: file },
        isBeingEdited,
      }),
      clock: systemClock,
      newId: newMemoryId,
      counts: new TextCounts(this.#options.counter, estimateTokens),
      isAutomatic: () => readSettings().memory.extract === 'automatic',
      onChanged: this.#options.onChanged,
    });
    return {
      memory,
      key,
      draft: new DraftFile(folder, memory.file.location),
      store: project.isShared ? `${project.name}, shared by its worktrees` : project.name,
      path: file,
      watch: this.#watch(memory, { folder, real: await memory.file.realLocation() }),
    };
  }

  /** What git, an editor tab or another window do is taken in at once, not with the next request only. */
  #watch(memory: ProjectMemory, { folder, real }: Watched): vscode.Disposable {
    const { location } = memory.file;
    // What a link leads to changes without the link.
    const files = [...new Set([location, real ?? location])].map(uriOf);
    const watchers = [
      ...files.map(
        (file) => new vscode.RelativePattern(vscode.Uri.joinPath(file, '..'), path.posix.basename(file.path)),
      ),
      new vscode.RelativePattern(vscode.Uri.file(folder), '*.jsonl'),
    ].map((pattern) => vscode.workspace.createFileSystemWatcher(pattern));
    const changed = () => this.#settle(memory);
    const isOurs = ({ uri }: vscode.TextDocument) => files.some((file) => file.toString() === uri.toString());
    const released = (document: vscode.TextDocument) => void (isOurs(document) && changed());
    const subscriptions = watchers.flatMap((watcher) => [
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
    ]);
    return vscode.Disposable.from(
      ...watchers,
      ...subscriptions,
      vscode.workspace.onDidCloseTextDocument(released),
      vscode.workspace.onDidSaveTextDocument(released),
    );
  }

  #settle(memory: ProjectMemory): void {
    clearTimeout(this.#settling);
    // What cannot be read now is read, and its trouble told, when the memory is next asked for.
    this.#settling = setTimeout(() => void memory.refresh().catch(() => undefined), SETTLE_MS);
  }
}

/** In an editor tab, with changes that are not saved. */
function isBeingEdited(file: FileLocation): boolean {
  const uri = uriOf(file).toString();
  return vscode.workspace.textDocuments.some(
    (document) => document.isDirty && document.uri.toString() === uri,
  );
}
