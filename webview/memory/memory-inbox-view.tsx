import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MemoryRow } from '../../src/protocol/memory.ts';
import { HiddenCharacters } from './hidden-characters.tsx';
import type { MemoryInbox } from './memory-inbox.ts';
import { nameOf, OriginLink } from './memory-words.tsx';
import { Trouble } from './trouble.tsx';

interface MemoryInboxProps {
  readonly inbox: MemoryInbox;
  /** takes the focus out of an inbox that has become empty */
  readonly leave: () => void;
}

/** What was found worth remembering and waits for a person. */
export function MemoryInboxView({ inbox, leave }: MemoryInboxProps) {
  const proposals = inbox.proposals.value;
  const focus = inbox.focus.value;
  useLayoutEffect(() => {
    if (focus === undefined || focus.next !== undefined) return;
    inbox.focus.value = undefined;
    leave();
  }, [focus]);
  if (proposals.length === 0) return null;
  return (
    <section class="memory-inbox" aria-labelledby="memory-inbox-title">
      <h3 id="memory-inbox-title">The agent suggests remembering:</h3>
      <ul aria-label="Suggestions">
        {proposals.map((row) => (
          <Proposal key={row.id} row={row} inbox={inbox} />
        ))}
      </ul>
    </section>
  );
}

function Proposal({ row, inbox }: { readonly row: MemoryRow; readonly inbox: MemoryInbox }) {
  const accept = useRef<HTMLButtonElement>(null);
  const text = inbox.textOf(row);
  const isWanted = inbox.focus.value?.next === row.id;
  const name = nameOf(row);
  useLayoutEffect(() => {
    if (!isWanted) return;
    inbox.focus.value = undefined;
    accept.current?.focus();
  }, [isWanted]);
  return (
    <li class="memory-proposal">
      <textarea
        rows={2}
        aria-label={`Suggestion: ${name}`}
        value={text}
        onInput={(event) => inbox.edit(row, event.currentTarget.value)}
      />
      <HiddenCharacters text={text} />
      <Trouble text={inbox.troubleOf(row)} />
      <div class="memory-facts">
        <button
          ref={accept}
          type="button"
          class="button small"
          aria-label={`Accept: ${name}`}
          aria-disabled={text.trim() === ''}
          onClick={() => text.trim() !== '' && void inbox.answer(row, 'accept')}
        >
          Accept
        </button>
        <button
          type="button"
          class="button secondary small"
          aria-label={`Reject: ${name}`}
          onClick={() => void inbox.answer(row, 'reject')}
        >
          Reject
        </button>
        <span class="quiet">{row.category}</span>
        <OriginLink row={row} />
      </div>
    </li>
  );
}
