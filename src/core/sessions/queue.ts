import type { Entry, EntryId, QueueEntry } from '../model/entry.ts';
import { incremental } from '../model/incremental.ts';

/** Messages typed while a turn was running that have not joined the conversation yet, oldest first. */
export function waitingMessages(entries: readonly Entry[]): readonly QueueEntry[] {
  return [...waiting(entries).values()];
}

const waiting = incremental(
  () => new Map<EntryId, QueueEntry>(),
  (queue, entry) => {
    if (entry.kind === 'queue') queue.set(entry.id, entry);
    else if (entry.kind === 'user' && entry.queueId) queue.delete(entry.queueId);
  },
);
