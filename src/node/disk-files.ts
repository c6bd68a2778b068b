import { randomBytes } from 'node:crypto';
import { promises as fs } from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import path from 'node:path';
import type { DirectoryItem, FileKind, FileLocation, FilePort, FileStat } from '../core/ports/files.ts';
import { realDiskPath } from './real-path.ts';
import { isAbsence, toLocation } from './disk-path.ts';
import { writeAll } from './write-all.ts';

/** Files on this machine's disk, with positional reads and atomic writes. */
export function createDiskFiles(): FilePort {
  return {
    async stat(file) {
      const stats = await statOrUndefined(file);
      return stats && statOf(stats);
    },
    async realPath(file) {
      return toLocation(await realDiskPath(file));
    },
    read: (file, range) => (range === undefined ? fs.readFile(file) : readRange(file, range)),
    write: writeWhole,
    append,
    appendLimit: () => undefined,
    remove: (file) => fs.rm(file, { recursive: true, force: true }),
    async list(directory) {
      const items = await fs.readdir(directory, { withFileTypes: true });
      return Promise.all(items.map((item) => describe(directory, item)));
    },
  };
}

async function statOrUndefined(file: FileLocation): Promise<Stats | undefined> {
  try {
    return await fs.stat(file);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

function statOf(stats: Stats): FileStat {
  const { size, mtimeMs: modifiedMs, mode } = stats;
  const isReadOnly = (mode & fs.constants.S_IWUSR) === 0;
  return { kind: kindOf(stats), size, modifiedMs, ...(isReadOnly && { isReadOnly }) };
}

function kindOf(entry: Stats | Dirent): FileKind {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'directory' : 'other';
}

async function describe(directory: FileLocation, item: Dirent): Promise<DirectoryItem> {
  const isSymlink = item.isSymbolicLink();
  const stats = isSymlink
    ? await statOrUndefined(path.join(directory, item.name)).catch(() => undefined)
    : item;
  return { name: item.name, kind: stats === undefined ? 'other' : kindOf(stats), isSymlink };
}

async function readRange(
  file: FileLocation,
  range: { readonly start: number; readonly end: number },
): Promise<Uint8Array> {
  const handle = await fs.open(file, 'r');
  try {
    const buffer = Buffer.alloc(Math.max(0, range.end - range.start));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, range.start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

/** For its owner alone: it is what commands print. */
async function append(file: FileLocation, bytes: Uint8Array): Promise<void> {
  const open = () => fs.open(file, 'a', 0o600);
  const handle = await open().catch(async (error: unknown) => {
    if (!isAbsence(error)) throw error;
    await fs.mkdir(path.dirname(file), { recursive: true });
    return open();
  });
  try {
    await writeAll(handle, bytes, null);
  } finally {
    await handle.close();
  }
}

async function writeWhole(file: FileLocation, bytes: Uint8Array): Promise<void> {
  const before = await statOrUndefined(file);
  if (before !== undefined && !before.isFile()) throw new Error(`${file} is not a regular file`);
  if (before === undefined) await fs.mkdir(path.dirname(file), { recursive: true });
  // A rename would cut a hard link in two; such a file is written in place.
  if (before !== undefined && before.nlink > 1) return writeInPlace(file, bytes);
  try {
    await replaceByRename(file, bytes, before);
  } catch (error) {
    if (before === undefined || !isNotReplaceable(error)) throw error;
    await writeInPlace(file, bytes);
  }
}

/** The new content is whole on the disk before it takes the file's name: a crash leaves the old or the new. */
async function replaceByRename(
  file: FileLocation,
  bytes: Uint8Array,
  before: Stats | undefined,
): Promise<void> {
  const draft = path.join(
    path.dirname(file),
    `.${path.basename(file).slice(0, 80)}.${randomBytes(6).toString('hex')}.tmp`,
  );
  try {
    const handle = await fs.open(draft, 'wx', before?.mode ?? 0o666);
    try {
      if (before !== undefined) await takeAfter(handle, before);
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

/** @throws EPERM where the owner cannot be kept */
async function takeAfter(handle: fs.FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid);
  // The mode given at creation is filtered by the umask, an existing file's own mode is not.
  await handle.chmod(mode);
}

/** Not atomic, but whole or not at all as far as this process can help it. */
async function writeInPlace(file: FileLocation, bytes: Uint8Array): Promise<void> {
  const handle = await fs.open(file, 'r+');
  try {
    const old = await handle.readFile();
    try {
      await overwrite(handle, bytes);
    } catch (error) {
      // What the old content needs is still the file's: that there is no room left does not stop this.
      await overwrite(handle, old).catch((cause: unknown) => {
        throw new Error(
          `${file} could not be written, and is damaged: its old content could not be put back`,
          {
            cause,
          },
        );
      });
      throw error;
    }
  } finally {
    await handle.close();
  }
}

/** Cut only when all is written, so that a disk that is full has not lost the room of the old content. */
async function overwrite(handle: fs.FileHandle, bytes: Uint8Array): Promise<void> {
  await writeAll(handle, bytes, 0);
  await handle.truncate(bytes.length);
  await handle.sync();
}

/** The file may be written though its folder may not, or its owner not kept, or another program holds it (Windows). */
function isNotReplaceable(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'EBUSY';
}
