import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Importance } from '../../src/core/model/memory.ts';
import type { MemoryRow } from '../../src/protocol/memory.ts';
import { ExactText } from '../components/exact-text.tsx';
import { Icon } from '../components/icon.tsx';
import { memo } from '../memo.ts';
import type { MemoryList } from './memory-list.ts';
import { nameOf, OriginLink, sourceText, usedText } from './memory-words.tsx';

export interface MemoryRowProps {
  readonly row: MemoryRow;
  readonly list: MemoryList;
  /** it is to take the focus */
  readonly isWanted: boolean;
}

const RANKS: readonly Importance[] = [1, 2, 3, 4, 5];

/** One memory: what it says, where it is from, whether the model sees it, and what can be done about it. */
export const MemoryRowView = memo(
  ({ row, list, isWanted }: MemoryRowProps) => {
    const button = useRef<HTMLButtonElement>(null);
    const name = nameOf(row);
    useLayoutEffect(() => {
      if (!isWanted) return;
      list.focus.value = undefined;
      button.current?.focus();
    }, [isWanted]);
    return (
      <li class="memory-row" data-memory={row.id}>
        <div class="memory-text">
          <ExactText text={row.text} />
        </div>
        <p class="memory-facts quiet">
          {!row.isShown && (
            <span class="memory-unseen">
              <Icon name="eye-closed" />
              The model does not see it
            </span>
          )}
          <span>{sourceText(row.source)}</span>
          <OriginLink row={row} />
          <span>{usedText(row)}</span>
        </p>
        <div class="memory-facts">
          {row.source === 'user' ? (
            <span class="quiet">Yours: stands where you put it</span>
          ) : (
            <>
              <Rank row={row} list={list} name={name} />
              <Pin row={row} list={list} name={name} />
            </>
          )}
          <button
            ref={button}
            type="button"
            class="icon-button codicon codicon-trash"
            title="Delete"
            aria-label={`Delete: ${name}`}
            onClick={() => void list.forget(row)}
          />
        </div>
      </li>
    );
  },
  (a, b) => a.list === b.list && a.isWanted === b.isWanted && isSameRow(a.row, b.row),
);

interface ControlProps extends Pick<MemoryRowProps, 'row' | 'list'> {
  readonly name: string;
}

function Rank({ row, list, name }: ControlProps) {
  const change = async (select: HTMLSelectElement) => {
    const importance = RANKS.find((rank) => String(rank) === select.value);
    if (importance === undefined || (await list.change({ id: row.id, importance }))) return;
    select.value = String(row.importance); // it was refused: what stands is what was
  };
  return (
    <label class="memory-rank">
      Importance
      <select
        aria-label={`Importance: ${name}`}
        value={String(row.importance)}
        onChange={(event) => void change(event.currentTarget)}
      >
        {RANKS.map((rank) => (
          <option key={rank} value={String(rank)}>
            {rank}
          </option>
        ))}
      </select>
    </label>
  );
}

function Pin({ row, list, name }: ControlProps) {
  return (
    <button
      type="button"
      class={`icon-button codicon codicon-${row.isPinned ? 'pinned' : 'pin'}`}
      title={row.isPinned ? 'Pinned: it stands before what is more important' : 'Pin'}
      aria-label={`Pin: ${name}`}
      aria-pressed={row.isPinned}
      onClick={() => void list.change({ id: row.id, isPinned: !row.isPinned })}
    />
  );
}

/** Every push brings new rows, of which most are what they were. */
function isSameRow(a: MemoryRow, b: MemoryRow): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
