import type { EntryId, ToolResultEntry } from '../model/entry.ts';
import type { EvictedItem } from '../model/relief-entry.ts';
import type { Call } from './calls.ts';
import { callsOf } from './calls.ts';
import type { Conversation, SpokenEntry } from './conversation.ts';
import { textOf } from './entry-text.ts';
import { covers } from './tool-action.ts';

/** What may leave the view, with what that frees. */
export interface Candidate {
  readonly item: EvictedItem;
  /** place in `spoken`: everything behind it is sent anew when it goes */
  readonly index: number;
  /** tokens, beside the reference that takes its place */
  readonly frees: number;
}

export interface EvictOptions {
  readonly conversation: Conversation;
  /** tokens of what an entry contributes to the view */
  readonly weigh: (entry: SpokenEntry) => number;
  /** first place in `spoken` that nothing touches */
  readonly until: number;
}

/** What a reference costs. Results not worth several of them stay. Tokens. */
export const STUB_TOKENS = 70;
const WORTH = 3 * STUB_TOKENS;
/** Old results go for their size alone from here on. Tokens. */
const LARGE = 400;

/**
 * Old results by what their leaving costs: the same text is there again; the file was read again, or changed since and
 * is not in play any more; large; images. The log keeps each, and its reference says how to get it back.
 */
export function evictionCandidates({ conversation, weigh, until }: EvictOptions): readonly Candidate[] {
  const calls = callsOf(conversation.spoken);
  const facts = { uses: usesByPath(calls), repeated: repeats(calls) };
  return calls.flatMap((call) => {
    const { result, index } = call;
    if (result === undefined || index >= until) return [];
    if (conversation.evicted.has(result.id) || conversation.pinned.has(result.id)) return [];
    const frees = weigh(result) - STUB_TOKENS;
    const item = frees < WORTH ? undefined : itemFor(call, result, { ...facts, frees });
    return item === undefined ? [] : [{ item, index, frees }];
  });
}

interface Facts {
  /** by path: what read or changed it, in order */
  readonly uses: ReadonlyMap<string, readonly Call[]>;
  readonly repeated: ReadonlyMap<EntryId, EntryId>;
  readonly frees: number;
}

function itemFor(call: Call, result: ToolResultEntry, facts: Facts): EvictedItem | undefined {
  const entryId = result.id;
  const again = facts.repeated.get(entryId);
  if (again !== undefined) return { entryId, reason: 'duplicate', see: again };
  const later = supersededBy(call, facts);
  if (later !== undefined) return { entryId, reason: 'superseded', see: later };
  // The newest look at a file that is worked on is what the next edit is made from.
  if (call.action.kind === 'read' && isNewestRead(call, facts)) return undefined;
  if (result.content.some(({ type }) => type === 'image')) return { entryId, reason: 'image' };
  return facts.frees >= LARGE ? { entryId, reason: 'large' } : undefined;
}

/** The later result that shows all of it, or the later change that made it stale. */
function supersededBy(call: Call, facts: Facts): EntryId | undefined {
  const { action, index } = call;
  if (action.kind !== 'read' || action.path === undefined) return undefined;
  const later = (facts.uses.get(action.path) ?? []).filter((other) => other.index > index);
  const again = later.find((other) => isGoodRead(other) && covers(other.action, action));
  if (again !== undefined) return again.result?.id;
  if (isNewestRead(call, facts)) return undefined;
  const change = later.find((other) => other.action.kind === 'edit');
  return change?.result?.id ?? change?.by.id;
}

function isNewestRead(call: Call, { uses }: Facts): boolean {
  return uses.get(call.action.path ?? '')?.findLast(isGoodRead) === call;
}

function isGoodRead({ action, result }: Call): boolean {
  return action.kind === 'read' && result?.status === 'ok';
}

function usesByPath(calls: readonly Call[]): ReadonlyMap<string, readonly Call[]> {
  const uses = new Map<string, Call[]>();
  for (const call of calls) {
    const { path } = call.action;
    if (path === undefined) continue;
    const known = uses.get(path);
    if (known === undefined) uses.set(path, [call]);
    else known.push(call);
  }
  return uses;
}

/** Result → the newest one with the very same text. */
function repeats(calls: readonly Call[]): ReadonlyMap<EntryId, EntryId> {
  const newest = new Map<string, EntryId>();
  for (const { result } of calls) if (result !== undefined) newest.set(textOf(result), result.id);
  return new Map(
    calls.flatMap(({ result }): [EntryId, EntryId][] => {
      const again = result && newest.get(textOf(result));
      return result === undefined || again === undefined || again === result.id ? [] : [[result.id, again]];
    }),
  );
}
