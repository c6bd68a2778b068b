import { randomBytes } from 'node:crypto';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { isAbsence } from '../disk-path.ts';

const JOURNAL = 'memory.jsonl';
const IMAGE = 'memory.sqlite';
const SEALED = /^memory\.(\d{6})-[0-9a-f]+\.jsonl$/;

/** What tells whether somebody has changed which files there are. */
export interface FilesSeen {
  /** which file the journal is; undefined where there is none */
  readonly journal: string | undefined;
  readonly image: string | undefined;
  /** names of journals that a checkpoint has begun to take in, the oldest first */
  readonly sealed: readonly string[];
}

/**
 * The files of a store. `memory.sqlite` is the image and `memory.sqlite.bak` another copy of it; `memory.jsonl` is the
 * journal of what came since. A checkpoint renames the journal first ("seals" it), so that others begin a new one, and
 * removes it when both images hold what it says: at any moment either image and the journals are everything.
 */
export class StoreFiles {
  readonly folder: string;
  readonly journal: string;
  readonly image: string;
  readonly backup: string;

  constructor(folder: string) {
    this.folder = folder;
    this.journal = path.join(folder, JOURNAL);
    this.image = path.join(folder, IMAGE);
    this.backup = `${this.image}.bak`;
  }

  /** For its owner alone. */
  async make(): Promise<void> {
    await fs.mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { mode } = await fs.stat(this.folder);
    if ((mode & 0o077) !== 0) await fs.chmod(this.folder, mode & 0o700);
  }

  /** In the order in which a checkpoint moves what was written: it is found in one of them, or in the next. */
  async look(): Promise<FilesSeen> {
    const journal = await fileIdOf(this.journal);
    const sealed = await this.sealed();
    const image = await imageIdOf(this.image);
    return { journal, sealed, image };
  }

  /** Names of sealed journals, the oldest first. */
  async sealed(): Promise<readonly string[]> {
    return (await this.#names()).filter((name) => SEALED.test(name)).sort();
  }

  at(name: string): string {
    return path.join(this.folder, name);
  }

  /** Only under the lock. Resolves to the name the journal has from now on; undefined where there is none. */
  async seal(): Promise<string | undefined> {
    const last = (await this.sealed()).at(-1);
    const number = Number(SEALED.exec(last ?? '')?.[1] ?? 0) + 1;
    const name = `memory.${String(number).padStart(6, '0')}-${randomBytes(4).toString('hex')}.jsonl`;
    try {
      await fs.rename(this.journal, this.at(name));
      return name;
    } catch (error) {
      if (isAbsence(error)) return undefined;
      throw error;
    }
  }

  /** Only under the lock. Resolves to the id of the new image. */
  async replaceImage(bytes: Uint8Array): Promise<string | undefined> {
    await this.#replace(this.image, bytes);
    await this.#replace(this.backup, bytes);
    await syncFolder(this.folder);
    return imageIdOf(this.image);
  }

  /** Puts a damaged file aside under a name with the time. Resolves to the name; undefined where it cannot be done. */
  async quarantine(file: string, as = path.basename(file)): Promise<string | undefined> {
    const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
    const name = `${as}.damaged-${time}-${randomBytes(2).toString('hex')}`;
    return fs.rename(file, this.at(name)).then(
      () => name,
      () => undefined, // gone already, or nothing can be written here: then it stays where it is
    );
  }

  async #names(): Promise<readonly string[]> {
    return fs.readdir(this.folder).catch(() => []); // what cannot be read is told where it is opened
  }

  async #replace(file: string, bytes: Uint8Array): Promise<void> {
    const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
    try {
      const handle = await fs.open(draft, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await fs.rename(draft, file);
    } catch (error) {
      await fs.rm(draft, { force: true });
      throw error;
    }
  }

  /** Only under the lock: drafts of images that were never finished. */
  async removeDrafts(): Promise<void> {
    const drafts = (await this.#names()).filter((name) => /^memory\.sqlite.*\.tmp$/.test(name));
    await Promise.all(drafts.map((name) => fs.rm(this.at(name), { force: true })));
  }
}

/** So that a file that was created or renamed is found after the power failed. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await fs.open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Not every system can do it (Windows); those keep names in order by themselves.
  }
}

/** Whether no checkpoint has come between two looks. */
export function isSameImage(
  one: Pick<FilesSeen, 'image' | 'sealed'>,
  other: Pick<FilesSeen, 'image' | 'sealed'>,
): boolean {
  return one.image === other.image && one.sealed.join('\n') === other.sealed.join('\n');
}

/** Which file a name stands for. */
export async function fileIdOf(file: string): Promise<string | undefined> {
  const stats = await fs.stat(file, { bigint: true }).catch(() => undefined); // there is none to be read
  return stats && `${stats.dev}:${stats.ino}`;
}

async function imageIdOf(file: string): Promise<string | undefined> {
  const stats = await fs.stat(file, { bigint: true }).catch(() => undefined); // there is none to be read
  return stats && `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}
