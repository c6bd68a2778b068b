import { classicModel, currentModel } from '../support/model-server/profiles.ts';
import type { Figure } from './figure.ts';
import { appending, lastTwenty, plimsoll } from './replay/engines.ts';
import { generate } from './replay/generate.ts';
import { replay } from './replay/replay.ts';
import type { ReplaySession } from './replay/session.ts';
import { loadSessions, toSession } from './replay/session.ts';
import { StrictModel } from './replay/strict-model.ts';
import { faithful } from './replay/summaries.ts';
import type { Row, Setting } from './replay/table.ts';
import { rowOf } from './replay/table.ts';

const GENERATED = [1, 2] as const;
const ROUNDS = 250;

interface Measured extends Setting {
  /** tokens at which it compacts, whatever the window */
  readonly cap?: number;
  /** least share of the next step's names, in percent, and most price per round */
  readonly nextStep: number;
  readonly price: number;
}

const SETTINGS: readonly Measured[] = [
  { name: '200k', window: 200_000, nextStep: 97, price: 9_000 },
  { name: '200k, at most 80k of it', window: 200_000, cap: 80_000, nextStep: 94, price: 7_000 },
  { name: '64k', window: 64_000, nextStep: 88, price: 4_700 },
  { name: '32k', window: 32_000, nextStep: 80, price: 3_700 },
];

/**
 * Long sessions, round by round through the engine and through two that everybody writes first. Recordings are read from
 * the folder that PLIMSOLL_TRACES names; without one, sessions are generated that are like real ones.
 */
export async function bench(): Promise<readonly Figure[]> {
  const folder = process.env.PLIMSOLL_TRACES;
  const sessions =
    folder === undefined ? GENERATED.map((seed) => toSession(generate(seed, ROUNDS))) : loadSessions(folder);
  const rows: Row[] = [];
  const figures: Figure[] = [];
  for (const setting of SETTINGS) {
    const own = await rowOf(sessions, plimsoll({ maxTokens: setting.cap ?? null }), setting);
    const naive = await rowOf(sessions, appending, setting);
    rows.push(own, naive, await rowOf(sessions, lastTwenty, setting));
    // What the generator makes up, a real session would not do: the two bars are for recordings.
    figures.push(...figuresOf(own, naive, { ...setting, isRecorded: folder !== undefined }));
  }
  console.table(rows.map(printed));
  return [...figures, await strictFigure(sessions)];
}

function figuresOf(
  own: Row,
  naive: Row,
  { name, nextStep, price, isRecorded }: Measured & { readonly isRecorded: boolean },
): readonly Figure[] {
  const figure = (what: string, of: (row: Row) => number, unit = '%') => ({
    what: `replay at ${name}: ${what}`,
    value: of(own),
    unit,
    reference: { what: naive.engine, value: of(naive) },
  });
  const all = (holds: number) => ({ text: '100%', holds: holds === 100 });
  return [
    { ...figure('rounds accepted', ({ accepted }) => accepted), bar: all(own.accepted) },
    {
      ...figure('price per round', (row) => row.price, 'tokens'),
      ...(isRecorded && { bar: { text: `≤ ${price}`, holds: own.price <= price } }),
    },
    {
      ...figure('requests refused for their size', ({ refused }) => refused, ''),
      bar: { text: 'none', holds: own.refused === 0 },
    },
    { ...figure('facts in view or by recall', ({ kept }) => kept), bar: all(own.kept) },
    {
      ...figure('the user’s constraints in view behind empty summaries', ({ constraints }) => constraints),
      bar: all(own.constraints),
    },
    {
      ...figure('names of the next step in view', (row) => row.nextStep),
      ...(isRecorded && { bar: { text: `≥ ${nextStep}%`, holds: own.nextStep >= nextStep } }),
    },
    // Every tenth round or so compacts, on a machine of any speed: what a round costs has its bar in context.bench.ts.
    figure('processor per round, p95', ({ cpu }) => cpu, 'ms'),
  ];
}

/** With thinking, signed and bound, and behind every rule of the model server: on models of today and of yesterday. */
async function strictFigure(sessions: readonly ReplaySession[]): Promise<Figure> {
  const refusals: string[] = [];
  let asked = 0;
  for (const profile of [currentModel(), classicModel()])
    for (const session of sessions) {
      const model = new StrictModel({ ...profile, window: 64_000 });
      const contender = plimsoll({}, model);
      await replay(session, { contender, window: 64_000, summarise: faithful });
      refusals.push(...model.refusals);
      asked += model.asked;
    }
  for (const refusal of new Set(refusals)) console.error(refusal);
  return {
    what: 'requests refused by the model server’s rules, with signed thinking',
    value: refusals.length,
    unit: '',
    reference: { what: 'requests', value: asked },
    bar: { text: 'none', holds: refusals.length === 0 },
  };
}

function printed(row: Row): Readonly<Record<string, string | number>> {
  const percent = (value: number) => `${value.toFixed(1)}%`;
  return {
    window: row.setting,
    engine: row.engine,
    accepted: percent(row.accepted),
    whole: row.whole,
    'price/round': Math.round(row.price),
    'cache hits': percent(row.cacheHits),
    refused: row.refused,
    'facts in view': percent(row.inView),
    'by recall': percent(row.byRecall),
    constraints: percent(row.constraints),
    'next step': percent(row.nextStep),
    'CPU p95': `${row.cpu.toFixed(1)} ms`,
    objections: row.objections.slice(0, 2).join('; '),
  };
}
