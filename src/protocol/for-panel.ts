import type { AgentEvent } from '../core/model/event.ts';
import type { CarriedFacts } from '../core/model/relief-entry.ts';

const NO_FACTS: CarriedFacts = { messages: [], files: [], steps: [] };

/** The event without what only the engine reads: the facts of a compaction grow with the session. */
export function forPanel(event: AgentEvent): AgentEvent {
  if (event.type !== 'entry' || event.entry.kind !== 'compaction') return event;
  const { signed, ...entry } = event.entry;
  return {
    type: 'entry',
    entry: { ...entry, facts: NO_FACTS, ...(signed && { signed: { ...signed, block: {} } }) },
  };
}
