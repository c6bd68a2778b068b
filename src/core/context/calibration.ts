import type { UsageEntry } from '../model/entry.ts';

/**
 * What is known of how providers count, beside the reference tokenizer: by provider and model, two running sums whose
 * quotient is the factor. A fold over the usage entries of a log; plain data, never changed in place.
 */
export type Calibration = Readonly<Record<string, CountedSums>>;

interface CountedSums {
  readonly tokens: number;
  readonly billed: number;
}

interface ModelName {
  readonly provider: string;
  readonly id: string;
}

export const UNCALIBRATED: Calibration = {};

/** No tokenizer is further off than this; what looks so is a server that clips, or counts something else. */
export const FACTOR_RANGE = { min: 0.5, max: 2.5 };

/** Counted tokens after which what was learnt before weighs half: a few rounds of work. */
const HALF_LIFE = 4_000;

/**
 * Learns from one report: an exponential moving average of billed ÷ counted, in which each part weighs as much as it
 * has tokens. O(1): only a report that says what part it priced teaches anything.
 */
export function learn(calibration: Calibration, { provider, model, counted }: UsageEntry): Calibration {
  if (counted === undefined || !(counted.tokens > 0)) return calibration;
  const key = keyOf(provider, model);
  const before = calibration[key] ?? { tokens: 0, billed: 0 };
  const kept = 2 ** (-counted.tokens / HALF_LIFE);
  const billed = clamped(counted.billed / counted.tokens) * counted.tokens;
  return {
    ...calibration,
    [key]: { tokens: before.tokens * kept + counted.tokens, billed: before.billed * kept + billed },
  };
}

/** Tokens that the provider bills for one of the reference tokenizer's; 1 as long as nothing was learnt. */
export function factorFor(calibration: Calibration, provider: string, model: string): number {
  const sums = calibration[keyOf(provider, model)];
  return sums === undefined ? 1 : clamped(sums.billed / sums.tokens);
}

/** The factor that one report alone speaks for; undefined where it says nothing of that model. */
export function factorIn(report: UsageEntry | undefined, { provider, id }: ModelName): number | undefined {
  if (report?.provider !== provider || report.model !== id) return undefined;
  const { tokens = 0, billed = 0 } = report.counted ?? {};
  return tokens > 0 ? clamped(billed / tokens) : undefined;
}

function clamped(factor: number): number {
  return Math.min(FACTOR_RANGE.max, Math.max(FACTOR_RANGE.min, factor));
}

function keyOf(provider: string, model: string): string {
  return `${provider}/${model}`;
}
