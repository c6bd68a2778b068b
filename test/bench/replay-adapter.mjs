// The engine for a replay ruler: bundled for plain Node from the very code the extension runs.
//   PLIMSOLL_CONTEXT='{"maxTokens":80000}'   rules that differ from the defaults
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = path.join(import.meta.dirname, '../../node_modules/.cache/plimsoll');
const outfile = path.join(folder, `replay-engine-${process.pid}.mjs`);
mkdirSync(folder, { recursive: true });
await build({
  entryPoints: [path.join(import.meta.dirname, 'replay-engine.ts')],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile,
  logLevel: 'error',
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
const { createReplayEngine } = await import(pathToFileURL(outfile).href);

export const label = 'Plimsoll';
export const version = () => 'working tree';

const rules = JSON.parse(process.env.PLIMSOLL_CONTEXT ?? '{}');

export async function create(world) {
  return { recoverAttempts: 2, ...createReplayEngine(world, rules) };
}
