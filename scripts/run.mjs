import { spawn } from 'node:child_process';
import path from 'node:path';

export const projectRoot = path.resolve(import.meta.dirname, '..');

/**
 * Runs a program in the project's folder with this one's terminal.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env] added to the environment
 * @returns {Promise<number>} its exit code; 1 where a signal ended it
 */
export function run(command, args, env = {}) {
  const options = { cwd: projectRoot, stdio: 'inherit', env: { ...process.env, ...env } };
  // On Windows npm and npx are scripts, which only a shell can run.
  const shell = process.platform === 'win32' && command !== process.execPath;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, shell });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs one of the project's own scripts. */
export function runNode(script, args = [], env = {}) {
  return run(process.execPath, [script, ...args], env);
}
