import type { Budget } from './budget.ts';
import type { EntryId } from './entry.ts';

export type LedgerCategory =
  'system' | 'tools' | 'user' | 'assistant' | 'thinking' | 'tool_result' | 'reminder';

/** One thing in the request and what it costs. */
export interface LedgerItem {
  /** the entry it comes from; absent for the prompt's own parts before they are logged */
  readonly entryId?: EntryId;
  readonly category: LedgerCategory;
  /** what a person would call it: a section, a tool, a file */
  readonly label: string;
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
