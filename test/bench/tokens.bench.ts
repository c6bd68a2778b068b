import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { WorkerTokenCounter } from '../../src/node/worker-token-counter.ts';
import { buildTokenizer } from '../support/tokenizer-build.ts';
import type { Figure } from './figure.ts';
import { timed } from './figure.ts';

const MOST_BLOCKED_MS = 20;
const SOURCES = ['core/agent/tool-calls.ts', 'core/context/repair.ts', 'host/app.ts', 'node/shell.ts'];

/** Counting code in the worker, beside the bare tokenizer; and the longest the event loop stands still meanwhile. */
export async function bench(): Promise<readonly Figure[]> {
  const build = await buildTokenizer();
  const counter = new WorkerTokenCounter(build);
  try {
    const code = SOURCES.map((file) =>
      readFileSync(path.join(import.meta.dirname, '../../src', file), 'utf8'),
    );
    const texts = Array.from({ length: 20 }, (_, copy) => code.map((text) => `${text}\n// ${copy}`)).flat();
    await counter.count(['warm']);
    const bare = new Tiktoken(o200k);
    let tokens = 0;
    const reference = await timed(() =>
      texts.forEach((text) => (tokens += bare.encode(text, [], []).length)),
    );
    const own = await timed(() => counter.count(texts));
    const rate = (ms: number) => Math.round(tokens / ms);
    const blocked = await longestBlock(() =>
      counter.count(['a'.repeat(1_000_000), code.join('').repeat(20), '='.repeat(1_000_000)]),
    );
    return [
      {
        what: 'counting code in the worker',
        value: rate(own),
        unit: 'tokens/ms',
        reference: { what: 'js-tiktoken alone', value: rate(reference) },
      },
      {
        what: 'longest block of the event loop while 3 MB are counted',
        value: blocked.own,
        unit: 'ms',
        reference: { what: 'the same loop idle', value: blocked.idle },
        bar: { text: `< ${MOST_BLOCKED_MS} ms`, holds: blocked.own < MOST_BLOCKED_MS },
      },
    ];
  } finally {
    counter.dispose();
    build.remove();
  }
}

async function longestBlock(work: () => Promise<unknown>): Promise<{ own: number; idle: number }> {
  const longest = async (during: () => Promise<unknown>) => {
    const monitor = monitorEventLoopDelay({ resolution: 1 });
    monitor.enable();
    await during();
    monitor.disable();
    return monitor.max / 1e6;
  };
  return { idle: await longest(() => sleep(300)), own: await longest(work) };
}
