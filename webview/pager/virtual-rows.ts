import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { ScrollToOptions } from '@tanstack/virtual-core';
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';

/** Height of a row on one line, in pixels. */
export const ROW_PX = 18;
/** Rows in one scroll space: browsers cannot scroll much further than 16 million pixels. Longer outputs move through it. */
const MOST_SCROLLED = 200_000;
/** Rows on one line, or what is as high, that are drawn beyond either end of what is in sight. */
const OVERSCAN = 12;

interface VirtualRowsInput {
  readonly scroller: RefObject<HTMLElement>;
  /** rows of the output, as far as known */
  readonly count: number;
  /** there are no more than these */
  readonly isCounted: boolean;
  /** rows may be higher than one line, and are measured */
  readonly isWrapped: boolean;
  /** how many times all rows became others */
  readonly changes: number;
  /** a row that is not is as high as one line until it is */
  readonly isRead: (row: number) => boolean;
  /** the row to begin at; waits until there are as many */
  readonly start: number;
}

interface Wanted {
  readonly row: number;
  readonly align: NonNullable<ScrollToOptions['align']>;
}

/** Which rows of a long output have to be drawn, where, and how to get to others. */
export function useVirtualRows(input: VirtualRowsInput) {
  const { scroller, count, isCounted, isWrapped, changes, isRead, start } = input;
  const [base, setBase] = useState(0);
  const wanted = useRef<Wanted | undefined>(start > 0 ? { row: start, align: 'start' } : undefined);
  const shown = Math.max(0, Math.min(count - base, MOST_SCROLLED));
  const { virtualizer, redraw } = useVirtualizer({ scroller, base, count: shown });

  const items = virtualizer.getVirtualItems();
  const range = virtualizer.range ?? { startIndex: 0, endIndex: 0 };
  const first = base + range.startIndex;
  const last = base + range.endIndex;
  const areRead = items.every(({ index }) => isRead(base + index));
  const goTo = (row: number, align: Wanted['align'] = 'start') => {
    wanted.current = { row, align };
    redraw();
  };

  // Heights of the other way of wrapping, or of other rows, say nothing.
  const measured = useRef({ isWrapped, changes });
  useLayoutEffect(() => {
    if (measured.current.isWrapped === isWrapped && measured.current.changes === changes) return;
    measured.current = { isWrapped, changes };
    virtualizer.measure();
    goTo(first);
  }, [isWrapped, changes]);

  // After every drawing: the row may only be there with the next one.
  useLayoutEffect(() => {
    if (isCounted && wanted.current !== undefined && wanted.current.row >= count)
      wanted.current = { row: Math.max(0, count - 1), align: 'end' };
    // Right after a jump the virtualizer has not heard yet where it is.
    const isAsDrawn = Math.abs((scroller.current?.scrollTop ?? 0) - (virtualizer.scrollOffset ?? 0)) < ROW_PX;
    const place = { first, last, base, shown, count };
    const rebased = baseFor({ ...place, wanted: wanted.current?.row, isAsDrawn });
    if (rebased !== base) {
      wanted.current ??= { row: first, align: 'start' };
      setBase(rebased);
    } else if (wanted.current !== undefined && wanted.current.row < base + shown) {
      const { row, align } = wanted.current;
      virtualizer.scrollToIndex(row - base, { align });
      // Rows that are still to be read may push it out of sight.
      if (areRead && row >= first && row <= last) wanted.current = undefined;
    }
  });

  return {
    /** rows to draw: index in the output, and their places in it */
    rows: items.map(({ index }) => base + index),
    base,
    top: items[0]?.start ?? 0,
    height: virtualizer.getTotalSize(),
    /** the first and the last row in sight */
    first,
    last,
    goTo,
    measure: isWrapped ? virtualizer.measureElement : undefined,
  };
}

interface ScrollSpace {
  readonly scroller: RefObject<HTMLElement>;
  /** the row it begins with */
  readonly base: number;
  /** of rows */
  readonly count: number;
}

function useVirtualizer({ scroller, base, count }: ScrollSpace) {
  const [, redraw] = useReducer((times: number, _: undefined) => times + 1, 0);
  // Another function would be another list: all of it would be laid out again.
  const getItemKey = useCallback((index: number) => base + index, [base]);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey,
    overscan: OVERSCAN,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions({ ...options, overscan: overscanOf(virtualizer) });
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return { virtualizer, redraw: () => redraw(undefined) };
}

/** Of high rows fewer: a row of 2 kB can fill half of the panel. */
function overscanOf({ range, scrollRect }: Virtualizer<HTMLElement, HTMLElement>): number {
  if (range === null || scrollRect === null || scrollRect.height === 0) return OVERSCAN;
  const inSight = range.endIndex - range.startIndex + 1;
  return Math.max(1, Math.min(OVERSCAN, Math.ceil((OVERSCAN * ROW_PX * inSight) / scrollRect.height)));
}

interface Place {
  readonly wanted: number | undefined;
  /** `first` and `last` are where the reader is now */
  readonly isAsDrawn: boolean;
  readonly first: number;
  readonly last: number;
  readonly base: number;
  readonly shown: number;
  readonly count: number;
}

/** The row that the scroll space has to begin with, so that what is wanted, or comes next, is in it. */
function baseFor({ wanted, isAsDrawn, first, last, base, shown, count }: Place): number {
  const around = (row: number) => Math.max(0, Math.min(row - MOST_SCROLLED / 2, count - MOST_SCROLLED));
  if (wanted !== undefined && wanted < count)
    return wanted < base || wanted >= base + shown ? around(wanted) : base;
  const isPastEnd = shown === MOST_SCROLLED && last >= base + shown - 1 && base + shown < count;
  const isPastStart = base > 0 && first <= base;
  return isAsDrawn && (isPastEnd || isPastStart) ? around(first) : base;
}
