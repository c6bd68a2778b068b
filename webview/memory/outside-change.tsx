import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ExactText } from '../components/exact-text.tsx';
import { Heard } from '../components/heard.tsx';
import { Icon } from '../components/icon.tsx';
import { linesBeside } from './memory-lines.ts';
import type { MemoryText } from './memory-text.ts';

/** Somebody else changed MEMORY.md while a person was editing: nothing is lost, and the other version can be read. */
export function OutsideChange({ text }: { readonly text: MemoryText }) {
  const [isOpen, setOpen] = useState(false);
  const theirs = text.theirs.value;
  return (
    <>
      <div role="status">
        {theirs !== undefined && (
          <p class="memory-notice">
            <Icon name="git-merge" />
            <span class="grow">
              MEMORY.md has changed while you were editing it. Saving will merge both.{' '}
              <button
                type="button"
                class="button secondary small"
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
              >
                Show both
              </button>
            </span>
          </p>
        )}
      </div>
      {theirs !== undefined && isOpen && <OtherVersion text={theirs} base={text.base.value} />}
    </>
  );
}

/** The other version, with what is new in it marked, and the first of it in sight. */
function OtherVersion({ text, base }: { readonly text: string; readonly base: string }) {
  const view = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    const first = view.current?.querySelector<HTMLElement>('.new');
    if (view.current && first) view.current.scrollTop = first.offsetTop - view.current.offsetTop;
  }, []);
  return (
    <section class="memory-other" aria-label="MEMORY.md as it is now">
      <h3>MEMORY.md as it is now</h3>
      <pre ref={view} tabIndex={0}>
        {linesBeside(text, base).map((line, index) => (
          <div key={index} class={line.isNew ? 'memory-line new' : 'memory-line'}>
            {line.isNew && <Heard>New: </Heard>}
            <ExactText text={line.text} />
          </div>
        ))}
      </pre>
    </section>
  );
}
