import * as vscode from 'vscode';

/** A file system that is nowhere: what a virtual workspace gives the editor. */
export class MemoryFileSystem implements vscode.FileSystemProvider {
  /** paths of files that it lets nobody write */
  readonly readOnly = new Set<string>();
  readonly #files = new Map<string, Uint8Array>();
  readonly #folders = new Set<string>(['/']);
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const file = this.#files.get(path);
    const permissions = this.readOnly.has(path) && { permissions: vscode.FilePermission.Readonly };
    if (file !== undefined)
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: file.length, ...permissions };
    if (this.#folders.has(path)) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    throw vscode.FileSystemError.FileNotFound();
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    const below = (name: string) => name.startsWith(`${path}/`) && !name.slice(path.length + 1).includes('/');
    const named =
      (type: vscode.FileType) =>
      (name: string): [string, vscode.FileType] => [name.slice(path.length + 1), type];
    return [
      ...[...this.#files.keys()].filter(below).map(named(vscode.FileType.File)),
      ...[...this.#folders].filter(below).map(named(vscode.FileType.Directory)),
    ];
  }

  createDirectory({ path }: vscode.Uri): void {
    this.#folders.add(path);
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const file = this.#files.get(uri.path);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }

  writeFile({ path }: vscode.Uri, content: Uint8Array): void {
    this.#files.set(path, content);
  }

  delete(uri: vscode.Uri): void {
    this.stat(uri);
    const isGone = (path: string) => path === uri.path || path.startsWith(`${uri.path}/`);
    for (const names of [this.#files, this.#folders])
      for (const name of [...names.keys()].filter(isGone)) names.delete(name);
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
}
