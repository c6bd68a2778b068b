import { percentile } from '../figure.ts';
import type { Contender } from './engines.ts';
import type { Needle } from './needles.ts';
import type { Outcome } from './replay.ts';
import { priceOf, replay } from './replay.ts';
import { retrievable } from './retrieval.ts';
import type { ReplaySession } from './session.ts';
import { faithful, forgetful } from './summaries.ts';

/** How an engine did in all sessions, in one window. Shares are in percent. */
export interface Row {
  readonly setting: string;
  readonly engine: string;
  readonly rounds: number;
  /** of the rounds */
  readonly accepted: number;
  /** sessions in which every round was accepted */
  readonly whole: string;
  readonly price: number;
  readonly cacheHits: number;
  readonly refused: number;
  readonly inView: number;
  readonly byRecall: number;
  /** facts that are in view or come back by recall */
  readonly kept: number;
  /** what the user laid down, in view although the summaries leave everything out */
  readonly constraints: number;
  readonly nextStep: number;
  /** milliseconds of the processor, of the worst session */
  readonly cpu: number;
  readonly objections: readonly string[];
}

export interface Setting {
  readonly name: string;
  /** tokens */
  readonly window: number;
}

/** All sessions under one engine. */
export async function rowOf(
  sessions: readonly ReplaySession[],
  contender: Contender,
  { name, window }: Setting,
): Promise<Row> {
  const outcomes: Outcome[] = [];
  const kept: { readonly inView: number; readonly byRecall: number; readonly either: number }[] = [];
  const constraints: number[] = [];
  for (const session of sessions) {
    const outcome = await replay(session, { contender, window, summarise: faithful });
    outcomes.push(outcome);
    kept.push(await keptOf(session, outcome));
    const forgotten = await replay(session, { contender, window, summarise: forgetful });
    const laidDown = session.needles.filter(({ kind }) => kind === 'user' || kind === 'goal');
    constraints.push(share(laidDown, ({ id }) => forgotten.lastText.includes(id)));
  }
  const sum = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const rounds = sum((outcome) => outcome.rounds);
  const accepted = sum((outcome) => outcome.accepted);
  return {
    setting: name,
    engine: contender.name,
    rounds,
    accepted: (100 * accepted) / rounds,
    whole: `${outcomes.filter((outcome) => outcome.accepted === outcome.rounds).length}/${outcomes.length}`,
    price: sum((outcome) => priceOf(outcome) * outcome.accepted) / Math.max(1, accepted),
    cacheHits: (100 * sum(({ cached }) => cached)) / sum(({ input }) => input),
    refused: sum(({ refused }) => refused),
    inView: meanOf(kept.map(({ inView }) => inView)),
    byRecall: meanOf(kept.map(({ byRecall }) => byRecall)),
    kept: meanOf(kept.map(({ either }) => either)),
    constraints: meanOf(constraints),
    nextStep: meanOf(outcomes.map(({ support }) => 100 * meanOf(support))),
    cpu: Math.max(...outcomes.map(({ cpu }) => percentile(cpu, 0.95))),
    objections: outcomes.flatMap(({ objections }) =>
      [...objections].map(([what, times]) => `${what} ×${times}`),
    ),
  };
}

async function keptOf({ needles }: ReplaySession, { lastText, engine }: Outcome) {
  const entries = engine.entries?.();
  const isInView = ({ id }: Needle) => lastText.includes(id);
  const found = entries === undefined ? new Set() : await retrievable(needles, entries, lastText);
  return {
    inView: share(needles, isInView),
    byRecall: share(needles, (needle) => found.has(needle)),
    either: share(needles, (needle) => isInView(needle) || found.has(needle)),
  };
}

function share<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return (100 * items.filter(holds).length) / Math.max(1, items.length);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
