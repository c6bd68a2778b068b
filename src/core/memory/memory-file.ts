import { MAX_MEMORY_FILE } from '../model/memory.ts';
import { pathInside } from '../model/path-inside.ts';
import type { FileLocation, FilePort } from '../ports/files.ts';

export type MemoryFileContent =
  | { readonly kind: 'text'; readonly text: string }
  /** not there, or with nothing in it */
  | { readonly kind: 'absent' }
  /** there is something that is not ours to read or write over; a sentence for a person */
  | { readonly kind: 'unreadable'; readonly reason: string };

export interface MemoryFileOptions {
  readonly files: FilePort;
  /** the folder that it must not lead out of */
  readonly root: FileLocation;
  /** below the root, forward slashes */
  readonly path: string;
  /** whether somebody has changes of it that are not saved: written over, their text would be the older one */
  readonly isBeingEdited?: (file: FileLocation) => boolean;
}

/** MEMORY.md on its file system: read within bounds, and written only over what was read. */
export class MemoryFile {
  readonly path: string;
  readonly location: FileLocation;
  readonly #files: FilePort;
  readonly #root: FileLocation;
  readonly #isBeingEdited: (file: FileLocation) => boolean;

  constructor({ files, root, path, isBeingEdited = () => false }: MemoryFileOptions) {
    this.#files = files;
    this.#root = root;
    this.path = path;
    this.#isBeingEdited = isBeingEdited;
    this.location = `${root.replace(/\/$/, '')}/${path}`;
  }

  get isBeingEdited(): boolean {
    return this.#isBeingEdited(this.location);
  }

  /** Says whether the file is as it was; undefined where that cannot be known. */
  async version(): Promise<string | undefined> {
    const stat = await this.#files.stat(this.location).catch(() => undefined);
    return stat && `${stat.kind} ${stat.size} ${stat.modifiedMs}`;
  }

  /** With its links resolved; undefined where that cannot be known. */
  realLocation(): Promise<FileLocation | undefined> {
    return this.#files.realPath(this.location).catch(() => undefined);
  }

  /** Never throws: a file that cannot be read must not stop the agent. */
  async read(): Promise<MemoryFileContent> {
    try {
      return await this.#read();
    } catch (error) {
      return this.#unreadable(`could not be read: ${(error as Error).message}`);
    }
  }

  /**
   * Replaces `expected` by `text`. False where the file says something else by now: then it is to be read again.
   * @throws the system's own error
   */
  async replace(expected: MemoryFileContent, text: string): Promise<boolean> {
    const now = await this.read();
    if (now.kind !== expected.kind) return false;
    if (now.kind === 'text' && expected.kind === 'text' && now.text !== expected.text) return false;
    await this.#files.write(this.location, new TextEncoder().encode(text));
    return true;
  }

  async #read(): Promise<MemoryFileContent> {
    const stat = await this.#files.stat(this.location);
    if (stat === undefined) return (await this.#isInside()) ? { kind: 'absent' } : this.#outside();
    if (stat.kind !== 'file') return this.#unreadable('is not a file');
    if (!(await this.#isInside())) return this.#outside();
    if (stat.size === 0) return { kind: 'absent' };
    if (stat.size > MAX_MEMORY_FILE)
      return this.#unreadable(
        `has ${stat.size.toLocaleString('en')} bytes; more than ${MAX_MEMORY_FILE.toLocaleString('en')} are not read`,
      );
    const bytes = await this.#files.read(this.location);
    const text = decode(bytes);
    if (text === undefined) return this.#unreadable('is not text in UTF-8');
    return { kind: 'text', text };
  }

  /** What a link leads to outside of the folder is not the project's to read or write. */
  async #isInside(): Promise<boolean> {
    const [root, real] = await Promise.all([
      this.#files.realPath(this.#root),
      this.#files.realPath(this.location),
    ]);
    return pathInside(root, real) !== undefined;
  }

  #outside(): MemoryFileContent {
    return this.#unreadable('leads out of the folder');
  }

  #unreadable(what: string): MemoryFileContent {
    return { kind: 'unreadable', reason: `${this.path} ${what}.` };
  }
}

/** The byte order mark is part of the text: it is written back. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
