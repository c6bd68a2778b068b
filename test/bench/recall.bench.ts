import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, EntryDraft } from '../../src/core/model/entry.ts';
import { recall } from '../../src/core/tools/recall/recall.ts';
import type { ToolContext } from '../../src/core/tools/define-tool.ts';
import { assistant, logOf, result, text, toolUse, user } from '../support/builders/entries.ts';
import { toolBench } from '../support/tool-bench.ts';
import type { Figure } from './figure.ts';
import { cpuTimed, longestBlock, percentile } from './figure.ts';

const ROUNDS = 500;
const RUNS = 20;
const MOST_MS = 150;
const MOST_BLOCKED_MS = 50;
const QUERY = 'the reference value that is in effect for the export';

/** Searching a session of three megabytes by words, all of its lines alike; beside splitting the same text into words. */
export async function bench(): Promise<readonly Figure[]> {
  const results = Array.from({ length: ROUNDS }, (_, round) => body(round));
  const characters = results.reduce((sum, { length }) => sum + length, 0);
  const session = (): readonly Entry[] => logOf(user('Go.'), ...results.flatMap(roundOf));
  let entries = session();
  const bench = toolBench({ context: { transcript: () => entries } });
  try {
    const own = await measured(() => ask(bench.context));
    const first = await measured(() => {
      entries = session();
      return ask(bench.context);
    });
    const splitting = {
      what: 'splitting it into words, p50',
      value: await measured(() => results.forEach((value) => value.split(/\W+/))),
    };
    // A new session each time: reading it for the first time takes longest.
    const blocked = await longestBlock(async () => {
      entries = session();
      await sleep(20);
      await ask(bench.context);
    }, MOST_BLOCKED_MS);
    const figure = { unit: 'ms', reference: splitting };
    return [
      {
        ...figure,
        what: `recall by words in ${(characters / 1e6).toFixed(1)} million characters, p50 of the processor`,
        value: own,
        bar: { text: `≤ ${MOST_MS} ms`, holds: own <= MOST_MS },
      },
      { ...figure, what: 'the first time in a session', value: first },
      {
        ...figure,
        what: 'longest block of the event loop by it',
        value: blocked,
        bar: { text: `< ${MOST_BLOCKED_MS} ms`, holds: blocked < MOST_BLOCKED_MS },
      },
    ];
  } finally {
    bench.dispose();
  }
}

/** Median in milliseconds of the processor. */
async function measured(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await cpuTimed(work));
  return percentile(times, 0.5);
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
