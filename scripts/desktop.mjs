// Opens the folder in a desktop VS Code with Plimsoll under development, as F5 does, in a profile of its own.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './run.mjs';

const isWindows = process.platform === 'win32';
const names = isWindows ? ['code.cmd'] : ['code'];

/** `code` on the PATH, where it is a desktop's: the one inside a remote window cannot load an extension under development. */
export function findDesktop() {
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!hasDisplay) return undefined;
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '' && !folder.includes('remote-cli'))
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Fetches VS Code where there is no `code`. */
export async function openDesktop({ folder, env, profile }, code) {
  const args = [
    '--new-window',
    `--extensionDevelopmentPath=${projectRoot}`,
    `--user-data-dir=${profile}-desktop`,
    '--disable-workspace-trust',
    '--skip-welcome',
    folder,
  ];
  const child = code ? spawnCode(code, ['--wait', ...args], env) : spawnCode(await download(), args, env);
  return {
    where: 'the VS Code window that has just opened',
    howToStop: 'Close its window to stop. Ctrl+C here stops only what this terminal runs.',
    ended: new Promise((resolve) => child.once('exit', resolve)),
    close: () => void child.kill(),
  };
}

async function download() {
  const { downloadAndUnzipVSCode } = await import('@vscode/test-electron');
  return downloadAndUnzipVSCode({ cachePath: path.join(projectRoot, '.vscode-test') });
}

function spawnCode(command, args, env) {
  const quoted = isWindows ? args.map((arg) => `"${arg}"`) : args;
  return spawn(isWindows ? `"${command}"` : command, quoted, {
    env: { ...process.env, ...env },
    stdio: 'ignore',
    shell: isWindows,
  });
}
