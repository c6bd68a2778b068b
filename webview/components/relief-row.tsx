import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { canUndo } from '../../src/protocol/entry-items.ts';
import type { CompactionItem, EvictionItem, ReliefNoteItem } from '../../src/protocol/view-model.ts';
import { figures, OUTCOME_WORDS } from '../relief.ts';
import { useStore } from '../state.ts';
import { Heard } from './heard.tsx';
import { Icon } from './icon.tsx';

interface ReliefRowProps {
  readonly item: EvictionItem | CompactionItem;
  readonly icon: string;
  readonly title: string;
  /** how, why and at what cost */
  readonly words: readonly string[];
  /** what the disclosure shows */
  readonly contentName: string;
  readonly children: () => ComponentChildren;
}

/** An eviction or a compaction: before and after in one line, the rest on a click, and a way back. */
export function ReliefRow({ item, icon, title, words, contentName, children }: ReliefRowProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const contentId = useId();
  const { shown, said } = figures(item);
  const name = `${title}, ${said}${item.isUndone ? ', undone' : ''}`;
  return (
    <article class={`relief-row${item.isUndone ? ' undone' : ''}`} aria-label={name}>
      <div class="relief-head">
        <Icon name={icon} />
        <span class="relief-title">{title}</span>
        <span class="relief-figures">
          <span aria-hidden="true">{shown}</span>
          <Heard>{said}</Heard>
        </span>
        {item.isUndone && <span class="relief-undone">undone</span>}
      </div>
      <div class="relief-foot">
        <span class="relief-words">{words.join(' · ')}</span>
        <button
          ref={toggle}
          type="button"
          class="relief-button"
          aria-expanded={isOpen}
          aria-controls={contentId}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          {contentName}
        </button>
        <UndoButton item={item} onUndone={() => toggle.current?.focus()} />
      </div>
      {isOpen && (
        <div id={contentId} class="relief-content">
          {children()}
        </div>
      )}
    </article>
  );
}

interface UndoButtonProps {
  readonly item: EvictionItem | CompactionItem;
  readonly onUndone: () => void;
}

function UndoButton({ item, onUndone }: UndoButtonProps) {
  const { panel, ask } = useStore();
  const isPossible = useComputed(() => canUndo(panel.value?.items ?? [], item.id));
  if (item.isUndone || !isPossible.value) return null;
  const undo = () => {
    void ask('undo', { entryId: item.id }).then((isDone) => {
      if (isDone) onUndone();
    });
  };
  return (
    <button type="button" class="relief-button" aria-label={`Undo ${item.kind}`} onClick={undo}>
      <Icon name="discard" />
      Undo
    </button>
  );
}

const OUTCOME_ICONS = { skipped: 'debug-step-over', failed: 'warning', cancelled: 'circle-slash' } as const;

/** A relief that changed nothing: which way it ended, and why. */
export function ReliefNote({ item: { outcome, text, error } }: { readonly item: ReliefNoteItem }) {
  const title = `${OUTCOME_WORDS[outcome]}.`;
  const reason = text.startsWith(title) ? text.slice(title.length) : text;
  const detail = error?.detail ?? '';
  return (
    <div class={`note relief-note ${outcome === 'failed' ? 'warning' : 'info'}`}>
      <Icon name={OUTCOME_ICONS[outcome]} />
      <p class="grow">
        <strong>{title}</strong> {reason}
        {detail !== '' && detail !== text && <span class="quiet"> {detail}</span>}
      </p>
    </div>
  );
}
