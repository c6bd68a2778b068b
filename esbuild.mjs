// Builds the product into dist/: the extension host bundle, the tokenizer worker with its ranks, SQLite, the webview.
//   node esbuild.mjs [--watch] [--production] [--tests]     --tests also bundles the in-host tests, found by glob
import { build, context } from 'esbuild';
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');

const common = {
  bundle: true,
  logLevel: 'warning',
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};

/** The program is a bundle of its own, read on first use: activation costs no more than a few registrations. */
const programApart = {
  name: 'program-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/app\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './app.js', external: true } : undefined,
    ),
};

const host = {
  ...common,
  entryPoints: {
    extension: 'src/host/extension.ts',
    app: 'src/host/app.ts',
    'tokenizer-worker': 'src/node/tokenizer-worker.ts',
  },
  plugins: [programApart],
  // The editor's `vscode` module is there for `require` only.
  supported: { 'dynamic-import': false },
  outdir: 'dist',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // As escapes the tables of encodings take twice the room: 220 kB.
  charset: 'utf8',
  external: ['vscode'],
};

const webview = {
  ...common,
  entryPoints: { webview: 'webview/main.tsx' },
  outdir: 'dist',
  platform: 'browser',
  format: 'esm',
  target: 'chrome120',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
};

const hostTests = () => ({
  ...common,
  minify: false,
  entryPoints: [
    'test/host/index.ts',
    ...readdirSync('test/host', { recursive: true })
      .filter((name) => String(name).endsWith('.test.ts'))
      .map((name) => path.join('test/host', String(name))),
  ],
  outdir: 'dist/test-host',
  outbase: 'test/host',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode', 'mocha'],
});

/** The tokenizer's ranks are data (2.3 MB): a file of their own that only the worker loads. */
function writeRanks() {
  const ranks = createRequire(import.meta.url)('js-tiktoken/ranks/o200k_base');
  writeFileSync('dist/o200k_base.json', JSON.stringify(ranks.default ?? ranks));
}

/** SQLite (750 kB) as sql.js ships it: read when a memory is first opened. */
function copySql() {
  const { resolve } = createRequire(import.meta.url);
  for (const file of ['sql-wasm.js', 'sql-wasm.wasm'])
    copyFileSync(resolve(`sql.js/dist/${file}`), path.join('dist', file));
}

function printSizes(results) {
  const outputs = results.flatMap(({ metafile }) => Object.entries(metafile.outputs));
  for (const [file, { bytes }] of outputs.filter(([name]) => !name.endsWith('.map')))
    console.log(`${(bytes / 1024).toFixed(0).padStart(6)} kB  ${file}`);
}

if (!flags.has('--watch')) rmSync('dist', { recursive: true, force: true });
mkdirSync('dist', { recursive: true });
writeRanks();
copySql();

const programs = [host, webview, ...(flags.has('--tests') ? [hostTests()] : [])];
if (flags.has('--watch')) {
  for (const options of programs) await (await context({ ...options, logLevel: 'info' })).watch();
} else {
  printSizes(await Promise.all(programs.map((options) => build({ ...options, metafile: true }))));
}
