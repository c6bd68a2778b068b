import { useRef, useState } from 'preact/hooks';
import { isRunning } from '../../src/protocol/activity.ts';
import type { PanelItem, PanelState, ToolItem } from '../../src/protocol/view-model.ts';
import { activityText } from '../activity.ts';
import { useJump } from '../jump.ts';
import { useStore } from '../state.ts';
import { useStickyScroll } from '../sticky-scroll.ts';
import { EmptyState } from './empty-state.tsx';
import { ErrorBlock, LimitBlock } from './error-block.tsx';
import { Icon } from './icon.tsx';
import { GROUP_SIZE, ItemGroup, itemKey } from './item-group.tsx';
import { OutputPager } from './output-pager.tsx';
import { StatusLine } from './status-line.tsx';

/** Groups that are drawn when a long session is opened; the earlier ones on demand. */
const FIRST_GROUPS = 4;

export function Conversation({ state }: { readonly state: PanelState }) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { activity } = state;
  const items = inReadingOrder(state.items);
  const groups = useGroups(items, state.sessionId);
  const { isAtEnd, jumpToEnd, letGo } = useStickyScroll({
    scroller,
    content,
    sessionId: state.sessionId,
    lastSaid: lastSaid(items),
  });
  const read = useReadOutput(state);
  useJump({ scroller, items, reveal: groups.reveal, letGo });
  return (
    <main class="conversation">
      <div class="scroller" ref={scroller} tabIndex={-1} inert={read !== undefined}>
        <div class="content" ref={content}>
          {groups.first > 0 && (
            <button type="button" class="button secondary earlier" onClick={groups.showEarlier}>
              Show earlier messages
            </button>
          )}
          <div
            role="log"
            aria-label="Conversation"
            aria-live="polite"
            aria-busy={activity.kind === 'streaming'}
          >
            {groups.shown.map(({ index, members }) => (
              <ItemGroup
                key={index}
                items={members}
                start={index * GROUP_SIZE}
                lastNote={isRunning(activity) ? undefined : lastErrorId(items)}
              />
            ))}
          </div>
          {items.length === 0 && activity.kind === 'idle' && <EmptyState environment={state.environment} />}
          <Ending state={state} />
        </div>
      </div>
      {!isAtEnd && read === undefined && (
        <button type="button" class="jump" onClick={jumpToEnd}>
          <Icon name="arrow-down" />
          Jump to latest
        </button>
      )}
      <p class="visually-hidden" role="status">
        {activityText(activity)}
      </p>
      {read && <OutputPager key={read.toolUseId} item={read} />}
    </main>
  );
}

/** The call whose output is open in the conversation's place. */
function useReadOutput({ sessionId, items }: PanelState): ToolItem | undefined {
  const { output } = useStore();
  const open = output.value;
  if (open?.sessionId !== sessionId) return undefined;
  return items.find((item): item is ToolItem => item.kind === 'tool' && item.toolUseId === open.toolUseId);
}

/** What is queued comes after everything that is said. */
function inReadingOrder(items: readonly PanelItem[]): readonly PanelItem[] {
  const isQueued = (item: PanelItem) => item.kind === 'user' && item.isQueued === true;
  return items.some(isQueued)
    ? [...items.filter((item) => !isQueued(item)), ...items.filter(isQueued)]
    : items;
}

function lastSaid(items: readonly PanelItem[]): string | undefined {
  return items.findLast((item) => item.kind === 'user')?.id;
}

/** What stands after the last item: what goes on, or what it takes to go on. */
function Ending({ state: { activity, afterRelief, items } }: { readonly state: PanelState }) {
  if (activity.kind === 'limit') return <LimitBlock />;
  if (activity.kind !== 'failed') {
    return <StatusLine activity={activity} isRelieving={afterRelief !== undefined} />;
  }
  return lastErrorId(items) === undefined ? <ErrorBlock error={activity.error} isCurrent /> : null;
}

/** The failure that the conversation ends with, where the log tells it. */
function lastErrorId(items: readonly PanelItem[]): string | undefined {
  const last = items.at(-1);
  return last?.kind === 'note' && last.error !== undefined ? last.id : undefined;
}

function useGroups(items: readonly PanelItem[], sessionId: string) {
  const { scroll } = useStore();
  const count = Math.ceil(items.length / GROUP_SIZE);
  const [first, setFirst] = useState(() => {
    const place = scroll.peek();
    const index =
      place?.sessionId === sessionId
        ? items.findIndex((item, position) => itemKey(item, position) === place.itemKey)
        : -1;
    const wanted = index < 0 ? count : Math.floor(index / GROUP_SIZE);
    return Math.max(0, Math.min(wanted, count - FIRST_GROUPS));
  });
  const shown = Array.from({ length: Math.max(0, count - first) }, (_, position) => {
    const index = first + position;
    return { index, members: items.slice(index * GROUP_SIZE, (index + 1) * GROUP_SIZE) };
  });
  return {
    first,
    shown,
    showEarlier: () => setFirst(Math.max(0, first - FIRST_GROUPS)),
    reveal: (index: number) => setFirst(Math.min(first, Math.floor(index / GROUP_SIZE))),
  };
}
