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

/** Every line is a share of the budget, 0 to 1. */
export interface LoadLines {
  readonly evict: number;
  readonly prepare: number;
  readonly compact: number;
  readonly fold: number;
}

/** The one budget that meter, trigger, recovery and `max_tokens` read. Tokens. */
export interface Budget {
  /** the model's input limit; absent when nobody says it */
  readonly window?: number;
  readonly reservedOutput: number;
  readonly margin: number;
  /** window − reserved output − margin; absent with the window */
  readonly tokens?: number;
  readonly lines: LoadLines;
}

/** Tokens of every item of one request: the number that meter, status bar and trigger all read. */
export interface Ledger {
  /** `estimate` before the call, `usage` once the provider has said it */
  readonly phase: 'estimate' | 'usage';
  readonly items: readonly LedgerItem[];
  readonly total: number;
  readonly budget: Budget;
}
