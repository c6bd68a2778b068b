import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { EntryDraft } from '../../src/core/model/entry.ts';
import { recall } from '../../src/core/tools/recall.ts';
import type { ToolContext } from '../../src/core/tools/define-tool.ts';
import { assistant, logOf, result, text, toolUse, user } from '../support/builders/entries.ts';
import { toolBench } from '../support/tool-bench.ts';
import type { Figure } from './figure.ts';
import { percentile, timed } from './figure.ts';

const ROUNDS = 500;
const MOST_MS = 150;
const MOST_BLOCKED_MS = 50;
const QUERY = 'the reference value that is in effect for the export';

/** Searching a session of three megabytes by words, beside splitting the same text at its lines and words. */
export async function bench(): Promise<readonly Figure[]> {
  const results = Array.from({ length: ROUNDS }, (_, round) => body(round));
  const entries = logOf(user('Go.'), ...results.flatMap(roundOf));
  const bench = toolBench({ context: { transcript: () => entries } });
  const own: number[] = [];
  const reference: number[] = [];
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  try {
    await ask(bench.context);
    monitor.enable();
    for (let run = 0; run < 20; run += 1) own.push(await timed(() => ask(bench.context)));
    monitor.disable();
    for (let run = 0; run < 20; run += 1)
      reference.push(await timed(() => results.forEach((value) => value.split(/\W+/))));
  } finally {
    bench.dispose();
  }
  const median = percentile(own, 0.5);
  const blocked = monitor.max / 1e6;
  const characters = results.reduce((sum, { length }) => sum + length, 0);
  const splitting = { what: 'splitting it into words, p50', value: percentile(reference, 0.5) };
  return [
    {
      what: `recall by words in ${(characters / 1e6).toFixed(1)} million characters, p50`,
      value: median,
      unit: 'ms',
      reference: splitting,
      bar: { text: `< ${MOST_MS} ms`, holds: median < MOST_MS },
    },
    {
      what: 'longest block of the event loop by it',
      value: blocked,
      unit: 'ms',
      reference: splitting,
      bar: { text: `< ${MOST_BLOCKED_MS} ms`, holds: blocked < MOST_BLOCKED_MS },
    },
  ];
}

async function ask(context: ToolContext): Promise<unknown> {
  return (await recall.prepare({ query: QUERY }, context)).execute();
}

function roundOf(value: string, round: number): readonly EntryDraft[] {
  return [assistant(text(`Step ${round}.`), toolUse(`c${round}`)), result(`c${round}`, value)];
}

function body(round: number): string {
  return Array.from(
    { length: 100 },
    (_, line) => `${line}\texport const value${round} = reference(path, ${line * round}); // in effect`,
  ).join('\n');
}
