import type { DocumentItem } from './document.ts';
import { isBlank } from './render.ts';

export const BLANK_LINE: DocumentItem = { kind: 'prose', text: '' };

/** The items with others behind them, with a blank line between if they are not of one list, and one line end at the end. */
export function appendItems(
  items: readonly DocumentItem[],
  others: readonly DocumentItem[],
): readonly DocumentItem[] {
  const added = withoutBlankEnds(others);
  if (added.length === 0) return items;
  const before = items.slice(0, 1 + items.findLastIndex((item) => !isBlank(item)));
  if (before.length === 0) return [...added, BLANK_LINE];
  const isOneList = before.at(-1)?.kind === 'memory' && added[0]?.kind === 'memory';
  return [...before, ...(isOneList ? [] : [BLANK_LINE]), ...added, BLANK_LINE];
}

function withoutBlankEnds(items: readonly DocumentItem[]): readonly DocumentItem[] {
  const start = items.findIndex((item) => !isBlank(item));
  return start < 0 ? [] : items.slice(start, 1 + items.findLastIndex((item) => !isBlank(item)));
}
