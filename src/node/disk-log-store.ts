import { promises as fs } from 'node:fs';
import path from 'node:path';
import type { LogStore } from '../core/ports/log-store.ts';
import { isAbsence } from './disk-path.ts';
import { expectSessionId } from './session-id.ts';
import { writeAll } from './write-all.ts';

const NEWLINE = 0x0a;

/**
 * One JSON Lines file per session in `folder`, readable by its owner only. A line is on the disk when `append`
 * resolves. A tail that a crash left without its newline is closed off before anything is written behind it.
 */
export class DiskLogStore implements LogStore {
  readonly #folder: string;
  readonly #open = new Map<string, Promise<fs.FileHandle>>();
  #tail: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(sessionId: string): Promise<readonly string[]> {
    try {
      return (await fs.readFile(this.fileOf(sessionId), 'utf8')).split('\n').filter((line) => line !== '');
    } catch (error) {
      if (isAbsence(error)) return [];
      throw error;
    }
  }

  append(sessionId: string, line: string): Promise<void> {
    const written = this.#tail.then(() => this.#write(sessionId, line));
    this.#tail = written.catch(() => undefined); // the caller has the error
    return written;
  }

  /** Where the session's log is. @throws RangeError for an id that is no plain name */
  fileOf(sessionId: string): string {
    return path.join(this.#folder, `${expectSessionId(sessionId)}.jsonl`);
  }

  /** Whether the session has a log. @throws RangeError for an id that is no plain name */
  async has(sessionId: string): Promise<boolean> {
    return fs.access(this.fileOf(sessionId)).then(
      () => true,
      (error: unknown) => !isAbsence(error),
    );
  }

  async dispose(): Promise<void> {
    await this.#tail;
    const handles = await Promise.allSettled([...this.#open.values()]);
    this.#open.clear();
    const opened = handles.flatMap((handle) => (handle.status === 'fulfilled' ? [handle.value] : []));
    await Promise.allSettled(opened.map((handle) => handle.close()));
  }

  async #write(sessionId: string, line: string): Promise<void> {
    const handle = await this.#handle(sessionId);
    try {
      await writeAll(handle, Buffer.from(`${line}\n`), null);
      await handle.datasync();
    } catch (error) {
      // Half a line may be on the disk: opening again finds it and closes it off.
      this.#open.delete(sessionId);
      await handle.close().catch(() => undefined); // the first error is the one to tell
      throw error;
    }
  }

  #handle(sessionId: string): Promise<fs.FileHandle> {
    const known = this.#open.get(sessionId);
    if (known) return known;
    const opened = openForAppend(this.fileOf(sessionId));
    this.#open.set(sessionId, opened);
    opened.catch(() => this.#open.delete(sessionId));
    return opened;
  }
}

async function openForAppend(file: string): Promise<fs.FileHandle> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const handle = await fs.open(file, 'a+', 0o600);
  try {
    if (!(await endsInNewline(handle))) await writeAll(handle, Buffer.of(NEWLINE), null);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function endsInNewline(handle: fs.FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last[0] === NEWLINE;
}
