import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { unpack } from './npm-tarball.ts';
import { BROWSER, FONTS } from './pins.ts';

const run = promisify(execFile);
const decompress = promisify(brotliDecompress);

/** The package keeps the browser, its libraries, its fonts and its software renderer compressed. */
const PARTS = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'];

/** Puts the executable `chromium`, its `lib` and its `fonts` into `folder`. */
export async function installChromium(folder: string): Promise<void> {
  await unpack(BROWSER, folder, ['--strip-components=2', 'package/bin']);
  await Promise.all(PARTS.map((part) => expand(folder, part)));
  await unpack(FONTS, path.join(folder, 'fonts/dejavu'), ['--strip-components=2', 'package/ttf']);
}

async function expand(folder: string, part: string): Promise<void> {
  const compressed = path.join(folder, part);
  const plain = compressed.slice(0, -'.br'.length);
  writeFileSync(plain, await decompress(readFileSync(compressed)), { mode: 0o755 });
  rmSync(compressed);
  if (!plain.endsWith('.tar')) return;
  await run('tar', ['xf', plain, '-C', folder, '--no-same-owner']);
  rmSync(plain);
}
