import { assertNever } from '../core/model/assert-never.ts';
import type { NoteEntry, UndoEntry, UsageEntry } from '../core/model/entry.ts';
import { orderOf } from '../core/model/entry-order.ts';
import type { ModelCallEvent, ReliefEvent } from '../core/model/event.ts';
import type { CompactionEntry, EvictionEntry } from '../core/model/relief-entry.ts';
import { contextTokens, isKnownUsage } from '../core/model/usage.ts';
import { isRunning } from './activity.ts';
import { boundedEnds } from './bounded-text.ts';
import type {
  Activity,
  CompactionItem,
  EvictedResult,
  EvictionItem,
  PanelItem,
  PanelState,
  ReliefNoteItem,
  ToolItem,
} from './view-model.ts';

// The part of the fold that is about making the conversation smaller. What came of it is a row, from its entry alone;
// the events only show that it is going on, and no way of ending leaves that standing.

const CALLING: Activity = { kind: 'calling' };

type Started = ReliefEvent & { readonly type: 'relief_started' };
type Ended = ReliefEvent & { readonly type: 'relief_ended' };

export function reduceRelief(state: PanelState, event: ReliefEvent): PanelState {
  switch (event.type) {
    case 'relief_started':
      return beginRelief(state, event);
    case 'relief_ended':
      return endRelief(state, event);
    case 'compaction_queued': {
      const { type: _, ...queuedCompaction } = event;
      return { ...state, queuedCompaction };
    }
    case 'compaction_unqueued':
      return withoutQueuedCompaction(state);
    default:
      return assertNever(event);
  }
}

function beginRelief(state: PanelState, { isWaitedFor, before }: Started): PanelState {
  if (!isWaitedFor) return { ...state, isPreparing: true };
  const afterRelief = state.afterRelief ?? (isRunning(state.activity) ? CALLING : state.activity);
  return { ...state, activity: { kind: 'compacting', before }, afterRelief };
}

function endRelief(state: PanelState, { outcome, isWaitedFor }: Ended): PanelState {
  // What was prepared in the background is not what is waited for.
  if (outcome === 'prepared' || isWaitedFor === false) return withoutPreparing(state);
  const { afterRelief, isPreparing: _, ...rest } = state;
  const isStillShown = isReliefShown(state.activity);
  return { ...rest, activity: isStillShown && afterRelief !== undefined ? afterRelief : state.activity };
}

/** Writing the summary may have to wait for the provider, as any call. */
function isReliefShown({ kind }: Activity): boolean {
  return kind === 'compacting' || kind === 'retrying';
}

/** Between turns, and once a request is made, no relief is waited for. */
export function withoutRelief(state: PanelState): PanelState {
  const { afterRelief: _, isPreparing: __, ...rest } = state;
  return rest;
}

function withoutPreparing({ isPreparing: _, ...rest }: PanelState): PanelState {
  return rest;
}

/** Nothing is waited for any more, and what was brought back is in the request. */
export function requestMade({ afterRelief: _, broughtBack: __, ...rest }: PanelState): PanelState {
  return rest;
}

function withoutQueuedCompaction({ queuedCompaction: _, ...rest }: PanelState): PanelState {
  return rest;
}

type Retry = Extract<ModelCallEvent, { readonly type: 'retry_scheduled' }>;

/** While a relief is waited for it is its summary that waits for the provider. */
export function retrying(state: PanelState, { type: _, ...retry }: Retry): PanelState {
  const isCompacting = state.afterRelief !== undefined;
  return { ...state, activity: { kind: 'retrying', ...retry, ...(isCompacting && { isCompacting }) } };
}

/** A turn that begins while a relief runs waits for it. */
export function turnBegins(state: PanelState): PanelState {
  return state.afterRelief === undefined
    ? { ...withoutRelief(state), activity: CALLING }
    : { ...state, afterRelief: CALLING };
}

export function evicted(state: PanelState, entry: EvictionEntry): PanelState {
  const { id, trigger, before, after } = entry;
  const cards = cardsByResult(state.items);
  const results = entry.items.map(({ entryId, reason, see, keep }): EvictedResult => {
    const { tool = '', target = '' } = cards.get(entryId) ?? {};
    return {
      entryId,
      tool,
      target,
      reason,
      ...(keep !== undefined && { isShortened: true }),
      ...(see !== undefined && { see }),
    };
  });
  const row: EvictionItem = { kind: 'eviction', id, trigger, results, before, after };
  return withLoad({ ...state, items: [...state.items, row] }, after);
}

function cardsByResult(items: readonly PanelItem[]): ReadonlyMap<string, ToolItem> {
  return new Map(
    items.flatMap((item) =>
      item.kind === 'tool' && item.resultId !== undefined ? [[item.resultId, item] as const] : [],
    ),
  );
}

export function compacted(state: PanelState, entry: CompactionEntry): PanelState {
  const { id, method, trigger, before, after, summary, signed, text } = entry;
  const { cost, model, focus, fallback } = entry;
  const row: CompactionItem = {
    ...{ kind: 'compaction', id, method, trigger, before, after, summary, state: entry.state },
    text: boundedEnds([signed?.text ?? '', text].filter((part) => part !== '').join('\n\n')),
    ...(cost !== undefined && { cost }),
    ...(model !== undefined && { model }),
    ...(focus !== undefined && { focus }),
    ...(fallback !== undefined && { fallback }),
  };
  return withLoad({ ...state, items: [...state.items, row] }, after);
}

/** What was replaced is back; tokens that have come since stay counted. */
export function undone(state: PanelState, { id, of }: UndoEntry): PanelState {
  const index = state.items.findIndex((item) => isRelief(item) && item.id === of);
  const row = state.items[index];
  if (row === undefined || !isRelief(row) || row.isUndone) return state;
  const items = state.items.with(index, { ...row, isUndone: true });
  const total = state.ledger?.total ?? 0;
  const tokens = row.before - row.after;
  const broughtBack = [...(state.broughtBack ?? []), { by: id, tokens }];
  return withLoad({ ...state, items, broughtBack }, total + tokens);
}

/**
 * The load as the log knows it: a total without parts, so it gives way to every ledger that has them. What an undo has
 * brought back during the call is not in its usage.
 */
export function withLoggedLoad(state: PanelState, entry: UsageEntry): PanelState {
  if (state.ledger !== undefined && state.ledger.items.length > 0) return state;
  const broughtBack = (state.broughtBack ?? []).filter(({ by }) => orderOf(by) > orderOf(entry.lastEntryId));
  const isKnown = isKnownUsage(entry.usage) && entry.isClipped !== true;
  const sent = isKnown ? contextTokens(entry.usage) : entry.estimated;
  const total = broughtBack.reduce((sum, { tokens }) => sum + tokens, sent);
  const phase = isKnown && broughtBack.length === 0 ? 'usage' : 'estimate';
  const ledger = { phase, items: [], total, budget: entry.budget } as const;
  const { broughtBack: _, ...rest } = state;
  return { ...rest, ...(broughtBack.length > 0 && { broughtBack }), ledger };
}

function isRelief(item: PanelItem): item is EvictionItem | CompactionItem {
  return item.kind === 'eviction' || item.kind === 'compaction';
}

export function reliefNote(
  entry: NoteEntry & { readonly relief: ReliefNoteItem['outcome'] },
): ReliefNoteItem {
  const { id, relief: outcome, text, error } = entry;
  return { kind: 'relief_note', id, outcome, text, ...(error && { error }) };
}

/** The load as a relief left it: a total without parts, until the next request has them. */
function withLoad(state: PanelState, total: number): PanelState {
  if (state.ledger === undefined) return state;
  return { ...state, ledger: { phase: 'estimate', items: [], total, budget: state.ledger.budget } };
}
