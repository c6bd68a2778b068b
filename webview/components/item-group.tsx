import { assertNever } from '../../src/core/model/assert-never.ts';
import type { PanelItem } from '../../src/protocol/view-model.ts';
import { memo } from '../memo.ts';
import { CompactionRow } from './compaction-row.tsx';
import { EvictionRow } from './eviction-row.tsx';
import { AssistantMessage, Note, UserMessage } from './messages.tsx';
import { ReliefNote } from './relief-row.tsx';
import { ToolCard } from './tool-card.tsx';

/** Items are drawn in groups, so that a frame of a long conversation looks at a few groups and not at every item. */
export const GROUP_SIZE = 50;

interface ItemGroupProps {
  readonly items: readonly PanelItem[];
  /** index of the first in the conversation */
  readonly start: number;
  /** id of the note that is the last word */
  readonly lastNote: string | undefined;
}

export const ItemGroup = memo(
  function ItemGroup({ items, start, lastNote }: ItemGroupProps) {
    return (
      <div class="item-group">
        {items.map((item, index) => {
          const key = itemKey(item, start + index);
          const isLastNote = item.kind === 'note' && item.id === lastNote;
          return <ItemView key={key} itemKey={key} item={item} isCurrent={isLastNote} />;
        })}
      </div>
    );
  },
  (a, b) =>
    a.lastNote === b.lastNote &&
    a.items.length === b.items.length &&
    a.items.every((item, index) => item === b.items[index]),
);

/** Stable while an item lives: an answer keeps its place, and so its drawn blocks, when its entry replaces the stream. */
export function itemKey(item: PanelItem, index: number): string {
  switch (item.kind) {
    case 'tool':
      return item.toolUseId;
    case 'assistant':
      return `answer-${index}`;
    case 'user':
    case 'note':
    case 'eviction':
    case 'compaction':
    case 'relief_note':
      return item.id;
    default:
      return assertNever(item);
  }
}

interface ItemViewProps {
  readonly item: PanelItem;
  readonly itemKey: string;
  readonly isCurrent: boolean;
}

const ItemView = memo(function ItemView({ item, itemKey: key, isCurrent }: ItemViewProps) {
  return (
    <div class={`item ${item.kind}`} data-key={key}>
      <ItemContent item={item} isCurrent={isCurrent} />
    </div>
  );
});

function ItemContent({ item, isCurrent }: Omit<ItemViewProps, 'itemKey'>) {
  switch (item.kind) {
    case 'user':
      return <UserMessage item={item} />;
    case 'assistant':
      return <AssistantMessage item={item} />;
    case 'tool':
      return <ToolCard item={item} />;
    case 'note':
      return <Note item={item} isCurrent={isCurrent} />;
    case 'eviction':
      return <EvictionRow item={item} />;
    case 'compaction':
      return <CompactionRow item={item} />;
    case 'relief_note':
      return <ReliefNote item={item} />;
    default:
      return assertNever(item);
  }
}
