import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { plainLineEnds } from '../live-text.ts';
import { BelowTheLine } from './below-the-line.tsx';
import { HiddenCharacters } from './hidden-characters.tsx';
import { replaceText } from './keep-place.ts';
import { MemoryCounts } from './memory-counts.tsx';
import type { MemoryText, Saving } from './memory-text.ts';
import { OutsideChange } from './outside-change.tsx';
import { Trouble } from './trouble.tsx';

const COUNTS_ID = 'memory-counts';

interface MemoryEditorProps {
  readonly text: MemoryText;
  /** MEMORY.md as the workspace calls it */
  readonly path: string;
  readonly field: RefObject<HTMLTextAreaElement>;
}

/** MEMORY.md as it is: ⌘/Ctrl+S or the button saves, and where the model's view of it ends is marked. */
export function MemoryEditor({ text, path, field }: MemoryEditorProps) {
  const { measure, trouble } = text.measured.value;
  return (
    <section class="memory-editor" aria-label={path}>
      <MemoryField text={text} field={field} />
      <MemoryCounts id={COUNTS_ID} measure={measure} trouble={trouble} text={text.text.value} />
      <HiddenCharacters text={text.text.value} />
      <OutsideChange text={text} />
      <Trouble text={failureOf(text.saving.value)} />
      <SaveLine text={text} />
      <Conflicts text={text} />
    </section>
  );
}

function MemoryField({ text, field }: Pick<MemoryEditorProps, 'text' | 'field'>) {
  const backdrop = useRef<HTMLDivElement>(null);
  const shown = text.text.value;
  const follow = () => {
    if (backdrop.current && field.current) backdrop.current.scrollTop = field.current.scrollTop;
  };
  useLayoutEffect(() => {
    if (field.current) replaceText(field.current, plainLineEnds(shown));
  }, [shown]);
  useLayoutEffect(follow);
  return (
    <div class="memory-field">
      <BelowTheLine view={backdrop} text={shown} shownLines={text.measured.value.measure?.shownLines} />
      <textarea
        ref={field}
        aria-label="Project memory"
        aria-describedby={COUNTS_ID}
        placeholder="- What the agent should know in every session, a line each"
        rows={8}
        onInput={(event) => text.type(event.currentTarget.value)}
        onBlur={() => text.keepDraft()}
        onScroll={follow}
      />
    </div>
  );
}

function SaveLine({ text }: Pick<MemoryEditorProps, 'text'>) {
  const isUnsaved = text.isUnsaved.value;
  const saving = text.saving.value;
  return (
    <div class="memory-save">
      <button
        type="button"
        class="button"
        title="⌘S or Ctrl+S"
        aria-label="Save memory"
        aria-disabled={!isUnsaved || saving.kind === 'saving'}
        onClick={() => void text.save()}
      >
        Save
      </button>
      {isUnsaved && saving.kind !== 'saving' && <span class="memory-unsaved">Unsaved changes</span>}
      <span class="quiet" role="status">
        {savingText(saving)}
      </span>
    </div>
  );
}

function savingText({ kind }: Saving): string {
  if (kind === 'saving') return 'Saving…';
  return kind === 'saved' ? 'Saved' : '';
}

function failureOf(saving: Saving): string | undefined {
  return saving.kind === 'failed' ? saving.reason : undefined;
}

/** What the last save found changed on both sides. */
function Conflicts({ text }: Pick<MemoryEditorProps, 'text'>) {
  const conflicts = text.conflicts.value;
  return (
    <div role="status">
      {conflicts.length > 0 && (
        <div class="memory-conflicts">
          <p>
            <strong>Both were kept:</strong>
          </p>
          <ul>
            {conflicts.map((conflict) => (
              <li key={conflict}>{conflict}</li>
            ))}
          </ul>
          <button type="button" class="button secondary small" onClick={() => text.dismissConflicts()}>
            Dismiss
          </button>
        </div>
      )}
    </div>
  );
}
