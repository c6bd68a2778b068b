import type { Budget } from '../src/core/model/budget.ts';
import type { ItemState, Ledger, LedgerCategory, LedgerItem } from '../src/core/model/ledger.ts';
import { formatCount, formatPercent, formatShortCount, plural } from './format.ts';

export type Load = 'green' | 'yellow' | 'red';

/** The meter as it is drawn. Shares are of the whole window, 0 to 1, from its left end. */
export interface MeterBar {
  readonly load: Load;
  readonly fill: number;
  readonly marks: readonly MeterMark[];
  /** where the reserved output begins; from there to the end nothing can be put in */
  readonly reservedFrom: number;
}

export interface MeterMark {
  readonly name: string;
  readonly at: number;
  /** what the engine does here, and where that is */
  readonly words: string;
}

/** A place on the budget at which the engine acts. */
export interface LoadMark {
  readonly name: string;
  readonly words: string;
  readonly tokens: number;
}

/** The load lines that are on, and the economy cap where one is set, as tokens. */
export function loadMarks({ tokens, lines, cap }: Budget): readonly LoadMark[] {
  const line = (name: string, words: string, share: number | undefined) =>
    tokens === undefined || share === undefined
      ? []
      : [{ name, words: `${words} at ${formatPercent(share)}`, tokens: Math.round(share * tokens) }];
  return [
    ...line('evict', 'Move old results out', lines.evict),
    ...line('prepare', 'Prepare a summary', lines.prepare),
    ...line('compact', 'Compact', lines.compact),
    ...line('fold', 'Fold without a model', lines.fold),
    ...(cap === undefined ? [] : [{ name: 'cap', words: 'Economy: compact at the latest', tokens: cap }]),
  ];
}

/** Undefined where the window is unknown: a bar without an end would be an invention. */
export function meterBar({ total, budget }: Ledger): MeterBar | undefined {
  const { window, tokens, reservedOutput } = budget;
  if (window === undefined || tokens === undefined || window <= 0 || tokens <= 0) return undefined;
  return {
    load: loadOf(total / tokens),
    fill: clampShare(total / window),
    marks: loadMarks(budget).map(({ name, words, tokens: place }) => ({
      name,
      at: clampShare(place / window),
      words: `${words}: ${formatCount(place)} tokens`,
    })),
    reservedFrom: clampShare((window - reservedOutput) / window),
  };
}

export function loadOf(share: number): Load {
  if (share < 0.5) return 'green';
  return share < 0.8 ? 'yellow' : 'red';
}

/** What the meter says to somebody who cannot see it: one sentence, with its certainty. */
export function meterSentence({ phase, total, budget }: Ledger): string {
  const about = phase === 'estimate' ? 'About ' : '';
  const certainty = phase === 'estimate' ? 'estimate' : 'as reported by the provider';
  const used = `${about}${formatCount(total)}`;
  if (budget.tokens === undefined) return `${used} tokens, window unknown; ${certainty}`;
  const share = formatPercent(total / budget.tokens);
  return `${used} of ${formatCount(budget.tokens)} tokens, ${share} of the budget; ${certainty}`;
}

/** The figures beside the bar. */
export function meterCaption({ phase, total, budget }: Ledger): { main: string; detail: string } {
  const about = phase === 'estimate' ? '≈ ' : '';
  if (budget.tokens === undefined)
    return { main: `${about}${formatCount(total)} tokens`, detail: 'window unknown' };
  return {
    main: `${about}${formatPercent(total / budget.tokens)}`,
    detail: `${formatShortCount(total)} / ${formatShortCount(budget.tokens)}`,
  };
}

const CATEGORY_NAMES: Readonly<Record<LedgerCategory, string>> = {
  system: 'System prompt',
  tools: 'Tool definitions',
  summary: 'Summary',
  user: 'Your messages',
  assistant: 'Answers',
  thinking: 'Thinking',
  tool_result: 'Tool results',
  reminder: 'Reminders',
};

export interface MeterPart {
  readonly category: LedgerCategory;
  readonly name: string;
  readonly tokens: number;
  /** of the total */
  readonly share: number;
  /** in the order of the request */
  readonly items: Ledger['items'];
}

/** How an item stands that is not simply there; most are. */
export const STATE_WORDS: Readonly<Record<ItemState, string>> = {
  kept: '',
  evicted: 'evicted',
  summarised: 'summarised',
  offloaded: 'offloaded',
  pinned: 'pinned',
};

export function ageWords(age: number | undefined): string {
  if (age === undefined) return '';
  return age === 0 ? 'newest round' : `${plural(age, 'round')} ago`;
}

/** The total by category, in the order of the request; they sum to it. */
export function meterParts({ items, total }: Ledger): readonly MeterPart[] {
  const categories = Object.keys(CATEGORY_NAMES) as readonly LedgerCategory[];
  return categories.flatMap((category) => {
    const members = items.filter((item) => item.category === category);
    if (members.length === 0) return [];
    const tokens = members.reduce((sum, item) => sum + item.tokens, 0);
    const share = total > 0 ? tokens / total : 0;
    return [{ category, name: CATEGORY_NAMES[category], tokens, share, items: members }];
  });
}

/** What an item is called where its category does not stand above it. */
export function itemName({ category, label }: LedgerItem): string {
  const says = category === 'tool_result' || category === 'assistant' || category === 'thinking';
  return says && label !== CATEGORY_NAMES[category] ? label : `${CATEGORY_NAMES[category]}: ${label}`;
}

export function largestItems({ items }: Ledger, count: number): Ledger['items'] {
  return items
    .filter((item) => item.tokens > 0)
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, count);
}

function clampShare(share: number): number {
  return Math.min(1, Math.max(0, share));
}
