import type { Ledger, LedgerCategory } from '../src/core/model/ledger.ts';
import { formatCount, formatPercent, formatShortCount } from './format.ts';

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
}

/** Undefined where the window is unknown: a bar without an end would be an invention. */
export function meterBar({ total, budget }: Ledger): MeterBar | undefined {
  const { window, tokens, reservedOutput, lines } = budget;
  if (window === undefined || tokens === undefined || window <= 0 || tokens <= 0) return undefined;
  const mark = (name: string, line: number) => ({ name, at: clampShare((line * tokens) / window) });
  return {
    load: loadOf(total / tokens),
    fill: clampShare(total / window),
    marks: [
      mark('evict', lines.evict),
      mark('prepare', lines.prepare),
      mark('compact', lines.compact),
      mark('fold', lines.fold),
    ],
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
}

/** The total by category, in the order of the request; they sum to it. */
export function meterParts({ items, total }: Ledger): readonly MeterPart[] {
  const categories = Object.keys(CATEGORY_NAMES) as readonly LedgerCategory[];
  return categories.flatMap((category) => {
    const tokens = items
      .filter((item) => item.category === category)
      .reduce((sum, item) => sum + item.tokens, 0);
    if (tokens === 0) return [];
    return [{ category, name: CATEGORY_NAMES[category], tokens, share: total > 0 ? tokens / total : 0 }];
  });
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
