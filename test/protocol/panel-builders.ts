import type { AssistantBlock } from '../../src/core/model/content.ts';
import type {
  Entry,
  EntryDraft,
  ReliefOutcome,
  ToolDetails,
  ToolStatus,
} from '../../src/core/model/entry.ts';
import type { CompactionEntry, EvictedItem, WorkState } from '../../src/core/model/relief-entry.ts';
import type { ErrorReport } from '../../src/core/model/errors.ts';
import type { Budget } from '../../src/core/model/budget.ts';
import type { Ledger } from '../../src/core/model/ledger.ts';
import type { PanelEvent } from '../../src/protocol/messages.ts';
import type { PanelBeginning } from '../../src/protocol/reduce.ts';
import { initialPanelState, reduce } from '../../src/protocol/reduce.ts';
import type { PanelItem, PanelState, ToolItem } from '../../src/protocol/view-model.ts';

export const beginning: PanelBeginning = {
  sessionId: 's1',
  environment: { hasKey: true, isTrusted: true, hasFolder: true },
};

export const budget: Budget = {
  window: 200_000,
  reservedOutput: 32_000,
  margin: 2_000,
  tokens: 166_000,
  lines: { evict: 0.6, prepare: 0.7, compact: 0.8, fold: 0.95 },
};

export function ledger(total: number, more: Partial<Ledger> = {}): Ledger {
  return {
    phase: 'estimate',
    items: [{ category: 'system', label: 'base', state: 'kept', tokens: total }],
    total,
    budget,
    ...more,
  };
}

export const failure: ErrorReport = {
  code: 'overloaded',
  title: 'The provider is overloaded',
  detail: 'Overloaded',
  advice: 'Try again in a minute.',
  canRetry: true,
};

/** Numbers and dates drafts as a log would. */
export function log(...drafts: readonly EntryDraft[]): readonly Entry[] {
  return drafts.map((draft, index) => ({
    ...draft,
    id: `e${index + 1}` as const,
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
  }));
}

export const user = (text: string): EntryDraft => ({ kind: 'user', text });

export function assistant(...blocks: readonly AssistantBlock[]): EntryDraft {
  const stopReason = blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
  return { kind: 'assistant', provider: 'test', model: 'model-1', messageId: 'msg', blocks, stopReason };
}

export const text = (value: string): AssistantBlock => ({ type: 'text', text: value });
export const call = (id: string, name: string, input: unknown): AssistantBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
});

export function intent(toolUseId: string, name: string, target = ''): EntryDraft {
  return { kind: 'tool_intent', toolUseId, name, target, consent: 'free' };
}

interface ResultOptions {
  readonly status?: ToolStatus;
  readonly output?: string;
  readonly details?: ToolDetails;
}

export function result(toolUseId: string, name: string, options: ResultOptions = {}): EntryDraft {
  return {
    kind: 'tool_result',
    toolUseId,
    name,
    target: '',
    status: options.status ?? 'ok',
    content: [{ type: 'text', text: options.output ?? '(no output)' }],
    durationMs: 12,
    ...(options.details && { details: options.details }),
  };
}

export function compaction(more: Partial<CompactionEntry> = {}): EntryDraft {
  return {
    kind: 'compaction',
    method: 'summary',
    trigger: 'line',
    through: 'e1',
    text: 'What was done.',
    summary: [{ title: 'Goal', bullets: [{ text: 'Fix the tide', sources: ['e1'] }] }],
    state: workState,
    facts: { messages: [{ entryId: 'e1', text: 'Fix it' }], files: [], steps: [] },
    before: 131_000,
    after: 42_000,
    ...more,
  };
}

export const workState: WorkState = {
  goal: 'Fix the tide',
  step: 'Run the tests',
  completed: ['Read src/tide.js'],
  pending: ['Write a test'],
  errors: ['1 test failed'],
  files: ['src/tide.js'],
  updated: 'e1',
};

export function eviction(...items: readonly EvictedItem[]): EntryDraft {
  return { kind: 'eviction', trigger: 'line', items, before: 98_000, after: 61_000 };
}

export function reliefNote(relief: ReliefOutcome, text = 'Nothing to gain.'): EntryDraft {
  return { kind: 'note', level: relief === 'failed' ? 'warning' : 'info', text, relief };
}

export const asEvents = (entries: readonly Entry[]): readonly PanelEvent[] =>
  entries.map((entry) => ({ type: 'entry', entry }));

export function foldEvents(
  events: readonly PanelEvent[],
  state: PanelState = initialPanelState(beginning),
): PanelState {
  return events.reduce(reduce, state);
}

export function toolOf(state: PanelState, toolUseId: string): ToolItem {
  const found = state.items.find((item: PanelItem) => item.kind === 'tool' && item.toolUseId === toolUseId);
  if (found?.kind !== 'tool') throw new Error(`no card ${toolUseId}`);
  return found;
}
