import type { ImageBlock } from '../model/content.ts';
import { orderOf } from '../model/entry-order.ts';
import { once } from '../model/once.ts';
import type { Conversation, SpokenEntry } from './conversation.ts';
import { isCovered } from './conversation.ts';
import { textOf } from './entry-text.ts';

/** Entries that the person holds in view although a compaction covers them, oldest first. */
export function coveredPins(conversation: Conversation): readonly SpokenEntry[] {
  return [...conversation.pinned.values()]
    .filter(({ id }) => isCovered(conversation, id))
    .sort((a, b) => orderOf(a.id) - orderOf(b.id));
}

export interface HeldContent {
  /** what it says, word for word */
  readonly text: string;
  readonly images: readonly ImageBlock[];
}

/** What of a covered entry stays in view. */
export const heldContent = once((entry: SpokenEntry): HeldContent => {
  switch (entry.kind) {
    case 'tool_result':
      return { text: textOf(entry), images: entry.content.filter((part) => part.type === 'image') };
    case 'assistant': {
      const said = entry.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
      return { text: said.join('\n'), images: [] };
    }
    case 'user':
      return { text: entry.text, images: entry.images ?? [] };
    case 'reminder':
    case 'compaction':
      return { text: entry.text, images: [] };
  }
});
