import * as vscode from 'vscode';
import type { FileKind, FilePort, FileStat } from '../core/ports/files.ts';
import { isOnDisk, locationOf, uriOf } from './locations.ts';

/** Bytes that are written anew with every part that is appended. */
const APPEND_LIMIT = 1_000_000;

/** Files through the workspace file API: works on any scheme, whole files only. */
export const workspaceFiles: FilePort = {
  async stat(file): Promise<FileStat | undefined> {
    try {
      const { type, size, mtime, permissions = 0 } = await vscode.workspace.fs.stat(uriOf(file));
      const isReadOnly = (permissions & vscode.FilePermission.Readonly) !== 0;
      return { kind: kindOf(type), size, modifiedMs: mtime, ...(isReadOnly && { isReadOnly }) };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  },
  // A virtual file system has no links that the API could resolve.
  async realPath(file) {
    return Promise.resolve(locationOf(uriOf(file)));
  },
  async read(file, range) {
    const bytes = await vscode.workspace.fs.readFile(uriOf(file));
    return range === undefined ? bytes : bytes.subarray(range.start, range.end);
  },
  async write(file, bytes) {
    await vscode.workspace.fs.writeFile(uriOf(file), bytes);
  },
  // The API writes whole files only: what was there is written again with what is new.
  async append(file, bytes) {
    const uri = uriOf(file);
    const before = await readIfThere(uri);
    const joined = new Uint8Array(before.length + bytes.length);
    joined.set(before);
    joined.set(bytes, before.length);
    await vscode.workspace.fs.writeFile(uri, joined);
  },
  appendLimit: () => APPEND_LIMIT,
  async remove(file) {
    const uri = uriOf(file);
    try {
      await vscode.workspace.fs.delete(uri, { recursive: true, useTrash: false });
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  },
  async list(directory) {
    const items = await vscode.workspace.fs.readDirectory(uriOf(directory));
    return items.map(([name, type]) => ({
      name,
      kind: kindOf(type),
      isSymlink: (type & vscode.FileType.SymbolicLink) !== 0,
    }));
  },
};

/** Positional I/O on this machine's disk, the workspace file API everywhere else. */
export function routedFiles(disk: FilePort): FilePort {
  const portFor = (location: string) => (isOnDisk(location) ? disk : workspaceFiles);
  return {
    stat: (file) => portFor(file).stat(file),
    realPath: (file) => portFor(file).realPath(file),
    read: (file, range) => portFor(file).read(file, range),
    write: (file, bytes) => portFor(file).write(file, bytes),
    append: (file, bytes) => portFor(file).append(file, bytes),
    appendLimit: (file) => portFor(file).appendLimit(file),
    remove: (file) => portFor(file).remove(file),
    list: (directory) => portFor(directory).list(directory),
  };
}

async function readIfThere(uri: vscode.Uri): Promise<Uint8Array> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (isAbsent(error)) return new Uint8Array();
    throw error;
  }
}

function kindOf(type: vscode.FileType): FileKind {
  if ((type & vscode.FileType.Directory) !== 0) return 'directory';
  return (type & vscode.FileType.File) !== 0 ? 'file' : 'other';
}

function isAbsent(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
}
