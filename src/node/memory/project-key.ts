import { promises as fs } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isAbsence, toLocation } from '../disk-path.ts';
import { realDiskPath } from '../real-path.ts';
import { workspaceKey } from '../workspace-key.ts';

/** What memories are kept by. */
export interface Project {
  /** a file name: the same for all worktrees of a repository, another for every other project */
  readonly key: string;
  /** for people: the repository's folder, or the folder itself */
  readonly name: string;
  /** whether several worktrees share it */
  readonly isShared: boolean;
}

interface Repository {
  /** the common directory, by its real path */
  readonly common: string;
  readonly name: string;
}

/** More than any `.git` file holds. */
const MAX_POINTER = 64 * 1024;

/**
 * The project that a folder belongs to. The files are read and no git is run: it may not be there, may be another's,
 * and a folder that was just opened must not have it do something. Never throws: what cannot be read is no repository.
 */
export async function projectOf(root: string): Promise<Project> {
  const folder = await realDiskPath(root).catch(() => path.resolve(root));
  const repository = await repositoryOf(folder);
  if (repository === undefined)
    return { key: keyOf(folder), name: path.basename(folder) || folder, isShared: false };
  const { common, name } = repository;
  return { key: keyOf(common), name, isShared: (await worktrees(common)) > 1 };
}

function keyOf(folder: string): string {
  return workspaceKey([toLocation(folder)]);
}

async function repositoryOf(folder: string): Promise<Repository | undefined> {
  if (await isRepository(folder)) return { common: folder, name: nameOf(folder) };
  for (let at = folder; ; at = path.dirname(at)) {
    // A repository of the home folder's settings does not make one project of all that lies below.
    if (at === homedir() && at !== folder) return undefined;
    const dotGit = path.join(at, '.git');
    if (await isRepository(dotGit)) return { common: await realDiskPath(dotGit), name: nameOf(dotGit) };
    const pointer = await readSmall(dotGit);
    if (pointer !== undefined) return linkedRepository(at, pointer);
    if (path.dirname(at) === at) return undefined;
  }
}

/** Of a `.git` file. One that points nowhere ends the search, as it does for git: what is above is another project. */
async function linkedRepository(folder: string, pointer: string): Promise<Repository | undefined> {
  const target = /^gitdir:[ \t]*(.+?)\s*$/m.exec(pointer)?.[1];
  if (target === undefined) return undefined;
  const gitDir = path.resolve(folder, target);
  const shared = (await readSmall(path.join(gitDir, 'commondir')))?.trim();
  const common = path.resolve(gitDir, shared ?? '.');
  if (!(await isRepository(common))) return undefined;
  // Without `commondir` this is the main work tree: of a submodule, or of a repository that is kept elsewhere.
  const name = shared === undefined ? path.basename(folder) : nameOf(common);
  return { common: await realDiskPath(common), name };
}

function nameOf(common: string): string {
  const name = path.basename(common);
  // `.git`, and `.bare` with the worktrees beside it.
  if (name.startsWith('.')) return path.basename(path.dirname(common));
  return name.replace(/\.git$/, '');
}

/** The main work tree and those that were added and are still there. */
async function worktrees(common: string): Promise<number> {
  const isBare = /^\s*bare\s*=\s*true\s*$/im.test((await readSmall(path.join(common, 'config'))) ?? '');
  const added = path.join(common, 'worktrees');
  const names = await fs.readdir(added).catch(() => []); // none were added
  const there = await Promise.all(names.map((name) => isLinked(path.join(added, name))));
  return there.filter(Boolean).length + (isBare ? 0 : 1);
}

async function isLinked(worktree: string): Promise<boolean> {
  const dotGit = (await readSmall(path.join(worktree, 'gitdir')))?.trim();
  return dotGit !== undefined && exists(path.resolve(worktree, dotGit));
}

async function isRepository(folder: string): Promise<boolean> {
  const parts = ['HEAD', 'objects', 'refs'].map((name) => exists(path.join(folder, name)));
  return (await Promise.all(parts)).every(Boolean);
}

async function exists(file: string): Promise<boolean> {
  return fs.stat(file).then(
    () => true,
    (error: unknown) => !isAbsence(error),
  );
}

/** undefined for what is no small file, or cannot be read. */
async function readSmall(file: string): Promise<string | undefined> {
  try {
    const stats = await fs.stat(file);
    return stats.isFile() && stats.size <= MAX_POINTER ? await fs.readFile(file, 'utf8') : undefined;
  } catch {
    return undefined; // then it says nothing
  }
}
