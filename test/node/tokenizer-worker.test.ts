import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WorkerTokenCounter } from '../../src/node/worker-token-counter.ts';
import { referenceCount } from '../support/reference-tokenizer.ts';
import type { TokenizerBuild } from '../support/tokenizer-build.ts';
import { buildTokenizer } from '../support/tokenizer-build.ts';

let built: TokenizerBuild;
/** loading the ranks takes seconds, so one worker serves the tests that only count */
let real: WorkerTokenCounter;
let counter: WorkerTokenCounter | undefined;

beforeAll(async () => {
  built = await buildTokenizer();
  real = new WorkerTokenCounter(built);
});
afterAll(() => {
  real.dispose();
  built.remove();
});
afterEach(() => counter?.dispose());

const start = (options: { script?: string; ranks?: string; deadlineMs?: number } = {}): WorkerTokenCounter =>
  (counter = new WorkerTokenCounter({ script: built.script, ranks: built.ranks, ...options }));

/** A worker program of the test's own, in place of the real one. */
function program(source: string): string {
  const file = path.join(built.directory, `program-${Math.random()}.cjs`);
  writeFileSync(file, `const { parentPort } = require('node:worker_threads');\n${source}`);
  return file;
}

describe('the token counter', () => {
  it('counts as the reference does, special names of tokens included', async () => {
    const texts = ['', 'Hello, world', 'if (a <|endoftext|> b) return;\n\tx += 1;', '吾輩は猫である。🎉'];
    await expect(real.count(texts)).resolves.toEqual(texts.map(referenceCount));
  });

  it('T15: counts 20,000 equal characters, for which the tokenizer alone takes minutes', async () => {
    const counts = await real.count(['a'.repeat(20_000), '='.repeat(20_000), ' '.repeat(20_000)]);
    // What the vocabulary allows at best: 8, 64 to 80, and 128 of them a token.
    expect(counts).toEqual([2_500, 312, 157]);
  });

  it('T15: bounds the copy and the count of a text of 20 MB', async () => {
    const text = 'const value = compute(1);\n'.repeat(800_000);
    const [tokens] = (await real.count([text])) ?? [];
    expect(Math.abs(tokens! / (800_000 * referenceCount('const value = compute(1);\n')) - 1)).toBeLessThan(
      0.02,
    );
  });

  it('answers in order, also across many messages', async () => {
    const asked = Array.from({ length: 20 }, (_, i) =>
      real.count(['one '.repeat(i + 1), 'x'.repeat(i * 40_000)]),
    );
    const counts = await Promise.all(asked);
    expect(counts.map((pair) => pair?.[1])).toEqual(Array.from({ length: 20 }, (_, i) => i * 5000));
    expect(counts[3]?.[0]).toBe(referenceCount('one one one one '));
  });

  it('resolves to undefined where the ranks are missing', async () => {
    await expect(
      start({ ranks: path.join(built.directory, 'absent.json') }).count(['x']),
    ).resolves.toBeUndefined();
  });

  it('resolves to undefined where the program is missing', async () => {
    await expect(
      start({ script: path.join(built.directory, 'absent.js') }).count(['x']),
    ).resolves.toBeUndefined();
  });

  it('starts again after a crash, and goes on counting', async () => {
    const script = program(`parentPort.on('message', (texts) => {
      if (texts[0] === 'crash') throw new Error('crash');
      parentPort.postMessage(texts.map((text) => text.length));
    });`);
    start({ script });
    const counts = ['a', 'crash', 'bb', 'crash', 'crash', 'ccc'].map((text) => counter!.count([text]));
    await expect(Promise.all(counts)).resolves.toEqual([[1], undefined, [2], undefined, undefined, [3]]);
  });

  it('gives a worker up that fails three times in a row', async () => {
    const script = program(`parentPort.on('message', (texts) => {
      if (texts[0] === 'crash') throw new Error('crash');
      parentPort.postMessage([1]);
    });`);
    start({ script });
    const counts = ['crash', 'crash', 'crash', 'fine'].map((text) => counter!.count([text]));
    await expect(Promise.all(counts)).resolves.toEqual([undefined, undefined, undefined, undefined]);
  });

  it('ends a worker that does not answer in time', async () => {
    const script = program(`parentPort.on('message', () => { for (;;); });`);
    await expect(start({ script, deadlineMs: 200 }).count(['x'])).resolves.toBeUndefined();
  });

  it('resolves what is under way to undefined when it is disposed, and all later requests', async () => {
    const script = program(`parentPort.on('message', () => undefined);`);
    start({ script });
    const waiting = counter!.count(['x']);
    await new Promise((resolve) => setTimeout(resolve, 50));
    counter!.dispose();
    await expect(waiting).resolves.toBeUndefined();
    await expect(counter!.count(['x'])).resolves.toBeUndefined();
  });

  it('starts no worker for nothing', async () => {
    await expect(start({ script: 'no such program' }).count([])).resolves.toEqual([]);
  });

  it('never keeps the process alive', async () => {
    const module = path.join(built.directory, 'worker-token-counter.cjs');
    const source = path.join(import.meta.dirname, '../../src/node/worker-token-counter.ts');
    await build({ entryPoints: [source], outfile: module, bundle: true, platform: 'node', format: 'cjs' });
    const main = `
      const { WorkerTokenCounter } = require(${JSON.stringify(module)});
      const counter = new WorkerTokenCounter(${JSON.stringify({ script: built.script, ranks: built.ranks })});
      void counter.count(['x']);
      const beat = setInterval(() => {}, 10);
      void counter.count(['y']).then(() => clearInterval(beat));`;
    const { status } = spawnSync(process.execPath, ['-e', main], { timeout: 30_000 });
    expect(status).toBe(0);
  });
});
