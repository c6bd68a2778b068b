import type { EntryId, ReliefOutcome } from '../src/core/model/entry.ts';
import { orderOf } from '../src/core/model/entry-order.ts';
import type { CompactionMethod, EvictionReason, ReliefTrigger } from '../src/core/model/relief-entry.ts';
import type { Usage } from '../src/core/model/usage.ts';
import { contextTokens } from '../src/core/model/usage.ts';
import { indexOfEntry } from '../src/protocol/entry-items.ts';
import type { CompactionItem, EvictionItem, PanelItem } from '../src/protocol/view-model.ts';
import { formatShortCount, plural } from './format.ts';
import { toolLook } from './tools.ts';
import { withUnseen } from './unseen.ts';

// What the rows of evictions and compactions say.

const METHOD_WORDS: Readonly<Record<CompactionMethod, string>> = {
  summary: 'summary',
  signed: 'signed summary',
  fold: 'without a model',
  window: 'sliding window',
};

export const TRIGGER_WORDS: Readonly<Record<ReliefTrigger, string>> = {
  line: 'automatic',
  asked: 'asked',
  cap: 'economy',
  too_long: 'too long',
};

export const REASON_WORDS: Readonly<Record<EvictionReason, string>> = {
  duplicate: 'the same is there again',
  superseded: 'read again or changed since',
  large: 'large and old',
  image: 'old image',
  asked: 'asked',
};

export const OUTCOME_WORDS: Readonly<Record<ReliefOutcome, string>> = {
  skipped: 'Compaction skipped',
  failed: 'Compaction failed',
  cancelled: 'Compaction cancelled',
};

/** `131k → 42k tokens`, and the same for somebody who hears it. */
export function figures({ before, after }: CompactionItem | EvictionItem) {
  const [from, to] = [formatShortCount(before), formatShortCount(after)];
  return { shown: `${from} → ${to} tokens`, said: `from ${from} to ${to} tokens` };
}

export function evictionTitle({ results }: EvictionItem): string {
  return results.every(({ isShortened }) => isShortened)
    ? `${plural(results.length, 'large result')} shortened to fit the window`
    : `${plural(results.length, 'old result')} moved out of the view`;
}

/** What writing the summary took: `cost 131k tokens in (120k from the cache), 900 out`. */
function costWords(cost: Usage): string {
  const cached = cost.cacheRead > 0 ? ` (${formatShortCount(cost.cacheRead)} from the cache)` : '';
  return `cost ${formatShortCount(contextTokens(cost))} tokens in${cached}, ${formatShortCount(cost.output)} out`;
}

/** How and why, and what it cost. */
export function compactionWords({ method, trigger, cost }: CompactionItem): readonly string[] {
  return [METHOD_WORDS[method], TRIGGER_WORDS[trigger], ...(cost ? [costWords(cost)] : [])];
}

/** The places behind `ids`; of those with the same name only the newest, which is the one worth a look. */
export function placesOf(items: readonly PanelItem[], ids: readonly EntryId[]) {
  const newest = new Map<string, EntryId>();
  for (const id of ids) {
    const name = placeName(items, id);
    const known = newest.get(name);
    if (known === undefined || orderOf(id) > orderOf(known)) newest.set(name, id);
  }
  return [...newest].map(([name, id]) => ({ name, id }));
}

const MOST_LETTERS = 40;

/** What a person would call the place that an entry is shown at. */
export function placeName(items: readonly PanelItem[], id: EntryId): string {
  const item = items[indexOfEntry(items, id)];
  switch (item?.kind) {
    case 'tool':
      return `${toolLook(item.tool).verb} ${withUnseen(item.target)}`.trim();
    case 'user':
      return `You: ${beginning(item.text)}`;
    case 'assistant':
      return item.text === '' ? 'Answer' : `Answer: ${beginning(item.text)}`;
    case 'compaction':
      return 'Earlier summary';
    default:
      return id;
  }
}

/** Enough words to tell one message from another. */
function beginning(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length <= MOST_LETTERS ? line : `${letters.slice(0, MOST_LETTERS).join('').trimEnd()}…`;
}
