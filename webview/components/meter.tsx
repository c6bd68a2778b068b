import { useRef, useState } from 'preact/hooks';
import type { Ledger } from '../../src/core/model/ledger.ts';
import type { MeterBar } from '../meter.ts';
import { meterBar, meterCaption, meterSentence } from '../meter.ts';
import { MeterDetails } from './meter-details.tsx';

/** How full the model's window is: the bar, the figures, and on hover, focus or click the whole account. */
export function Meter({ ledger }: { readonly ledger: Ledger | undefined }) {
  const details = useDetails();
  if (ledger === undefined) return <EmptyMeter />;
  const caption = meterCaption(ledger);
  const bar = meterBar(ledger);
  return (
    <div class={`meter-row ${ledger.phase}${bar ? ` ${bar.load}` : ''}`} {...details.hover}>
      <div
        role="meter"
        class="meter"
        aria-label="Context budget"
        aria-valuenow={ledger.total}
        aria-valuemin={0}
        aria-valuemax={ledger.budget.tokens}
        aria-valuetext={meterSentence(ledger)}
      >
        {bar ? <Bar bar={bar} /> : <div class="meter-track unknown" />}
      </div>
      <button
        type="button"
        class="meter-caption"
        aria-label="Context budget details"
        aria-expanded={details.isOpen}
        {...details.press}
      >
        <span class="meter-main">{caption.main}</span>
        <span class="meter-detail">{caption.detail}</span>
      </button>
      {details.isOpen && <MeterDetails ledger={ledger} />}
    </div>
  );
}

function EmptyMeter() {
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
      <span class="meter-caption">
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
      {bar.marks.map(({ name, at }) => (
        <div key={name} class="meter-mark" style={{ left: percent(at) }} />
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
  const isOpen = isHovered || isPinned || isFocused;
  return {
    isOpen,
    hover: {
      onMouseEnter: () => hoverSoon(true, 250),
      onMouseLeave: () => hoverSoon(false, 150),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.preventDefault(); // this Escape is spent: it must not stop what runs
        close();
      },
      // The account scrolls, so the focus may go into it and keep it open.
      onFocusOut: ({ currentTarget, relatedTarget }: FocusEvent) => {
        const isInside = relatedTarget instanceof Node && (currentTarget as Node).contains(relatedTarget);
        if (!isInside) close();
      },
    },
    press: {
      onClick: () => (isPinned ? close() : setPinned(true)),
      onFocus: (event: FocusEvent) => {
        if (event.currentTarget instanceof Element && event.currentTarget.matches(':focus-visible'))
          setFocused(true);
      },
    },
  };
}
