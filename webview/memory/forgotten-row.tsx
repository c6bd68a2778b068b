import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import { ExactText } from '../components/exact-text.tsx';
import type { MemoryRowProps } from './memory-row-view.tsx';
import { nameOf } from './memory-words.tsx';

/** How long it can be taken back at least, in milliseconds; longer while the focus is on it. */
const UNDO_MS = 20_000;

/** What was just forgotten, in its place. */
export function ForgottenRow({ row, list, isWanted }: MemoryRowProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!isWanted) return;
    list.focus.value = undefined;
    button.current?.focus();
  }, [isWanted]);
  const isOver = useOver(button, () => list.letGo(row.id));
  return (
    <li class="memory-row forgotten" data-memory={row.id}>
      <div class="memory-text">
        Forgotten: <s>{<ExactText text={row.text} />}</s>
      </div>
      <div class="memory-facts">
        <button
          ref={button}
          type="button"
          class="button secondary small"
          aria-label={`Undo: forgetting ${nameOf(row)}`}
          onClick={() => void list.undo(row.id)}
          onBlur={isOver}
        >
          Undo
        </button>
      </div>
    </li>
  );
}

/** Calls `end` when the time is over and nobody is at the button; returns what is to be called when it loses the focus. */
function useOver(button: RefObject<HTMLButtonElement>, end: () => void): () => void {
  const isOver = useRef(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      isOver.current = true;
      if (document.activeElement !== button.current) end();
    }, UNDO_MS);
    return () => clearTimeout(timer);
  }, []);
  return () => {
    if (isOver.current) end();
  };
}
