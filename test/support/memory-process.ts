import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

/** The store as a program of its own, to be run by other processes. */
export interface MemoryProgram {
  start(folder: string, options: MemoryProcessOptions): MemoryProcess;
  remove(): void;
}

export interface MemoryProcessOptions {
  readonly checkpointLines: number;
  /** most bytes that a file may have, in steps of 512: beyond, writing fails as it does on a full disk */
  readonly fileBytes?: number;
  /** the user it runs as, where the tests may choose */
  readonly uid?: number;
}

/** Another window on a store. */
export interface MemoryProcess {
  /**
   * Evaluates an expression over `store` (and `fs`, `sleep`) there; gives its value.
   * @throws when the process is killed before it answers
   */
  run(expression: string): Promise<unknown>;
  /** Lines that it printed by `say(…)`. */
  readonly said: readonly string[];
  kill(): Promise<void>;
}

const PROGRAM = `
import fs from 'node:fs';
import { createInterface } from 'node:readline';
import { loadSql } from './src/node/memory/load-sql.ts';
import { openMemoryStore } from './src/node/memory/open-memory-store.ts';
const [, , folder, sql, lines] = process.argv;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const print = (...value) => console.log(JSON.stringify(value));
const say = (value) => print('said', value);
const put = (id, text) => ({ kind: 'put', memory: { id, text, category: 'fact', importance: 3, source: 'agent',
  status: 'active', isPinned: false, createdMs: 1, updatedMs: 1, uses: 0 } });
process.on('SIGXFSZ', () => undefined);
const opening = openMemoryStore({ folder, name: 'p', loadSql: () => loadSql(sql), checkpointLines: Number(lines) });
createInterface({ input: process.stdin }).on('line', async (line) => {
  const store = await opening;
  const run = new Function('store', 'fs', 'sleep', 'say', 'put', 'return (async () => (' + JSON.parse(line) + '))()');
  run(store, fs, sleep, say, put).then(
    (value) => print('done', value ?? null),
    (error) => print('failed', String(error)),
  );
});
`;

export async function buildMemoryProgram(): Promise<MemoryProgram> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-memory-'));
  const file = path.join(folder, 'window.cjs');
  await build({
    stdin: { contents: PROGRAM, resolveDir: path.resolve(import.meta.dirname, '../..'), loader: 'ts' },
    ...{ outfile: file, bundle: true, platform: 'node', format: 'cjs', target: 'node20' },
  });
  chmodSync(folder, 0o755);
  const sql = path.dirname(createRequire(import.meta.url).resolve('sql.js'));
  return {
    start: (store, options) => start([file, store, sql, String(options.checkpointLines)], options),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function start(words: readonly string[], { fileBytes, uid }: MemoryProcessOptions): MemoryProcess {
  const limited = ['-c', `ulimit -f ${(fileBytes ?? 0) / 512}; exec "$0" "$@"`, process.execPath, ...words];
  const [command, given] = fileBytes === undefined ? [process.execPath, words] : ['/bin/sh', limited];
  const child = spawn(command, given, {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid }),
  });
  child.stdin.on('error', () => undefined); // it was killed
  const exited = once(child, 'exit');
  const said: string[] = [];
  const waiting: ((answer: readonly [string, unknown]) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [kind, value] = JSON.parse(line) as [string, unknown];
    if (kind === 'said') said.push(String(value));
    else waiting.shift()?.([kind, value]);
  });
  void exited.then(() => waiting.splice(0).forEach((answer) => answer(['failed', 'it was killed'])));
  return {
    said,
    async run(expression) {
      const answered = new Promise<readonly [string, unknown]>((resolve) => waiting.push(resolve));
      child.stdin.write(`${JSON.stringify(expression)}\n`);
      const [kind, value] = await answered;
      if (kind === 'failed') throw new Error(String(value));
      return value;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
