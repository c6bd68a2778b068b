import ignore from 'ignore';
import type { Ignore } from 'ignore';
import { pathInside } from '../model/path-inside.ts';
import type { FileLocation, FilePort } from '../ports/files.ts';
import type { TextCodec } from '../ports/text-codec.ts';
import { joinLocation, parentOf } from './location.ts';

/** Read in this order; a later line wins. */
const IGNORE_FILES = ['.gitignore', '.ignore'] as const;
/** Never listed, ignored or not: a version store and what a package manager unpacked. */
const ALWAYS_HIDDEN: ReadonlySet<string> = new Set(['.git', 'node_modules']);
const MAX_IGNORE_BYTES = 1_000_000;
const MAX_ANCESTORS = 40;
/**
 * The library makes expressions that backtrack: the time grows as the depth of the path to the power of the `**` in the
 * line. What goes beyond is passed over, so that a hostile repository shows too much rather than taking for ever.
 */
const MAX_LINE_CHARS = 1_000;
const MAX_ANY_FOLDERS = 3;
const MAX_DEPTH = 100;

/** One folder's ignore files. */
interface RuleFile {
  readonly folder: FileLocation;
  readonly rules: Ignore;
}

/** The ignore files that speak for a folder: its own and those above it, outermost first. */
export type IgnoreRules = readonly RuleFile[];

export interface IgnoreReader {
  readonly files: FilePort;
  readonly codec: TextCodec;
}

/** The rules for what is in `folder`: of all folders from the repository's top down to it. */
export async function rulesAbove(folder: FileLocation, reader: IgnoreReader): Promise<IgnoreRules> {
  const above: FileLocation[] = [];
  let current: FileLocation | undefined = folder;
  for (let level = 0; current !== undefined && level < MAX_ANCESTORS; level++) {
    if ((await reader.files.stat(joinLocation(current, '.git'))) !== undefined) break;
    current = parentOf(current);
    if (current !== undefined) above.unshift(current);
  }
  let rules: IgnoreRules = [];
  for (const ancestor of above) rules = await rulesBelow(rules, ancestor, reader);
  return rules;
}

/** The rules for what is in `folder`, given those of the folder it is in. */
export async function rulesBelow(
  rules: IgnoreRules,
  folder: FileLocation,
  reader: IgnoreReader,
): Promise<IgnoreRules> {
  const texts: string[] = [];
  for (const name of IGNORE_FILES) texts.push(await readRules(joinLocation(folder, name), reader));
  const text = texts.join('\n').split('\n').filter(isHarmless).join('\n').trim();
  // A pattern that the library cannot read is skipped by it; matching is by exact case, as git does on Linux.
  return text === '' ? rules : [...rules, { folder, rules: ignore({ ignorecase: false }).add(text) }];
}

function isHarmless(line: string): boolean {
  return line.length <= MAX_LINE_CHARS && line.split('**').length - 1 <= MAX_ANY_FOLDERS;
}

async function readRules(file: FileLocation, { files, codec }: IgnoreReader): Promise<string> {
  const stat = await files.stat(file).catch(() => undefined);
  if (stat?.kind !== 'file' || stat.size > MAX_IGNORE_BYTES) return '';
  const bytes = await files.read(file).catch(() => new Uint8Array());
  const decoded = codec.decode(bytes);
  return decoded.kind === 'text' ? decoded.text : '';
}

/** Whether an item of a folder is left out; the innermost file with an opinion decides. */
export function isIgnored(rules: IgnoreRules, item: FileLocation, isDirectory: boolean): boolean {
  const name = item.slice(item.lastIndexOf('/') + 1);
  if (ALWAYS_HIDDEN.has(name)) return true;
  for (const { folder, rules: own } of rules.toReversed()) {
    const inside = pathInside(folder, item);
    if (inside === undefined || inside === '' || inside.split('/').length > MAX_DEPTH) continue;
    const verdict = own.test(isDirectory ? `${inside}/` : inside);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}
