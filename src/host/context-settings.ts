import type { ContextRules, ContextSettings, ReliefStrategy } from '../core/model/settings.ts';
import { DEFAULT_CONTEXT } from '../core/model/settings.ts';

const STRATEGIES: readonly ReliefStrategy[] = ['summarize', 'fold', 'slidingWindow'];
/** As in the manifest, which only warns. Tokens. */
const MIN_CAP = 1_024;
const LINE_WORDS = 'a share over 0 and up to 1, or null for never';
/** In the order in which they are reached. */
const LINES = ['evictAt', 'prepareAt', 'compactAt', 'foldAt'] as const;

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

/** What a setting must be, in words that follow “must be”. */
const WANTS: Readonly<Record<keyof ContextRules, string>> = {
  evictAt: LINE_WORDS,
  prepareAt: LINE_WORDS,
  compactAt: LINE_WORDS,
  foldAt: LINE_WORDS,
  strategy: STRATEGIES.map((strategy) => `"${strategy}"`).join(' or '),
  compactionModel: 'the id of a model',
  keepRounds: 'a whole number from 1',
  maxTokens: `a whole number from ${MIN_CAP}, or null for no cap`,
};

/** What a person should know of the settings under `plimsoll.context` that are not taken as they stand: a sentence each. */
export function contextObjections(get: (name: string) => unknown): readonly string[] {
  const rules = { ...DEFAULT_CONTEXT, ...readRules(get) };
  return [
    ...wrongRules(get).map((name) =>
      objection(`context.${name}`, get(name), { wants: WANTS[name], used: DEFAULT_CONTEXT[name] }),
    ),
    ...disorder(rules, (name) => `plimsoll.context.${name}`),
    ...perModelObjections(get('perModel'), rules),
  ].map((text) => `${text}.`);
}

function perModelObjections(value: unknown, rules: ContextRules): readonly string[] {
  if (value === undefined) return [];
  if (!isRecord(value))
    return [
      `plimsoll.context.perModel is ${shown(value)}, but must be an object by model id; nothing is set for single models`,
    ];
  return Object.entries(value).flatMap(([model, own]) => {
    const at = `perModel["${model}"]`;
    if (!isRecord(own))
      return [
        `plimsoll.context.${at} is ${shown(own)}, but must be an object of settings; what is set for all models holds`,
      ];
    const get = (name: string) => own[name];
    const said = readRules(get);
    const isOrdered = disorder(rules, String).length === 0;
    return [
      ...wrongRules(get).map((name) =>
        objection(`context.${at}.${name}`, own[name], { wants: WANTS[name], used: rules[name] }),
      ),
      ...(isOrdered ? disorder({ ...rules, ...said }, (name) => `plimsoll.context.${at}: ${name}`) : []),
    ];
  });
}

function wrongRules(get: (name: string) => unknown): readonly (keyof ContextRules)[] {
  const names = Object.keys(RULES) as readonly (keyof ContextRules)[];
  return names.filter((name) => get(name) !== undefined && RULES[name](get(name)) === undefined);
}

/** Of the lines that are on, those that lie above the next one. */
function disorder(rules: ContextRules, called: (name: string) => string): readonly string[] {
  const lines = LINES.flatMap((name) => (rules[name] === null ? [] : [{ name, at: rules[name] }]));
  return lines.flatMap(({ name, at }, index) => {
    const next = lines[index + 1];
    if (next === undefined || at <= next.at) return [];
    return [
      `${called(name)} (${at}) is above ${next.name} (${next.at}), so ${next.name} acts first; both are used as they are`,
    ];
  });
}

interface Instead {
  readonly wants: string;
  readonly used: unknown;
}

/** That a setting is not taken, and what holds in its place. */
export function objection(name: string, value: unknown, { wants, used }: Instead): string {
  return `plimsoll.${name} is ${shown(value)}, but must be ${wants}; ${shown(used)} is used`;
}

const MOST_LETTERS = 40;

function shown(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS).toWellFormed()}…`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
