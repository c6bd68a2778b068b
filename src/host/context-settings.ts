import type { ContextRules, ContextSettings, ReliefStrategy } from '../core/model/settings.ts';
import { DEFAULT_CONTEXT } from '../core/model/settings.ts';

const STRATEGIES: readonly ReliefStrategy[] = ['summarize', 'fold', 'slidingWindow'];
/** As in the manifest, which only warns. Tokens. */
const MIN_CAP = 1_024;

/** The rule that each setting's value says, or undefined where it says none. */
const RULES: { readonly [Name in keyof ContextRules]: (value: unknown) => ContextRules[Name] | undefined } = {
  evictAt: lineOrOff,
  prepareAt: lineOrOff,
  compactAt: lineOrOff,
  foldAt: lineOrOff,
  strategy: (value) => STRATEGIES.find((strategy) => strategy === value),
  compactionModel: (value) => (typeof value === 'string' ? value.trim() : undefined),
  keepRounds: (value) => wholeNumber(value, 1),
  maxTokens: (value) => (value === null ? null : wholeNumber(value, MIN_CAP)),
};

/**
 * The settings under `plimsoll.context`. What a settings file holds is input: a value out of range counts as not set,
 * so the default holds, and for one model what holds for all.
 */
export function readContext(get: (name: string) => unknown): ContextSettings {
  return { ...DEFAULT_CONTEXT, ...readRules(get), perModel: readPerModel(get('perModel')) };
}

function readRules(get: (name: string) => unknown): Partial<ContextRules> {
  const said = Object.entries(RULES).map(([name, rule]) => [name, rule(get(name))] as const);
  return Object.fromEntries(said.filter(([, value]) => value !== undefined));
}

function readPerModel(value: unknown): ContextSettings['perModel'] {
  if (!isRecord(value)) return {};
  const models = Object.entries(value).flatMap(([model, rules]) =>
    isRecord(rules) ? [[model, readRules((name) => rules[name])] as const] : [],
  );
  return Object.fromEntries(models);
}

/** A share of the budget; null switches the line off. */
function lineOrOff(value: unknown): number | null | undefined {
  if (value === null) return null;
  return typeof value === 'number' && value > 0 && value <= 1 ? value : undefined;
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Undefined for anything that is no whole number of at least `least`. */
export function wholeNumber(value: unknown, least: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= least ? value : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
