import type { EntryId } from '../model/entry.ts';
import type { Ledger } from '../model/ledger.ts';
import type { SpokenEntry } from './conversation.ts';

/** Where a conversation is divided: what may go, and what stays word for word. */
export interface Cut {
  readonly covered: readonly SpokenEntry[];
  readonly kept: readonly SpokenEntry[];
  readonly through: EntryId;
}

export interface CutOptions {
  /** tokens of what an entry contributes to the view */
  readonly weigh: (entry: SpokenEntry) => number;
  /** most tokens that stay */
  readonly tail: number;
  /** so many rounds stay, within `tail` */
  readonly rounds: number;
  /** more rounds than that stay within so many tokens */
  readonly cheap?: number;
}

/**
 * The earliest cut behind which no more than `tail` tokens stay, and of more than `rounds` rounds no more than `cheap`. A call and its results are one
 * atom; the cut may fall inside a turn; the newest atom always stays. Undefined where nothing would be covered.
 */
export function cutFor(
  spoken: readonly SpokenEntry[],
  { weigh, tail, rounds, cheap = 0 }: CutOptions,
): Cut | undefined {
  let at: number | undefined;
  let end = spoken.length;
  let used = 0;
  let kept = 0;
  for (const start of atomStarts(spoken)) {
    used += spoken.slice(start, end).reduce((sum, entry) => sum + weigh(entry), 0);
    end = start;
    if (at !== undefined && used > (kept < rounds ? tail : Math.min(cheap, tail))) break;
    if (spoken[start]?.kind === 'assistant') kept += 1;
    at = start;
  }
  const last = at === undefined ? undefined : spoken[at - 1];
  if (at === undefined || last === undefined) return undefined;
  return { covered: spoken.slice(0, at), kept: spoken.slice(at), through: last.id };
}

/**
 * Where atoms begin, from the newest: at an assistant message, and at a user's that answers one without calls. A user's
 * words behind results are one message with them.
 */
function atomStarts(spoken: readonly SpokenEntry[]): readonly number[] {
  const starts: number[] = [];
  let hasOpenResult = false;
  for (let index = spoken.length - 1; index >= 0; index -= 1) {
    const kind = spoken[index]?.kind;
    if (kind === 'tool_result') hasOpenResult = true;
    const answers = kind === 'user' && !hasOpenResult && spoken[index - 1]?.kind === 'assistant';
    if (kind === 'assistant' || answers) starts.push(index);
    if (kind === 'assistant') hasOpenResult = false;
  }
  return starts;
}

/** What each entry takes of a request, as its ledger says. */
export function weightsOf(ledger: Ledger): (entry: { readonly id: EntryId }) => number {
  const weights = new Map<EntryId, number>();
  for (const { entryId, tokens } of ledger.items)
    if (entryId !== undefined) weights.set(entryId, (weights.get(entryId) ?? 0) + tokens);
  return ({ id }) => weights.get(id) ?? 0;
}
