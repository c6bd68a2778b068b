import { promises as fs } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isAbsence } from '../disk-path.ts';
import { fileIdOf, syncFolder } from './store-files.ts';

const NEWLINE = 0x0a;
const READ_BYTES = 64 * 1024;

/** What may be appended to by several processes, and is read from where it was left. */
export class JournalFile {
  /** which file it is, whatever it is called by now */
  readonly id: string;
  readonly canAppend: boolean;
  readonly #handle: FileHandle;
  /** where what was not taken yet begins */
  #offset = 0;
  #buffer = Buffer.alloc(READ_BYTES);

  private constructor(handle: FileHandle, id: string, canAppend: boolean) {
    this.#handle = handle;
    this.id = id;
    this.canAppend = canAppend;
  }

  /** Undefined where there is none. One that must not be written is opened for reading. */
  static async existing(file: string): Promise<JournalFile | undefined> {
    try {
      return await opened(file, fs.constants.O_RDWR | fs.constants.O_APPEND).catch((error: unknown) => {
        if (isAbsence(error)) throw error;
        return opened(file, fs.constants.O_RDONLY);
      });
    } catch (error) {
      if (isAbsence(error)) return undefined;
      throw error;
    }
  }

  /** Opens it, or begins it. */
  static async forAppend(file: string): Promise<JournalFile> {
    const { O_RDWR, O_APPEND, O_CREAT } = fs.constants;
    const isNew = (await fileIdOf(file)) === undefined;
    const journal = await opened(file, O_RDWR | O_APPEND | O_CREAT);
    if (isNew) await syncFolder(path.dirname(file));
    return journal;
  }

  static wrap(handle: FileHandle, id: string, canAppend: boolean): JournalFile {
    return new JournalFile(handle, id, canAppend);
  }

  /**
   * The system adds bytes at the end of a file in one piece, whoever else does so at the
   * same time: no lock is needed, which would cost as much as the write itself.
   * @throws the system's own error; then a part of it may be there, without its newline
   */
  async append(bytes: Buffer): Promise<void> {
    const { bytesWritten } = await this.#handle.write(bytes);
    // The rest of it could come behind what others write. The disk is nearly full: most likely this fails, and says why.
    if (bytesWritten < bytes.length) await this.#appendAgain(bytes);
  }

  /** What was appended is on the disk when it resolves. */
  flush(): Promise<void> {
    return this.#handle.datasync();
  }

  /** The whole lines that came since the last time. */
  async readLines(): Promise<readonly string[]> {
    const chunks: Buffer[] = [];
    let at = this.#offset;
    for (;;) {
      const { bytesRead } = await this.#handle.read(this.#buffer, 0, READ_BYTES, at);
      if (bytesRead > 0) chunks.push(Buffer.from(this.#buffer.subarray(0, bytesRead)));
      at += bytesRead;
      if (bytesRead < READ_BYTES) break;
    }
    const bytes = Buffer.concat(chunks);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.#offset += end;
    return bytes
      .toString('utf8', 0, end)
      .split('\n')
      .filter((line) => line !== '');
  }

  /** Whether it ends in a piece of a line: a crash has left it, or somebody is writing just now. */
  async hasTornEnd(): Promise<boolean> {
    return (await this.#handle.stat()).size > this.#offset;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #appendAgain(bytes: Buffer): Promise<void> {
    const { bytesWritten } = await this.#handle.write(bytes);
    if (bytesWritten < bytes.length)
      throw Object.assign(new Error('ENOSPC: a line of the memory could not be written whole'), {
        code: 'ENOSPC',
      });
  }
}

async function opened(file: string, flags: number): Promise<JournalFile> {
  const handle = await fs.open(file, flags, 0o600);
  try {
    const { dev, ino } = await handle.stat({ bigint: true });
    return JournalFile.wrap(handle, `${dev}:${ino}`, (flags & fs.constants.O_RDWR) !== 0);
  } catch (error) {
    await handle.close();
    throw error;
  }
}
