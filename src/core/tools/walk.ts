import type { DirectoryItem, FileLocation } from '../ports/files.ts';
import type { IgnoreReader, IgnoreRules } from './ignore-rules.ts';
import { isIgnored, rulesAbove, rulesBelow } from './ignore-rules.ts';
import { isOutputsFolder } from './kept-outputs.ts';
import { joinLocation } from './location.ts';
import { throwIfAborted } from './abort.ts';

export interface WalkOptions extends IgnoreReader {
  readonly signal: AbortSignal;
  /** levels to go down, from 1: the items of the folder itself */
  readonly depth: number;
  /** ignored things too, and kept outputs: the folder is one of theirs */
  readonly withIgnored?: boolean;
}

export interface WalkedItem {
  readonly location: FileLocation;
  /** relative to the folder walked */
  readonly path: string;
  readonly isDirectory: boolean;
  readonly isSymlink: boolean;
  /** a folder at the depth limit that was not looked into */
  readonly isClosed: boolean;
}

/**
 * What is in a folder and its subfolders, ignored things left out, in the order of the paths. Links to folders are
 * shown, not entered: they may lead outside, or in a circle. A subfolder that cannot be read counts as empty.
 * @throws AbortedError, and the system's error when the folder itself cannot be read
 */
export async function* walk(folder: FileLocation, options: WalkOptions): AsyncGenerator<WalkedItem> {
  const items = await options.files.list(folder);
  const rules = await rulesBelow(await rulesAbove(folder, options), folder, options);
  yield* walkItems({ folder, path: '', items, rules, depth: 1 }, options);
}

interface OpenFolder {
  readonly folder: FileLocation;
  readonly path: string;
  readonly items: readonly DirectoryItem[];
  readonly rules: IgnoreRules;
  readonly depth: number;
}

async function* walkItems(open: OpenFolder, options: WalkOptions): AsyncGenerator<WalkedItem> {
  for (const item of open.items.toSorted(byName)) {
    throwIfAborted(options.signal);
    const location = joinLocation(open.folder, item.name);
    const isDirectory = item.kind === 'directory';
    // Git takes a link for a file, whatever it points to.
    const isLeftOut =
      isIgnored(open.rules, location, isDirectory && !item.isSymlink) || isOutputsFolder(location);
    if (isLeftOut && options.withIgnored !== true) continue;
    const path = open.path === '' ? item.name : `${open.path}/${item.name}`;
    const isClosed = isDirectory && (item.isSymlink || open.depth >= options.depth);
    yield { location, path, isDirectory, isSymlink: item.isSymlink, isClosed };
    if (!isDirectory || isClosed) continue;
    const items = await options.files.list(location).catch(() => []);
    const rules = await rulesBelow(open.rules, location, options);
    yield* walkItems({ folder: location, path, items, rules, depth: open.depth + 1 }, options);
  }
}

function byName(a: DirectoryItem, b: DirectoryItem): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
