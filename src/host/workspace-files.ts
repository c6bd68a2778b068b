import * as vscode from 'vscode';
import type { FileKind, FilePort, FileStat } from '../core/ports/files.ts';
import { isOnDisk, locationOf, uriOf } from './locations.ts';

/** Files through the workspace file API: works on any scheme, whole files only. */
export const workspaceFiles: FilePort = {
  async stat(file): Promise<FileStat | undefined> {
    try {
      const { type, size } = await vscode.workspace.fs.stat(uriOf(file));
      return { kind: kindOf(type), size };
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
    list: (directory) => portFor(directory).list(directory),
  };
}

function kindOf(type: vscode.FileType): FileKind {
  if ((type & vscode.FileType.Directory) !== 0) return 'directory';
  return (type & vscode.FileType.File) !== 0 ? 'file' : 'other';
}

function isAbsent(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
}
