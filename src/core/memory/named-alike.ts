import type { MemoryId } from '../model/memory.ts';
import type { DocumentItem, DocumentMemory, MemoryDocument } from './document.ts';
import { tidyText } from './tidy.ts';

interface Sides {
  readonly base: MemoryDocument;
  readonly mine: MemoryDocument;
  readonly theirs: MemoryDocument;
}

/**
 * A bullet that somebody typed has got an id on one side, and on the others it may stand without: it is the same memory, and
 * they are given that id. Not where the base knows the id: then a side has taken it away.
 */
export function namedAlike({ base, mine, theirs }: Sides): Sides {
  const known = idsIn(base);
  const ids = new Map<string, MemoryId>();
  for (const { id, text } of [...memoriesOf(theirs), ...memoriesOf(mine)])
    if (id !== undefined && !known.has(id)) ids.set(tidyText(text), id);
  if (ids.size === 0) return { base, mine, theirs };
  return { base: named(base, ids), mine: named(mine, ids), theirs: named(theirs, ids) };
}

export function memoriesOf({ items, learnt }: MemoryDocument): readonly DocumentMemory[] {
  return [...items.filter((item) => item.kind === 'memory'), ...learnt];
}

export function idsIn(document: MemoryDocument): Set<MemoryId> {
  return new Set(memoriesOf(document).flatMap(({ id }) => (id === undefined ? [] : [id])));
}

function named(document: MemoryDocument, ids: ReadonlyMap<string, MemoryId>): MemoryDocument {
  const shown = idsIn(document);
  const items = document.items.map((item): DocumentItem => {
    if (item.kind === 'prose' || item.id !== undefined) return item;
    const id = ids.get(tidyText(item.text));
    if (id === undefined || shown.has(id)) return item;
    shown.add(id);
    return { ...item, id };
  });
  return { ...document, items };
}
