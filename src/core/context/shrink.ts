import type { Ledger } from '../model/ledger.ts';
import type { EvictedItem } from '../model/relief-entry.ts';
import { callsOf } from './calls.ts';
import type { Conversation } from './conversation.ts';
import { weightsOf } from './cut.ts';
import { STUB_TOKENS } from './evict.ts';
import { textOf } from './entry-text.ts';

/** Characters of a result that stay at the least, where it has more. */
const LEAST_KEPT = 400;
const MOST_KEPT = 12_000;
/** A cautious guess of what a token holds, so that what is kept fits. */
const CHARS_PER_TOKEN = 2;

/**
 * The last resort, for what no compaction can cover: results of the newest round, however many and large. The largest
 * leave the view first, until the request is down to `target` tokens; of each a beginning and an end stay, in equal
 * shares of the room. Empty where nothing can shrink.
 */
export function shrinkPlan(
  conversation: Conversation,
  ledger: Ledger,
  target: number,
): readonly EvictedItem[] {
  const weigh = weightsOf(ledger);
  const results = callsOf(conversation.spoken)
    .flatMap(({ result }) => (result === undefined ? [] : [result]))
    .filter(({ id }) => !conversation.pinned.has(id))
    .map((result) => ({ result, tokens: weigh(result) }))
    .filter(({ tokens }) => tokens > 2 * STUB_TOKENS)
    .sort((a, b) => b.tokens - a.tokens);
  const chosen: typeof results = [];
  let left = ledger.total;
  for (const candidate of results) {
    if (left <= target) break;
    chosen.push(candidate);
    left -= candidate.tokens - STUB_TOKENS;
  }
  const room = Math.max(0, target - left) / Math.max(1, chosen.length);
  const keep = Math.min(MOST_KEPT, Math.max(LEAST_KEPT, Math.floor(room * CHARS_PER_TOKEN)));
  return chosen.flatMap(({ result }): EvictedItem[] => {
    const already = conversation.evicted.get(result.id);
    const hasMore = textOf(result).length > keep || result.content.some(({ type }) => type === 'image');
    const isSmaller = hasMore && (already === undefined || (already.keep ?? 0) > keep);
    return isSmaller ? [{ entryId: result.id, reason: 'large', keep }] : [];
  });
}
