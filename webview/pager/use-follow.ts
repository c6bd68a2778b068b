import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OutputSize } from '../../src/protocol/output-pages.ts';

/** Pixels from the end that still count as the end. */
const END_TOLERANCE = 32;

interface FollowInput {
  readonly scroller: RefObject<HTMLElement>;
  readonly size: OutputSize | undefined;
  /** of all rows, in pixels: rows that are read become as high as they are */
  readonly height: number;
  readonly goTo: (row: number, align: 'end') => void;
}

/** Stays at the end of an output that grows, until the reader scrolls up. */
export function useFollow({ scroller, size, height, goTo }: FollowInput) {
  const [isOn, setOn] = useState(false);
  // At once: the end is not to be gone to any more when the reader has just gone elsewhere.
  const isStopped = useRef(false);
  const [wasOffered, setOffered] = useState(false);
  const isGrowing = size?.isGrowing === true;
  const wasOn = useRef(false);
  if (isGrowing) wasOn.current = isOn;
  useEffect(() => {
    if (isGrowing) setOffered(true);
    else setOn(false);
  }, [isGrowing]);
  useEffect(() => {
    if (isOn && !isStopped.current && size !== undefined && size.rows > 0) goTo(size.rows - 1, 'end');
  }, [isOn, size?.rows, size?.bytes, height]);
  useEffect(() => {
    const view = scroller.current;
    if (!isOn || view === null) return undefined;
    let lastTop = view.scrollTop;
    const onScroll = () => {
      const isNearEnd = view.scrollHeight - view.scrollTop - view.clientHeight <= END_TOLERANCE;
      if (view.scrollTop < lastTop && !isNearEnd) setOn(false);
      lastTop = view.scrollTop;
    };
    view.addEventListener('scroll', onScroll, { passive: true });
    return () => view.removeEventListener('scroll', onScroll);
  }, [isOn]);
  return {
    isOn,
    /** it is on, or was when the output stopped growing */
    wasOn: wasOn.current,
    /** it stays where it was offered, so that nobody loses the focus when the command ends */
    isOffered: isGrowing || wasOffered,
    isGrowing,
    toggle: () => {
      isStopped.current = false;
      setOn(isGrowing && !isOn);
    },
    /** the reader goes elsewhere */
    stop: () => {
      isStopped.current = true;
      setOn(false);
    },
  };
}
