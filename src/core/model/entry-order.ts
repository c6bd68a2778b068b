import type { EntryId } from './entry.ts';

/** Place of an entry in its log, from 1: ids count up. */
export function orderOf(id: EntryId): number {
  return Number(id.slice(1));
}
