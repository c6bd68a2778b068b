import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Pin } from './pins.ts';

const run = promisify(execFile);
const MAX_OUTPUT = 64 * 1024 * 1024;

/** What `npm run` tells its scripts about the project it runs in would mislead an npm that works elsewhere. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle|command|config_local_prefix)/.test(name),
  );
  return Object.fromEntries(kept);
}

export async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('npm', args, { cwd, env: plainEnvironment(), maxBuffer: MAX_OUTPUT });
  return stdout;
}

/**
 * Fetches the pinned tarball, checks its hash and unpacks `tarArguments`' choice of it into `folder`.
 * @throws Error when the registry's bytes are not the pinned ones
 */
export async function unpack(pin: Pin, folder: string, tarArguments: readonly string[]): Promise<void> {
  const download = `${folder}.download`;
  mkdirSync(download, { recursive: true });
  mkdirSync(folder, { recursive: true });
  const options = ['--json', '--prefer-offline', '--loglevel=error', '--pack-destination', download];
  const packed = JSON.parse(await npm(download, ['pack', pin.spec, ...options])) as [{ filename: string }];
  const tarball = path.join(download, packed[0].filename);
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (integrity !== pin.integrity)
    throw new Error(`${pin.spec}: the tarball's hash is ${integrity}, expected ${pin.integrity}`);
  await run('tar', ['xzf', tarball, '-C', folder, '--no-same-owner', ...tarArguments]);
  rmSync(download, { recursive: true });
}
