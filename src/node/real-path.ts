import { promises as fs } from 'node:fs';
import path from 'node:path';
import { isAbsence } from './disk-path.ts';

/** As many links as Linux follows before it calls it a loop. */
const MAX_LINKS = 40;

/**
 * The path with every symbolic link resolved, whether or not it exists: what is missing is appended as it is to the
 * real path of what is there, and a dangling link resolves to where it points.
 * @throws the system's error, ELOOP for links in a circle
 */
export async function realDiskPath(file: string): Promise<string> {
  const absolute = path.resolve(file);
  try {
    return await fs.realpath(absolute);
  } catch (error) {
    if (!isAbsence(error)) throw error;
    return spellAsOnDisk(await walkLinks(absolute), (folder) => fs.realpath(folder));
  }
}

/**
 * A path without links as its nearest existing ancestor is spelt on the disk, so that it compares with the real path
 * of what exists: drive letters, and names where case does not matter.
 */
export async function spellAsOnDisk(
  linkless: string,
  realpath: (file: string) => Promise<string>,
): Promise<string> {
  try {
    return await realpath(linkless);
  } catch (error) {
    if (!isAbsence(error)) throw error;
    const parent = path.dirname(linkless);
    if (parent === linkless) return linkless;
    return path.join(await spellAsOnDisk(parent, realpath), path.basename(linkless));
  }
}

async function walkLinks(absolute: string): Promise<string> {
  const { root } = path.parse(absolute);
  let resolved = root;
  let linksLeft = MAX_LINKS;
  const ahead = segmentsOf(absolute.slice(root.length));
  for (let segment = ahead.shift(); segment !== undefined; segment = ahead.shift()) {
    const next = path.join(resolved, segment);
    const target = segment === '..' ? undefined : await readLinkOrUndefined(next);
    if (target === undefined) {
      resolved = next;
      continue;
    }
    if (linksLeft-- === 0) throw Object.assign(new Error(`too many links in ${absolute}`), { code: 'ELOOP' });
    // The link's own `..` are walked from where it stands, not taken out of its text.
    if (path.isAbsolute(target)) resolved = path.parse(target).root;
    ahead.unshift(...segmentsOf(target.slice(path.isAbsolute(target) ? resolved.length : 0)));
  }
  return resolved;
}

function segmentsOf(relative: string): string[] {
  return relative
    .split(path.sep === '\\' ? /[\\/]/ : '/')
    .filter((segment) => segment !== '' && segment !== '.');
}

async function readLinkOrUndefined(file: string): Promise<string | undefined> {
  try {
    return await fs.readlink(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (isAbsence(error) || code === 'EINVAL' || code === 'UNKNOWN') return undefined;
    throw error;
  }
}
