import * as vscode from 'vscode';
import type { FileLocation } from '../core/ports/files.ts';
import { toLocation } from '../node/disk-path.ts';

/** A URI where the workspace is not on disk; `C:/…` is a path, though it looks like a scheme. */
const URI = /^[a-z][a-z0-9+.-]+:\/\//i;

export function locationOf(uri: vscode.Uri): FileLocation {
  return uri.scheme === 'file' ? toLocation(uri.fsPath) : uri.toString(true);
}

export function uriOf(location: FileLocation): vscode.Uri {
  return URI.test(location) ? vscode.Uri.parse(location, true) : vscode.Uri.file(location);
}

export function isOnDisk(location: FileLocation): boolean {
  return !URI.test(location);
}
