import type { AssistantBlock } from '../model/content.ts';
import { incremental } from '../model/incremental.ts';
import type { Entry } from '../model/entry.ts';

/** What the Messages API takes as an id. */
const VALID_ID = /^[a-zA-Z0-9_-]+$/;

/**
 * The blocks with an id of its own for every call. Some servers count from `call_0` in every reply, or write ids that
 * no request may hold; whatever asks, runs or shows a call goes by its id, so it is made unique before it is logged.
 */
export function withOwnIds(
  blocks: readonly AssistantBlock[],
  entries: readonly Entry[],
): readonly AssistantBlock[] {
  const taken = idsIn(entries);
  const given = new Set<string>();
  const isFree = (id: string) => !taken.has(id) && !given.has(id);
  return blocks.map((block) => {
    if (block.type !== 'tool_use') return block;
    let id = block.id;
    for (let number = taken.size + given.size + 1; !VALID_ID.test(id) || !isFree(id); number += 1)
      id = `call_${number}`;
    given.add(id);
    return id === block.id ? block : { ...block, id };
  });
}

const idsIn = incremental(
  () => new Set<string>(),
  (ids, entry) => {
    if (entry.kind !== 'assistant') return;
    for (const block of entry.blocks) if (block.type === 'tool_use') ids.add(block.id);
  },
);
