import { useState } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { ForgottenRow } from './forgotten-row.tsx';
import { MemoryRowView } from './memory-row-view.tsx';
import type { MemoryList } from './memory-list.ts';
import { Trouble } from './trouble.tsx';

/** Rows that are drawn at once; the others on demand. */
const MOST_ROWS = 200;

interface MemoryListProps {
  readonly list: MemoryList;
  /** of all memories */
  readonly count: number;
}

export function MemoryListView({ list, count }: MemoryListProps) {
  const [most, setMost] = useState(MOST_ROWS);
  const rows = list.rows.value;
  const focus = list.focus.value;
  const rest = rows.length - most;
  return (
    <section class="memory-entries" aria-labelledby="memory-entries-title">
      <h3 id="memory-entries-title">Memories</h3>
      {(count > 0 || list.query.value !== '') && <MemorySearch list={list} />}
      <Trouble text={list.trouble.value} dismiss={() => (list.trouble.value = undefined)} />
      {count === 0 && rows.length === 0 && (
        <p class="quiet">
          Nothing is remembered yet. Write a line above, or ask the agent to remember something.
        </p>
      )}
      <ul class="memory-rows" aria-label="Memory entries">
        {rows
          .slice(0, most)
          .map(({ row, isForgotten }) =>
            isForgotten ? (
              <ForgottenRow key={row.id} row={row} list={list} isWanted={focus === row.id} />
            ) : (
              <MemoryRowView key={row.id} row={row} list={list} isWanted={focus === row.id} />
            ),
          )}
      </ul>
      {rest > 0 && (
        <button type="button" class="button secondary" onClick={() => setMost(most + MOST_ROWS)}>
          Show {formatCount(Math.min(rest, MOST_ROWS))} more
        </button>
      )}
    </section>
  );
}

function MemorySearch({ list }: { readonly list: MemoryList }) {
  return (
    <div class="memory-search" role="search">
      <input
        type="search"
        aria-label="Search memories"
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        value={list.query.value}
        onInput={(event) => list.search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') list.search('');
        }}
      />
      <span class="quiet" role="status">
        {list.isFiltered ? `${formatCount(list.rows.value.length)} found` : ''}
      </span>
    </div>
  );
}
