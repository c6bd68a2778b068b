import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ScrollPlace } from './saved-state.ts';
import { useStore } from './state.ts';

/** Pixels from the end that still count as the end. */
const END_TOLERANCE = 32;

/** What opens when it is clicked; the head of a card does too. */
const OPENS = '[aria-expanded="false"], .can-toggle, summary';

/** A reader who rests this long is where they want to be. Milliseconds. */
const REST_MS = 150;

interface StickyScroll {
  readonly scroller: RefObject<HTMLElement>;
  readonly content: RefObject<HTMLElement>;
  readonly sessionId: string;
  /** id of the person's last message: who says something new wants to see what comes of it */
  readonly lastSaid: string | undefined;
}

/**
 * Keeps the end in sight while things grow, unless the reader has scrolled away from it; and remembers where the reader
 * was, across reloads.
 */
export function useStickyScroll({ scroller, content, sessionId, lastSaid }: StickyScroll) {
  const { scroll } = useStore();
  const [isAtEnd, setAtEnd] = useState(true);
  const isStuck = useRef(true);
  const stick = (isSticking: boolean) => {
    isStuck.current = isSticking;
    setAtEnd(isSticking);
  };
  const jumpToEnd = () => {
    stick(true);
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  };

  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const place = scroll.peek();
    const isRestored =
      isFirst.current &&
      scroller.current !== null &&
      place?.sessionId === sessionId &&
      restore(scroller.current, place);
    isFirst.current = false;
    if (isRestored) stick(false);
    else jumpToEnd();
  }, [lastSaid]);

  useEffect(() => {
    const view = scroller.current;
    const inner = content.current;
    if (view === null || inner === null) return undefined;
    const remember = () => (scroll.value = isStuck.current ? undefined : placeIn(view, sessionId));
    return watchScroll({ view, inner, isStuck: () => isStuck.current, stick, remember });
  }, [sessionId]);

  return { isAtEnd, jumpToEnd, letGo: () => stick(false) };
}

interface Watch {
  readonly view: HTMLElement;
  readonly inner: HTMLElement;
  readonly isStuck: () => boolean;
  readonly stick: (isSticking: boolean) => void;
  readonly remember: () => void;
}

function watchScroll({ view, inner, isStuck, stick, remember }: Watch): () => void {
  let rest: ReturnType<typeof setTimeout> | undefined;
  let lastTop = view.scrollTop;
  const isNearEnd = () => view.scrollHeight - view.scrollTop - view.clientHeight <= END_TOLERANCE;
  const onScroll = () => {
    // Content that grows moves the end away from a reader who did not move.
    if (isNearEnd() || view.scrollTop < lastTop) stick(isNearEnd());
    lastTop = view.scrollTop;
    clearTimeout(rest);
    rest = setTimeout(remember, REST_MS);
  };
  // Who opens something wants to read it from its beginning.
  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest(OPENS) !== null) stick(false);
  };
  const follow = new ResizeObserver(() => {
    if (isStuck()) view.scrollTop = view.scrollHeight;
    else if (isNearEnd()) stick(true);
  });
  follow.observe(inner);
  follow.observe(view);
  view.addEventListener('scroll', onScroll, { passive: true });
  view.addEventListener('click', onClick, true);
  return () => {
    clearTimeout(rest);
    follow.disconnect();
    view.removeEventListener('scroll', onScroll);
    view.removeEventListener('click', onClick, true);
  };
}

function itemsOf(view: HTMLElement): readonly HTMLElement[] {
  return [...view.querySelectorAll<HTMLElement>('[data-key]')];
}

export function itemWithKey(view: HTMLElement, key: string): HTMLElement | undefined {
  return itemsOf(view).find((candidate) => candidate.dataset['key'] === key);
}

function placeIn(view: HTMLElement, sessionId: string): ScrollPlace | undefined {
  const top = view.getBoundingClientRect().top;
  const first = itemsOf(view).find((item) => item.getBoundingClientRect().bottom > top);
  const itemKey = first?.dataset['key'];
  if (first === undefined || itemKey === undefined) return undefined;
  return { sessionId, itemKey, offset: Math.round(top - first.getBoundingClientRect().top) };
}

function restore(view: HTMLElement, place: ScrollPlace): boolean {
  const item = itemWithKey(view, place.itemKey);
  if (item === undefined) return false;
  item.scrollIntoView({ block: 'start' });
  view.scrollTop += place.offset;
  return true;
}
