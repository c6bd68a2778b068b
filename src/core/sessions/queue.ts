import type { Entry, QueueEntry } from '../model/entry.ts';

/** Messages typed while a turn was running that have not joined the conversation yet, oldest first. */
export function waitingMessages(entries: readonly Entry[]): readonly QueueEntry[] {
  const delivered = new Set(
    entries.flatMap((entry) => (entry.kind === 'user' && entry.queueId ? [entry.queueId] : [])),
  );
  return entries.filter((entry) => entry.kind === 'queue').filter(({ id }) => !delivered.has(id));
}
