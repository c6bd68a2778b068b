import type { RefObject } from 'preact';
import { countLines, splitAfter } from './memory-lines.ts';

interface BelowTheLineProps {
  readonly text: string;
  /** undefined: all of them */
  readonly shownLines: number | undefined;
  readonly view: RefObject<HTMLDivElement>;
}

/**
 * Lies behind the field, has its text in the same places and is scrolled with it, so that what the model does not see
 * can be marked wherever the lines wrap. The counts below say the same in words.
 */
export function BelowTheLine({ text, shownLines, view }: BelowTheLineProps) {
  if (shownLines === undefined || shownLines >= countLines(text)) return null;
  const [above, below] = splitAfter(text, shownLines);
  return (
    <div class="memory-backdrop" aria-hidden="true" ref={view}>
      {shownLines > 0 && <LinesOf text={above} />}
      <div class="memory-below">
        <LinesOf text={below} />
      </div>
    </div>
  );
}

/** A line at the end takes its place also when there is nothing in it. */
function LinesOf({ text }: { readonly text: string }) {
  return <div class="memory-lines">{`${text}\u200b`}</div>;
}
