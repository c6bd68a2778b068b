import type { Budget } from './budget.ts';
import type { EntryId } from './entry.ts';

export type LedgerCategory =
  'system' | 'tools' | 'summary' | 'user' | 'assistant' | 'thinking' | 'tool_result' | 'reminder';

/**
 * What relief has made of an item: sent as it is, replaced by a reference, standing for what it covers, held in a file
 * with a preview in its place, or held by the person so that nothing touches it.
 */
export type ItemState = 'kept' | 'evicted' | 'summarised' | 'offloaded' | 'pinned';

/** One thing in the request and what it costs. */
export interface LedgerItem {
  /** the entry it comes from; absent for the prompt's own parts before they are logged */
  readonly entryId?: EntryId;
  readonly category: LedgerCategory;
  /** what a person would call it: a section, a tool, a file */
  readonly label: string;
  readonly state: ItemState;
  /** rounds since it joined the conversation; 0 in the newest, absent for system and tools */
  readonly age?: number;
  /** whole tokens; the items of a ledger sum to its total */
  readonly tokens: number;
}

/** Tokens of every item of one request: the number that meter, status bar and trigger all read. */
export interface Ledger {
  /** `estimate` before the call, `usage` once the provider has said it */
  readonly phase: 'estimate' | 'usage';
  readonly items: readonly LedgerItem[];
  readonly total: number;
  readonly budget: Budget;
}
