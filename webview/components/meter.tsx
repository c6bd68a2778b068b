import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Ledger } from '../../src/core/model/ledger.ts';
import type { MeterBar } from '../meter.ts';
import { meterBar, meterCaption, meterSentence } from '../meter.ts';
import { useStore } from '../state.ts';
import { Icon } from './icon.tsx';
import { MeterDetails } from './meter-details.tsx';

interface MeterProps {
  readonly ledger: Ledger | undefined;
  readonly isPreparing: boolean;
}

/** How full the model's window is: the bar, the figures, and on hover, focus or click the whole account. */
export function Meter({ ledger, isPreparing }: MeterProps) {
  const details = useDetails();
  if (ledger === undefined) return <EmptyMeter caption={details.caption} />;
  const caption = meterCaption(ledger);
  const bar = meterBar(ledger);
  return (
    <div class={`meter-row ${ledger.phase}${bar ? ` ${bar.load}` : ''}`} {...details.hover}>
      <div
        role="meter"
        class="meter can-open"
        tabIndex={0}
        aria-label="Context budget"
        aria-valuenow={ledger.total}
        aria-valuemin={0}
        aria-valuemax={ledger.budget.tokens}
        aria-valuetext={meterSentence(ledger)}
        {...details.press}
        onKeyDown={details.pressKey}
      >
        {bar ? <Bar bar={bar} /> : <div class="meter-track unknown" />}
      </div>
      {isPreparing && <Preparing />}
      <button
        ref={details.caption as RefObject<HTMLButtonElement>}
        type="button"
        class="meter-caption"
        aria-label="Context budget details"
        aria-expanded={details.isOpen}
        {...details.press}
      >
        <span class="meter-main">{caption.main}</span>
        <span class="meter-detail">{caption.detail}</span>
      </button>
      {details.isOpen && <MeterDetails ledger={ledger} place={details.account} isWhole={details.isPinned} />}
    </div>
  );
}

/** Nobody waits for it, so it says so quietly. */
function Preparing() {
  return (
    <span class="preparing" title="A summary is being prepared in the background">
      <Icon name="loading" spin />
      <span>Preparing a summary</span>
    </span>
  );
}

function EmptyMeter({ caption }: { readonly caption: RefObject<HTMLElement> }) {
  return (
    <div class="meter-row">
      <div
        role="meter"
        class="meter"
        aria-label="Context budget"
        aria-valuenow={0}
        aria-valuetext="Nothing sent yet"
      >
        <div class="meter-track unknown" />
      </div>
      <span ref={caption} class="meter-caption" tabIndex={-1}>
        <span class="meter-detail">nothing sent yet</span>
      </span>
    </div>
  );
}

const percent = (share: number) => `${share * 100}%`;

function Bar({ bar }: { readonly bar: MeterBar }) {
  return (
    <div class="meter-track">
      <div class="meter-reserved" style={{ left: percent(bar.reservedFrom) }} />
      <div class="meter-fill" style={{ width: percent(bar.fill) }} />
      {bar.marks.map(({ name, at, words }) => (
        <div key={name} class={`meter-mark ${name}`} style={{ left: percent(at) }} title={words} />
      ))}
    </div>
  );
}

/** Open while pointed at or focused; a click keeps it open, Escape closes it. */
function useDetails() {
  const [isHovered, setHovered] = useState(false);
  const [isPinned, setPinned] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const hoverSoon = (isOver: boolean, delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setHovered(isOver), delayMs);
  };
  const close = () => {
    clearTimeout(timer.current);
    setHovered(false);
    setPinned(false);
    setFocused(false);
  };
  const toggle = () => (isPinned ? close() : setPinned(true));
  const isOpen = isHovered || isPinned || isFocused;
  const { caption, account } = useContextRequests(() => setPinned(true));
  return {
    isOpen,
    isPinned,
    caption,
    account,
    hover: {
      onMouseEnter: () => hoverSoon(true, 250),
      onMouseLeave: () => hoverSoon(false, 150),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.preventDefault(); // this Escape is spent: it must not stop what runs
        if (account.current?.contains(document.activeElement)) caption.current?.focus();
        close();
      },
      // The account scrolls, so the focus may go into it and keep it open.
      onFocusOut: ({ currentTarget, relatedTarget }: FocusEvent) => {
        const isInside = relatedTarget instanceof Node && (currentTarget as Node).contains(relatedTarget);
        if (!isInside) close();
      },
    },
    /** What a button does by itself. */
    pressKey: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      toggle();
    },
    press: {
      onClick: toggle,
      onFocus: (event: FocusEvent) => {
        if (event.currentTarget instanceof Element && event.currentTarget.matches(':focus-visible'))
          setFocused(true);
      },
    },
  };
}

/** Opens the account when the host asks for it, and gives it the focus; where there is none yet, the caption. */
function useContextRequests(open: () => void) {
  const { contextRequests } = useStore();
  const caption = useRef<HTMLElement>(null);
  const account = useRef<HTMLDivElement>(null);
  const requests = contextRequests.value;
  const answered = useRef(0);
  useLayoutEffect(() => {
    if (requests > 0) open();
  }, [requests]);
  // After every drawing: the account is there with the next one.
  useLayoutEffect(() => {
    const place = account.current ?? caption.current;
    if (answered.current === requests || place === null) return;
    const isThere = account.current !== null || caption.current?.tagName !== 'BUTTON';
    if (!isThere) return;
    answered.current = requests;
    place.focus();
  });
  return { caption, account };
}
