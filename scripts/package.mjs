// Builds for production, packs plimsoll-<version>.vsix, and holds the sizes to their bars.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { projectRoot, runNode } from './run.mjs';

const { name, version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
const vsix = `${name}-${version}.vsix`;

/** Bytes. The tokenizer's ranks and SQLite are files of their own and count only in the package. */
const BARS = [
  { what: 'extension', files: ['dist/extension.js', 'dist/app.js'], most: 1_500_000 },
  { what: 'webview', files: ['dist/webview.js', 'dist/webview.css'], most: 500_000 },
  { what: 'package', files: [vsix], most: 6_000_000 },
];

function isWithin({ what, files, most }) {
  const bytes = files.reduce((sum, file) => sum + statSync(path.join(projectRoot, file)).size, 0);
  const kB = (size) => `${Math.ceil(size / 1000)} kB`.padStart(8);
  console.log(`${what.padEnd(10)} ${kB(bytes)} of ${kB(most)}  ${bytes < most ? 'ok' : 'TOO LARGE'}`);
  return bytes < most;
}

const built = await runNode('esbuild.mjs', ['--production']);
if (built !== 0) process.exit(built);
await createVSIX({ cwd: projectRoot, packagePath: path.join(projectRoot, vsix), dependencies: false });
process.exitCode = BARS.map(isWithin).every(Boolean) ? 0 : 1;
