import { estimateTokens } from '../../src/core/context/estimate-tokens.ts';
import {
  billedSession,
  CONTENTS,
  counterOf,
  HiddenBilling,
  missesAfter,
  textCounter,
} from '../support/billed-session.ts';
import type { Figure } from './figure.ts';
import { mean, timed } from './figure.ts';

const MOST_MISSED = 3;
const USAGES = 3;
/** A tokenizer that the engine never sees. */
const HIDDEN = 1.13;

/**
 * By how much the estimate of what a request adds misses what is billed for it, while each round reads another kind of
 * content; beside the same estimate before anything was learnt.
 */
export async function bench(): Promise<readonly Figure[]> {
  const count = textCounter();
  const billing = new HiddenBilling((text) => count(text) * HIDDEN);
  const misses: number[] = [];
  const unlearnt: number[] = [];
  for (let turn = 0; turn < CONTENTS.length; turn += 1) {
    const contents = [...CONTENTS.slice(turn), ...CONTENTS.slice(0, turn)];
    const rounds = await billedSession(billing, counterOf(count), contents);
    misses.push(...missesAfter(rounds, USAGES));
    unlearnt.push(missesAfter(rounds, 0)[0] ?? Number.NaN);
  }
  const worst = 100 * Math.max(...misses);
  return [
    {
      what: `estimate of the added part after ${USAGES} real usages, worst of ${misses.length} requests`,
      value: worst,
      unit: '% off',
      reference: { what: 'before the first usage', value: 100 * mean(unlearnt) },
      bar: { text: `≤ ${MOST_MISSED}%`, holds: worst <= MOST_MISSED },
    },
    await heuristicFigure(count),
  ];
}

/** What serves until the tokenizer is up. */
async function heuristicFigure(count: (text: string) => number): Promise<Figure> {
  const texts = CONTENTS.map(([, text]) => text);
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  texts.forEach((text) => [estimateTokens(text), count(text)]);
  const own = await timed(() => texts.forEach(estimateTokens));
  const reference = await timed(() => texts.forEach(count));
  return {
    what: 'estimating tokens from characters',
    value: chars / own,
    unit: 'characters/ms',
    reference: { what: 'counting them in the same thread', value: chars / reference },
  };
}
