import { buildSync } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createShell } from '../../src/node/shell.ts';
import { temporaryFolder } from '../support/tool-bench.ts';

let folder: string;
beforeAll(() => (folder = temporaryFolder()));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Uses up every file handle it may have, then starts what the name says, and prints how that went. */
const PROGRAM = `
  import { closeSync, openSync } from 'node:fs';
  import { createRipgrep } from './src/node/ripgrep.ts';
  import { createShell } from './src/node/shell.ts';
  const signal = new AbortController().signal;
  const starts = {
    shell: () => createShell().run({ line: 'true', cwd: '/', timeoutMs: 9_000, keepBytes: 9, signal, onOutput() {} }),
    ripgrep: () => createRipgrep({ binary: 'rg', compileGlob: () => () => true })
      .search({ pattern: 'x', directory: '/', caseSensitive: true, maxMatches: 1, signal }),
  };
  const said = [];
  process.on('unhandledRejection', (error) => said.push('unhandled ' + error));
  process.on('uncaughtException', (error) => said.push('uncaught ' + error));
  const held = [];
  try { for (;;) held.push(openSync('/dev/null')); } catch (error) { said.push(error.code); }
  starts[process.argv[2]]().then(() => said.push('done'), (error) => said.push(error.message));
  setTimeout(() => { held.forEach(closeSync); console.log(JSON.stringify(said)); process.exit(); }, 300);
`;

it.each([
  ['shell', 'The shell cannot be started: spawn /bin/sh EMFILE'],
  ['ripgrep', 'Search cannot run: spawn rg EMFILE'],
])('%s without a file handle left fails in words, and nothing is unhandled', (name, words) => {
  const { outputFiles } = buildSync({
    stdin: { contents: PROGRAM, resolveDir: path.resolve(import.meta.dirname, '../..'), loader: 'ts' },
    ...{ bundle: true, write: false, platform: 'node', format: 'cjs' },
  });
  const file = path.join(folder, `${name}.cjs`);
  writeFileSync(file, outputFiles[0]!.contents);
  const said = execFileSync('/bin/sh', [
    '-c',
    `ulimit -n 100; exec "$0" "$1" ${name}`,
    process.execPath,
    file,
  ]);
  expect(JSON.parse(said.toString())).toEqual(['EMFILE', words]);
});

it('a command line longer than the system takes fails in words', async () => {
  const signal = new AbortController().signal;
  const line = `: ${'x'.repeat(5_000_000)}`;
  const running = createShell().run({
    ...{ line, cwd: folder, timeoutMs: 9_000, keepBytes: 9, signal },
    onOutput: () => undefined,
  });
  await expect(running).rejects.toThrow('The shell cannot be started: spawn E2BIG');
});
