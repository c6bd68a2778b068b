import type { MemoryId } from '../model/memory.ts';
import type { DocumentItem, DocumentMemory, MemoryDocument } from './document.ts';
import { tokenOf } from './item-token.ts';
import { editsOf } from './merge-sequence.ts';
import { idsIn } from './named-alike.ts';

/** Where the lines of memories stood that have left MEMORY.md: for an undo, as long as the process lives. */
export class LinePlaces {
  #items: readonly DocumentItem[] = [];

  /** the person's part as it was read last, and in it what has left it */
  get items(): readonly DocumentItem[] {
    return this.#items;
  }

  /** Takes in a document as file and store agree on it. */
  note(document: MemoryDocument): void {
    const shown = idsIn(document);
    this.#items = putBack(document.items, this.#items, (item, id) => (shown.has(id) ? undefined : item));
  }
}

/** The items, and those of others that are wanted, behind the line that they stood behind. */
export function putBack(
  items: readonly DocumentItem[],
  others: readonly DocumentItem[],
  wanted: (item: DocumentMemory, id: MemoryId) => DocumentItem | undefined,
): readonly DocumentItem[] {
  const { kept, added } = editsOf(others, items, tokenOf);
  const result: DocumentItem[] = [];
  for (let at = 0; at <= others.length; at++) {
    for (const item of added.get(at) ?? []) result.push(item);
    const other = others[at];
    const item =
      kept.get(at) ??
      (other?.kind === 'memory' && other.id !== undefined ? wanted(other, other.id) : undefined);
    if (item !== undefined) result.push(item);
  }
  return result;
}
