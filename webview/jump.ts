import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { indexOfEntry } from '../src/protocol/entry-items.ts';
import type { PanelItem } from '../src/protocol/view-model.ts';
import { itemKey } from './components/item-group.tsx';
import { useStore } from './state.ts';
import { itemWithKey } from './sticky-scroll.ts';

interface Jump {
  readonly scroller: RefObject<HTMLElement>;
  readonly items: readonly PanelItem[];
  /** draws the item with this index, where it is not */
  readonly reveal: (index: number) => void;
  /** the end no longer holds the reader */
  readonly letGo: () => void;
}

/** Brings the item of an entry into sight and gives it the focus, when somebody follows a source to it. */
export function useJump({ scroller, items, reveal, letGo }: Jump): void {
  const { jump } = useStore();
  const wanted = useRef<string>();
  const entryId = jump.value;
  useLayoutEffect(() => {
    if (entryId === undefined) return;
    jump.value = undefined;
    const index = Math.max(0, indexOfEntry(items, entryId));
    const item = items[index];
    if (item === undefined) return;
    wanted.current = itemKey(item, index);
    letGo();
    reveal(index);
  }, [entryId]);
  // After every drawing: the item may only be there with the next one.
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const element = scroller.current === null ? undefined : itemWithKey(scroller.current, wanted.current);
    if (element === undefined) return;
    wanted.current = undefined;
    element.tabIndex = -1;
    element.scrollIntoView({ block: 'center' });
    element.focus({ preventScroll: true });
  });
}
