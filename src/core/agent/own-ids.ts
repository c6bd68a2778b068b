import type { AssistantBlock } from '../model/content.ts';
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
  const taken = new Set(
    entries.flatMap((entry) => (entry.kind === 'assistant' ? toolUseIds(entry.blocks) : [])),
  );
  return blocks.map((block) => {
    if (block.type !== 'tool_use') return block;
    const id = VALID_ID.test(block.id) && !taken.has(block.id) ? block.id : freshId(taken);
    taken.add(id);
    return id === block.id ? block : { ...block, id };
  });
}

function toolUseIds(blocks: readonly AssistantBlock[]): string[] {
  return blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}

function freshId(taken: ReadonlySet<string>): string {
  let number = taken.size + 1;
  while (taken.has(`call_${number}`)) number += 1;
  return `call_${number}`;
}
