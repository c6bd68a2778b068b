import { setTimeout as sleep } from 'node:timers/promises';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { TokenTable } from '../../src/core/context/token-table.ts';
import type { TokenCounter } from '../../src/core/ports/token-counter.ts';
import { WorkerTokenCounter } from '../../src/node/worker-token-counter.ts';
import { messages, noise, only, readModule } from '../support/real-texts.ts';
import { buildTokenizer } from '../support/tokenizer-build.ts';
import type { Figure } from './figure.ts';
import { cpuTimed, longestBlock } from './figure.ts';

const MEGABYTE = 1_000_000;
const LEAST_RATE = 100;
const MOST_BLOCKED_MS = 20;

/** Texts up to here are read whole, not sampled. */
const WHOLE = 250_000;

/** A result of ordinary length. */
const RESULT = 10_000;

/** What the bare tokenizer is given: it takes minutes for more of a text without breaks. */
const SHORT = 1_000;

const CODE = readModule('typescript/lib/lib.dom.d.ts', MEGABYTE);

const TEXTS: readonly (readonly [kind: string, text: string])[] = [
  ['code', CODE],
  ['English', readModule('typescript/lib/typescript.d.ts', MEGABYTE).replaceAll(/[^A-Za-z ,.\n]+/g, '')],
  ['Chinese', messages('zh-cn', MEGABYTE)],
  ['Han without a break', only(messages('zh-cn', MEGABYTE) + messages('zh-tw', MEGABYTE), 'Han')],
  ['Hangul without a break', only(messages('ko', MEGABYTE), 'Hangul')],
  ['one long line', CODE.replaceAll(/\s+/g, ' ')],
  ['base64 without a break', noise(MEGABYTE * 0.75).toString('base64')],
  ['one letter a million times', 'a'.repeat(MEGABYTE)],
];

/** Counting in the worker, beside the bare tokenizer; and the longest the event loop stands still meanwhile. */
export async function bench(): Promise<readonly Figure[]> {
  const build = await buildTokenizer();
  const counter = new WorkerTokenCounter(build);
  try {
    await counter.count([readModule('typescript/lib/typescript.js', WHOLE)]);
    const bare = new Tiktoken(o200k);
    const figures: Figure[] = [];
    for (const [kind, text] of TEXTS) {
      const [first = '', ...more] = partsOf(text.slice(0, 4 * SHORT), SHORT);
      await bareTokens(bare, [first]); // warms it up
      const reference = await rateOf(() => bareTokens(bare, more));
      const value = await rateOf(() => workerTokens(counter, text));
      figures.push({
        what: `counting in the worker: ${kind}`,
        value,
        unit: 'tokens/ms',
        reference: { what: 'js-tiktoken alone', value: reference },
        bar: { text: `≥ ${LEAST_RATE}k tokens/s of the processor`, holds: value >= LEAST_RATE },
      });
    }
    return [...figures, await blockFigure(counter)];
  } finally {
    counter.dispose();
    build.remove();
  }
}

/** Per millisecond of the processor's time. */
async function rateOf(work: () => Promise<number>): Promise<number> {
  let tokens = 0;
  const ms = await cpuTimed(async () => (tokens = await work()));
  return tokens / ms;
}

async function workerTokens(counter: TokenCounter, text: string): Promise<number> {
  const counts = await counter.count(partsOf(text, WHOLE));
  return (counts ?? []).reduce((sum, count) => sum + count, 0);
}

function bareTokens(bare: Tiktoken, parts: readonly string[]): Promise<number> {
  return Promise.resolve(parts.reduce((sum, part) => sum + bare.encode(part, [], []).length, 0));
}

function partsOf(text: string, length: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}

/** A megabyte of each kind, in one block and in many, estimated and counted as the product does it; the worst of them. */
async function blockFigure(counter: TokenCounter): Promise<Figure> {
  let value = 0;
  for (const [, text] of TEXTS) {
    const whole = text.repeat(Math.ceil(MEGABYTE / text.length)).slice(0, MEGABYTE);
    for (const length of [MEGABYTE, RESULT]) {
      const blocks = partsOf(whole, length).map((part) => ({ type: 'text', text: part }) as const);
      const own = await longestBlock(async () => {
        const table = new TokenTable();
        await sleep(5);
        blocks.forEach((block) => table.tokens(block));
        await table.count(blocks, counter);
      }, MOST_BLOCKED_MS);
      value = Math.max(value, own);
    }
  }
  const idle = await longestBlock(() => sleep(300), Infinity);
  return {
    what: 'longest block of the event loop while 1 MB of any kind is counted',
    value,
    unit: 'ms',
    reference: { what: 'the same loop idle', value: idle },
    bar: { text: `< ${MOST_BLOCKED_MS} ms`, holds: value < MOST_BLOCKED_MS },
  };
}
