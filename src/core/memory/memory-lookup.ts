import type { Memory, MemoryId } from '../model/memory.ts';
import type { MemoryDocument } from './document.ts';

/** Ids looked for in one go at first: more than a view has, unless many are not to be told any more. */
const FIRST = 64;

/**
 * Finds the memories of a document in the order in which they stand there. Those behind the last one asked for are not
 * looked for: of ten thousand a view needs thirty.
 */
export function lookupOf(
  document: MemoryDocument,
  memories: readonly Memory[],
): (id: MemoryId | undefined) => Memory | undefined {
  const ids = idsInOrder(document);
  const found = new Map<MemoryId, Memory | undefined>();
  let most = FIRST;
  return (id) => {
    while (id !== undefined && !found.has(id)) {
      const wanted = new Set<MemoryId>();
      for (let next = ids.next(); next.done !== true; next = ids.next()) {
        wanted.add(next.value);
        if (wanted.size === most) break;
      }
      if (wanted.size === 0) return undefined;
      for (const each of wanted) found.set(each, undefined);
      for (const memory of memories) if (wanted.has(memory.id)) found.set(memory.id, memory);
      most *= 4;
    }
    return id === undefined ? undefined : found.get(id);
  };
}

function* idsInOrder({ items, learnt }: MemoryDocument): Generator<MemoryId> {
  for (const item of items) if (item.kind === 'memory' && item.id !== undefined) yield item.id;
  for (const { id } of learnt) if (id !== undefined) yield id;
}
