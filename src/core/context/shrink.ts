import type { ToolResultEntry } from '../model/entry.ts';
import type { Ledger } from '../model/ledger.ts';
import type { EvictedItem } from '../model/relief-entry.ts';
import { callsOf } from './calls.ts';
import type { Conversation } from './conversation.ts';
import { weightsOf } from './cut.ts';
import { textOf } from './entry-text.ts';
import { STUB_TOKENS } from './evict.ts';

/** Characters of a result that stay at the least, where it has more. */
const LEAST_KEPT = 400;
const MOST_KEPT = 12_000;
/** A cautious guess of what a token holds, so that what is kept fits; and what it holds on the average. */
const CHARS_PER_TOKEN = { least: 2, usual: 3 };

export interface Shrinking {
  readonly items: readonly EvictedItem[];
  /** tokens, about */
  readonly frees: number;
}

interface Candidate {
  readonly result: ToolResultEntry;
  readonly tokens: number;
}

/**
 * The last resort, for what no compaction can cover: results of the newest round, however many and large. The largest
 * leave the view first, until the request is down to `target` tokens; of each a beginning and an end stay, in equal
 * shares of the room. Empty where nothing can shrink.
 */
export function shrinkPlan(conversation: Conversation, ledger: Ledger, target: number): Shrinking {
  const chosen: Candidate[] = [];
  let left = ledger.total;
  for (const candidate of candidatesIn(conversation, ledger)) {
    if (left <= target) break;
    chosen.push(candidate);
    left -= candidate.tokens - STUB_TOKENS;
  }
  const room = Math.max(0, target - left) / Math.max(1, chosen.length);
  const keep = Math.min(MOST_KEPT, Math.max(LEAST_KEPT, Math.floor(room * CHARS_PER_TOKEN.least)));
  const shrunk = chosen.filter(({ result }) => isLonger(conversation, result, keep));
  const stays = Math.floor(keep / CHARS_PER_TOKEN.usual) + STUB_TOKENS;
  return {
    items: shrunk.map(({ result }) => ({ entryId: result.id, reason: 'large', keep })),
    frees: shrunk.reduce((sum, { tokens }) => sum + Math.max(0, tokens - stays), 0),
  };
}

/** The largest first; what the person holds in view stays. */
function candidatesIn(conversation: Conversation, ledger: Ledger): readonly Candidate[] {
  const weigh = weightsOf(ledger);
  return callsOf(conversation.spoken)
    .flatMap(({ result }) => (result === undefined ? [] : [result]))
    .filter(({ id }) => !conversation.pinned.has(id))
    .map((result) => ({ result, tokens: weigh(result) }))
    .filter(({ tokens }) => tokens > 2 * STUB_TOKENS)
    .sort((a, b) => b.tokens - a.tokens);
}

/** Whether keeping so many characters of it keeps less than is in view. */
function isLonger({ evicted }: Conversation, result: ToolResultEntry, keep: number): boolean {
  const already = evicted.get(result.id);
  const hasMore = textOf(result).length > keep || result.content.some(({ type }) => type === 'image');
  return hasMore && (already === undefined || (already.keep ?? 0) > keep);
}
