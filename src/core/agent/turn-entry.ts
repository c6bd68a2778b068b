import type { EntryDraft, EntryId } from '../model/entry.ts';
import type { AgentEvent } from '../model/event.ts';
import type { Transcript } from '../sessions/transcript.ts';

/** Appends, and tells of it once it is on the disk. */
export async function* appendEntry(
  { transcript }: { readonly transcript: Transcript },
  draft: EntryDraft,
): AsyncGenerator<AgentEvent, EntryId> {
  const entry = await transcript.append(draft);
  yield { type: 'entry', entry };
  return entry.id;
}
