import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildAside, installed, isInstalled, isNodeNewEnough } from './cache.ts';
import { installChromium } from './install-chromium.ts';
import { installVscode } from './install-vscode.ts';
import { unpack } from './npm-tarball.ts';
import { NODE } from './pins.ts';

/** The pinned binaries are for Linux on x64 with glibc; elsewhere a desktop VS Code has to be fetched. */
export function canInstallEditor(): boolean {
  const isMusl = existsSync('/lib/ld-musl-x86_64.so.1') && !existsSync('/lib64/ld-linux-x86-64.so.2');
  return process.platform === 'linux' && process.arch === 'x64' && !isMusl;
}

/**
 * Puts the pinned VS Code, its Node and a browser into the cache. Does nothing when they are there.
 * @param log is told, line by line, what goes on
 * @throws Error when a tarball's hash is not the pinned one, or the registry cannot be reached
 */
export async function installEditor(log: (line: string) => void): Promise<void> {
  if (isInstalled()) return;
  const start = Date.now();
  const report = (what: string) => () => log(`  ${((Date.now() - start) / 1000).toFixed(0)} s  ${what}`);
  log('Installing the test editor (once, about 500 MB on disk) …');
  await buildAside(async (folder) => {
    await Promise.all([
      installVscode(path.join(folder, 'vscode')).then(report('VS Code')),
      installChromium(path.join(folder, 'chromium')).then(report('Chromium')),
      installNode(path.join(folder, 'node')).then(report('Node')),
    ]);
  });
  log(`The test editor is in ${installed.root}`);
}

async function installNode(folder: string): Promise<void> {
  if (!isNodeNewEnough)
    await unpack(NODE, folder, ['--strip-components=1', 'package/bin', 'package/LICENSE']);
}
