import { MAX_MEMORY_FILE } from '../model/memory.ts';
import { pathInside } from '../model/path-inside.ts';
import type { FileLocation, FilePort } from '../ports/files.ts';
import { objectionToPlace } from './memory-path.ts';

export type MemoryFileContent =
  | { readonly kind: 'text'; readonly text: string }
  /** not there, or with nothing in it but blanks and line ends */
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

const NO_TEXT = 'is not text in UTF-8';

/** MEMORY.md on its file system: read within bounds, and written only over what was read. */
export class MemoryFile {
  readonly path: string;
  readonly location: FileLocation;
  readonly #files: FilePort;
  readonly #root: FileLocation;
  readonly #isBeingEdited: (file: FileLocation) => boolean;

  constructor({ files, root, path, isBeingEdited = () => false }: MemoryFileOptions) {
    this.#files = files;
    this.#root = root.replace(/\/$/, '');
    this.path = path;
    this.#isBeingEdited = isBeingEdited;
    this.location = `${this.#root}/${path}`;
  }

  /** Says whether the file is as it was; undefined where that cannot be known. */
  async version(): Promise<string | undefined> {
    const stat = await this.#files.stat(this.location).catch(() => undefined);
    return stat && `${stat.kind} ${stat.size} ${stat.modifiedMs} ${stat.isReadOnly === true}`;
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

  /** Why it is not to be replaced by `text` now: a sentence for a person. Undefined: it may. Never throws. */
  async objectionTo(text: string): Promise<string | undefined> {
    const real = await this.realLocation();
    const isBeingEdited =
      this.#isBeingEdited(this.location) || (real !== undefined && this.#isBeingEdited(real));
    if (isBeingEdited) return `${this.path} has changes in an editor tab that are not saved.`;
    const stat = await this.#files.stat(this.location).catch(() => undefined); // writing it will say why
    if (stat?.isReadOnly === true) return `${this.path} is read-only, so it was left as it is.`;
    // What could not be read again would be lost to the memory.
    const fault = faultOfSize(encode(text).length) ?? faultOf(text);
    return fault && `${this.path} was left as it is: with what is new it ${fault}.`;
  }

  /**
   * Replaces `expected` by `text`, where a link leads to too. False where the file says something else by now: then it
   * is to be read again.
   * @throws the system's own error
   */
  async replace(expected: MemoryFileContent, text: string): Promise<boolean> {
    const now = await this.read();
    if (now.kind !== expected.kind) return false;
    if (now.kind === 'text' && expected.kind === 'text' && now.text !== expected.text) return false;
    const place = await this.#place();
    if ('fault' in place) return false;
    await this.#files.write(place.real, encode(text));
    return true;
  }

  async #read(): Promise<MemoryFileContent> {
    const stat = await this.#files.stat(this.location);
    if (stat !== undefined && stat.kind !== 'file') return this.#unreadable('is not a file');
    const place = await this.#place();
    if ('fault' in place) return this.#unreadable(place.fault);
    if (stat === undefined)
      return (await this.#isDangling()) ? this.#unreadable('leads to nothing') : { kind: 'absent' };
    const tooLarge = faultOfSize(stat.size);
    if (tooLarge !== undefined) return this.#unreadable(tooLarge);
    const text = decode(await this.#files.read(place.real));
    if (text === undefined) return this.#unreadable(NO_TEXT);
    if (text.trim() === '') return { kind: 'absent' };
    const fault = faultOf(text);
    return fault === undefined ? { kind: 'text', text } : this.#unreadable(fault);
  }

  /** Where it really is. What a link leads to outside of the folder is not the project's to read or write. */
  async #place(): Promise<{ readonly real: FileLocation } | { readonly fault: string }> {
    const [root, real] = await Promise.all([
      this.#files.realPath(this.#root),
      this.#files.realPath(this.location),
    ]);
    const path = pathInside(root, real);
    if (path === undefined) return { fault: 'leads out of the folder' };
    const objection = path === this.path ? undefined : objectionToPlace(path);
    return objection === undefined ? { real } : { fault: `leads to ${path}, which ${objection}` };
  }

  /** Of a file that is not there: whether it is, or lies behind, a link. */
  async #isDangling(): Promise<boolean> {
    let folder = this.#root;
    for (const name of this.path.split('/')) {
      const place = `${folder}/${name}`;
      if ((await this.#files.stat(place)) === undefined) {
        const items = await this.#files.list(folder).catch(() => []); // the folder is not there either
        return items.some((item) => item.name === name && item.isSymlink);
      }
      folder = place;
    }
    return false;
  }

  #unreadable(what: string): MemoryFileContent {
    return { kind: 'unreadable', reason: `${this.path} ${what}.` };
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The byte order mark is part of the text: it is written back. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function faultOfSize(bytes: number): string | undefined {
  return bytes > MAX_MEMORY_FILE
    ? `has ${bytes.toLocaleString('en')} bytes; more than ${MAX_MEMORY_FILE.toLocaleString('en')} are not read`
    : undefined;
}

/** What of a text keeps it from being read: what follows the file's name. */
function faultOf(text: string): string | undefined {
  if (text.includes('\0')) return NO_TEXT;
  return hasConflictMarkers(text) ? 'has conflict markers of git: resolve them first' : undefined;
}

/** Both sides of a merge that somebody has to decide, as git leaves them: to read them would be to decide it. */
function hasConflictMarkers(text: string): boolean {
  const lines = `\n${text.replace(/^\uFEFF/, '')}`;
  let at = 0;
  for (const mark of ['<<<<<<< ', '=======', '>>>>>>> ']) {
    at = lines.indexOf(`\n${mark}`, at);
    if (at < 0) return false;
    at += 1;
  }
  return true;
}
