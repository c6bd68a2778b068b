import type { EntryId } from '../core/model/entry.ts';
import { orderOf } from '../core/model/entry-order.ts';
import type { PanelItem } from './view-model.ts';

/** Where an entry is shown: its own item, else the last one before it. -1 where nothing comes before it. */
export function indexOfEntry(items: readonly PanelItem[], id: EntryId): number {
  const exact = items.findIndex((item) => idsOf(item).includes(id));
  if (exact >= 0) return exact;
  return items.findLastIndex((item) => idsOf(item).some((other) => orderOf(other) < orderOf(id)));
}

function idsOf(item: PanelItem): readonly EntryId[] {
  if (item.kind === 'tool') return [item.callId, item.resultId].filter((id) => id !== undefined);
  return item.id === 'live' ? [] : [item.id];
}

/** Rows that can still be taken back: those that no later compaction, itself still standing, has covered. */
export function canUndo(items: readonly PanelItem[], id: EntryId): boolean {
  const last = items.findLastIndex((item) => item.kind === 'compaction' && item.isUndone !== true);
  const index = items.findIndex((item) => item.kind !== 'tool' && item.id === id);
  return index >= Math.max(0, last);
}
