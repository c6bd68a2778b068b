import type { EntryId } from '../../src/core/model/entry.ts';
import { placeName } from '../relief.ts';
import { useStore } from '../state.ts';

interface SourceLinkProps {
  readonly id: EntryId;
  /** what the place is called, where the row knows it better */
  readonly name?: string | undefined;
  /** what it is beside its name, for somebody who hears two of the same name */
  readonly role?: string;
}

/** Leads to where an entry is shown in the conversation. */
export function SourceLink({ id, name, role }: SourceLinkProps) {
  const { panel, jump } = useStore();
  const place = name ?? placeName(panel.peek()?.items ?? [], id);
  return (
    <button
      type="button"
      class="source-link"
      title={`Go to ${id}`}
      aria-label={`Go to ${role === undefined ? '' : `${role}: `}${place}`}
      onClick={() => (jump.value = id)}
    >
      {place}
    </button>
  );
}
