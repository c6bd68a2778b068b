import type { Entry, EntryId, UsageEntry } from '../model/entry.ts';
import { contextTokens, isKnownUsage } from '../model/usage.ts';
import { incremental } from '../model/incremental.ts';

/** What a log tells of earlier reliefs, so that the engine does not try in vain again and again. */
export interface ReliefHistory {
  /** tokens of the last request, as billed; 0 before the first */
  billed: number;
  /** tokens that a round adds, as billed; an average of the last few */
  growth: number;
  /** automatic reliefs in a row that the next bill showed to have gained nothing */
  strikes: number;
  /** automatic relief waits until the load has grown past this; 0: it does not wait */
  waitsUntil: number;
  /** billed before the last relief; undefined once the bill after it is in */
  before: number | undefined;
  /** tokens before each relief, so that taking one back says what it brings back */
  befores: Map<EntryId, number>;
  /** a relief was made or given up, and no bill has come since: what is known of the load is stale */
  isUnbilled: boolean;
  /** tokens that each automatic compaction in a row has left: as it was reckoned, then as it was billed */
  left: readonly number[];
  /** the last of them is not billed yet */
  isLeftOpen: boolean;
  /** tokens of the largest request that each model has accepted, by its id */
  accepted: Map<string, number>;
}

/** A relief that gains less than this share of what was billed before it was in vain. */
const REAL_GAIN = 0.05;
export const MOST_STRIKES = 2;
/** After one in vain, one that failed or one that was taken back, the load has to grow by this share first. */
const GROWTH = 0.05;
const GROWTH_WEIGHT = 0.3;
/** Compactions in a row that are remembered; the growth that is waited for stops doubling there. */
const MOST_LEFT = 8;

export const reliefHistoryOf = incremental<ReliefHistory>(
  () => ({
    billed: 0,
    growth: 0,
    strikes: 0,
    waitsUntil: 0,
    before: undefined,
    befores: new Map(),
    isUnbilled: false,
    left: [],
    isLeftOpen: false,
    accepted: new Map(),
  }),
  apply,
);

function apply(history: ReliefHistory, entry: Entry): void {
  switch (entry.kind) {
    case 'usage':
      // What a server reads of a request that it clips says nothing of what was sent.
      if (entry.isClipped === true) bill(history, entry.estimated);
      else if (isKnownUsage(entry.usage, entry.budget.window)) accept(history, entry);
      return;
    case 'assistant':
      // A server that reports no usage must not hold up relief for ever.
      history.isUnbilled = false;
      return;
    case 'eviction':
    case 'compaction':
      // What a person asks for arms the engine again; what it did by itself is judged by the next bill.
      if (entry.trigger === 'asked') forgive(history);
      else history.before ??= history.billed > 0 ? history.billed : entry.before;
      if (entry.kind === 'compaction' && entry.trigger !== 'asked') leave(history, entry.after);
      history.befores.set(entry.id, entry.before);
      history.isUnbilled = true;
      return;
    case 'undo':
      history.left = [];
      history.isLeftOpen = false;
      history.before = undefined;
      history.waitsUntil = (history.befores.get(entry.of) ?? history.billed) * (1 + GROWTH);
      history.isUnbilled = true;
      return;
    case 'pin':
    case 'rewind':
      forgive(history);
      return;
    case 'note':
      if (entry.relief !== undefined)
        history.waitsUntil = Math.max(history.billed, entry.load ?? 0) * (1 + GROWTH);
      return;
    default: // nothing else says anything of relief
  }
}

function leave(history: ReliefHistory, tokens: number): void {
  history.left = [...history.left.slice(1 - MOST_LEFT), tokens];
  history.isLeftOpen = true;
}

function accept(history: ReliefHistory, { usage, model }: UsageEntry): void {
  const tokens = contextTokens(usage);
  history.accepted.set(model, Math.max(tokens, history.accepted.get(model) ?? 0));
  bill(history, tokens);
}

function bill(history: ReliefHistory, tokens: number): void {
  if (history.isLeftOpen) history.left = [...history.left.slice(0, -1), tokens];
  history.isLeftOpen = false;
  if (history.before !== undefined) judge(history, tokens);
  else if (tokens > history.billed && history.billed > 0)
    history.growth += GROWTH_WEIGHT * (tokens - history.billed - history.growth);
  history.billed = tokens;
  history.isUnbilled = false;
}

function judge(history: ReliefHistory, tokens: number): void {
  const before = history.before ?? tokens;
  const isInVain = tokens > before * (1 - REAL_GAIN);
  history.strikes = isInVain ? history.strikes + 1 : 0;
  history.waitsUntil = history.strikes >= MOST_STRIKES ? tokens * (1 + GROWTH) : 0;
  history.before = undefined;
}

function forgive(history: ReliefHistory): void {
  history.strikes = 0;
  history.waitsUntil = 0;
  history.before = undefined;
  history.left = [];
  history.isLeftOpen = false;
}

/**
 * The load up to which compacting waits because what cannot be compacted is over `line` already: each compaction that
 * left more than that doubles the growth that the next one has to pay for. 0 where the last one left less.
 */
export function pauseOver({ left }: ReliefHistory, line: number): number {
  const inVain = left.length - 1 - left.findLastIndex((tokens) => tokens < line);
  return inVain === 0 ? 0 : (left.at(-1) ?? 0) * (1 + GROWTH * 2 ** (inVain - 1));
}
