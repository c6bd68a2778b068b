/**
 * Where a file is: an absolute path on this machine's disk, or a URI (`scheme://…`) where the workspace is elsewhere.
 * Canonical: forward slashes, no `.` or `..`.
 */
export type FileLocation = string;

export type FileKind = 'file' | 'directory' | 'other';

export interface FileStat {
  readonly kind: FileKind;
  /** bytes */
  readonly size: number;
  /** when it was last changed, ms since the epoch */
  readonly modifiedMs: number;
  /** its mode says that its owner must not write it, or the file system does; absent where they do not */
  readonly isReadOnly?: true;
}

export interface DirectoryItem {
  readonly name: string;
  readonly kind: FileKind;
  readonly isSymlink: boolean;
}

/**
 * Files as the tools see them. Adapters decide how (the workspace file API, or positional disk I/O).
 * Methods throw the system's own error; absence is `undefined` where the type says so.
 */
export interface FilePort {
  stat(file: FileLocation): Promise<FileStat | undefined>;
  /**
   * The location with every symbolic link resolved. Of a path that does not exist (yet), the nearest existing
   * ancestor is resolved; a dangling link resolves to where it points.
   */
  realPath(file: FileLocation): Promise<FileLocation>;
  /** Bytes `[start, end)`, or all of them. */
  read(file: FileLocation, range?: { readonly start: number; readonly end: number }): Promise<Uint8Array>;
  /** Replaces the whole file, atomically where the file system can; creates missing folders. Keeps the file's mode. */
  write(file: FileLocation, bytes: Uint8Array): Promise<void>;
  /**
   * Adds to the end of a file. Creates it, for its owner alone where the system has modes, with the folders it needs.
   * Not atomic: a crash may leave a part of `bytes`.
   */
  append(file: FileLocation, bytes: Uint8Array): Promise<void>;
  /** Most bytes that a file may grow to by appending, where that means writing it anew; undefined: any. */
  appendLimit(file: FileLocation): number | undefined;
  /** Removes a file, or a folder with everything in it; nothing happens where there is none. Links are not followed. */
  remove(file: FileLocation): Promise<void>;
  /** In no order. */
  list(directory: FileLocation): Promise<readonly DirectoryItem[]>;
}

/** A folder of the workspace. */
export interface WorkspaceRoot {
  readonly name: string;
  readonly location: FileLocation;
}

export interface WorkspacePort {
  /** Read at every use: folders come and go. */
  roots(): readonly WorkspaceRoot[];
  /** False in restricted mode: then no tool runs and no file of the folder is believed. */
  isTrusted(): boolean;
}
