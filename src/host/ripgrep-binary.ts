import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

const EXECUTABLE = process.platform === 'win32' ? 'rg.exe' : 'rg';
const PLATFORM = `${process.platform}-${process.arch}`;

/** Where editors of different ages keep their ripgrep, newest first, below the application's folder. */
const PLACES = ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [
  path.join(modules, '@vscode', 'ripgrep-universal', 'bin', PLATFORM, EXECUTABLE),
  path.join(modules, '@vscode', 'ripgrep', 'bin', EXECUTABLE),
]);

/** The editor's own ripgrep, or undefined where it has none. */
export function findRipgrep(): string | undefined {
  return PLACES.map((place) => path.join(vscode.env.appRoot, place)).find((file) => existsSync(file));
}
