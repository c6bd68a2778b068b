import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as pins from './pins.ts';
import { isAlive } from './processes.ts';

export const projectRoot = path.resolve(import.meta.dirname, '../../..');

/** Where everything downloaded lives: ignored by git, shared by all suites and by `npm start`. */
export const cacheRoot = process.env.PLIMSOLL_TEST_CACHE ?? path.join(projectRoot, '.vscode-test');

/** The editor asks for `module.registerHooks`. */
const OLDEST_NODE = [22, 15] as const;

/** Whether the Node that runs this can also run the editor. */
export const isNodeNewEnough = ((): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
})();

/** Everything that decides what the installed editor looks like: another recipe is another folder. */
function recipe(): string {
  const installers = ['install.ts', 'install-vscode.ts', 'install-chromium.ts', 'stand-ins/spdlog.cjs'];
  const hash = createHash('sha256').update(JSON.stringify([pins, isNodeNewEnough]));
  for (const file of installers) hash.update(readFileSync(path.join(import.meta.dirname, file)));
  return hash.digest('hex').slice(0, 12);
}

/** The installed editor's folder and what is in it. Exists once {@link file://./install.ts} is done. */
export const installed = ((): InstalledPaths => {
  const root = path.join(cacheRoot, `editor-${recipe()}`);
  return {
    root,
    vscode: path.join(root, 'vscode'),
    chromium: path.join(root, 'chromium'),
    node: isNodeNewEnough ? process.execPath : path.join(root, 'node/bin/node'),
  };
})();

export interface InstalledPaths {
  readonly root: string;
  readonly vscode: string;
  readonly chromium: string;
  /** executable that runs the editor */
  readonly node: string;
}

const DONE = 'complete';

export function isInstalled(): boolean {
  return existsSync(path.join(installed.root, DONE));
}

/**
 * Fills the folder aside and renames it into place when it is whole: two runs may race, and one that is killed
 * leaves nothing that looks finished.
 */
export async function buildAside(fill: (folder: string) => Promise<void>): Promise<void> {
  removeAbandoned();
  const aside = `${installed.root}.aside-${process.pid}`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  try {
    await fill(aside);
    writeFileSync(path.join(aside, DONE), '');
    renameSync(aside, installed.root);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!isInstalled()) throw error;
  }
}

function removeAbandoned(): void {
  if (!existsSync(cacheRoot)) return;
  for (const name of readdirSync(cacheRoot)) {
    const owner = /^editor-.*\.aside-(\d+)$/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner)))
      rmSync(path.join(cacheRoot, name), { recursive: true, force: true });
  }
}
