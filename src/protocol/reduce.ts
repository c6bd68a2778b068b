import { assertNever } from '../core/model/assert-never.ts';
import type { AssistantEntry, Entry, NoteEntry, UserEntry } from '../core/model/entry.ts';
import type { ErrorReport } from '../core/model/errors.ts';
import type { TurnEnd } from '../core/model/event.ts';
import { toolTarget } from '../core/model/tool-target.ts';
import { isRunning } from './activity.ts';
import { boundedTail } from './bounded-text.ts';
import type { PanelEvent } from './messages.ts';
import {
  compacted,
  evicted,
  reduceRelief,
  reliefNote,
  requestMade,
  retrying,
  turnBegins,
  undone,
  withLoggedLoad,
  withoutRelief,
} from './reduce-relief.ts';
import {
  answered,
  findTool,
  finishTool,
  isOpen,
  newTool,
  noteIntent,
  noteOutput,
  requestApproval,
  updateOpenTool,
} from './reduce-tools.ts';
import type {
  Activity,
  AssistantItem,
  Environment,
  NoteItem,
  PanelItem,
  PanelState,
  ReliefNoteItem,
  ToolItem,
} from './view-model.ts';

export interface PanelBeginning {
  readonly sessionId: string;
  readonly environment: Environment;
  /** display name of the model, where it is known already */
  readonly model?: string;
}

export function initialPanelState(beginning: PanelBeginning): PanelState {
  return { ...beginning, items: [], activity: { kind: 'idle' } };
}

/** The panel of a session that is opened from its log: nothing runs, whatever the last entry says. */
export function resumedPanelState(beginning: PanelBeginning, entries: readonly Entry[]): PanelState {
  const folded = entries.reduce(reduceEntry, initialPanelState(beginning));
  const last = entries.findLast((entry) => !isAboutRelief(entry));
  const activity: Activity =
    last?.kind === 'note' && last.isLimit === true ? { kind: 'limit' } : folded.activity;
  return { ...folded, items: settle(folded.items), activity };
}

/** It takes nothing from the question that was open before it. */
function isAboutRelief(entry: Entry): boolean {
  if (entry.kind === 'note') return entry.relief !== undefined;
  return ['eviction', 'compaction', 'undo', 'pin'].includes(entry.kind);
}

/**
 * What the panel shows after `event`. Pure; it never throws on events that come late or twice, because a panel that
 * cannot be drawn helps nobody. What lasts comes from entries alone; all other events only show it earlier.
 */
export function reduce(state: PanelState, event: PanelEvent): PanelState {
  switch (event.type) {
    case 'turn_started':
      return turnBegins({ ...state, items: settle(state.items) });
    case 'turn_ended': {
      const activity = activityAfter(event.end, event.error);
      return { ...withoutRelief(state), items: settle(state.items), activity };
    }
    case 'request_prepared': {
      const { ledger, model } = event;
      return { ...requestMade(state), ledger, model, activity: { kind: 'calling' } };
    }
    case 'usage_reported':
    case 'load_estimated':
      return { ...state, ledger: event.ledger };
    case 'text_delta':
      return streaming(state, { text: event.text, thinking: '' });
    case 'thinking_delta':
      return streaming(state, { text: '', thinking: event.text });
    case 'tool_use_started':
      return { ...composeTool(state, event), activity: { kind: 'streaming' } };
    case 'stream_discarded':
      return {
        ...state,
        items: withoutStream(state.items),
        activity: state.activity.kind === 'streaming' ? { kind: 'calling' } : state.activity,
      };
    case 'retry_scheduled':
      return retrying(state, event);
    case 'approval_requested':
      return toolActivity(requestApproval(state, event.approval));
    case 'approval_resolved':
      return toolActivity(updateOpenTool(state, event.toolUseId, (tool) => answered(tool, 'pending')));
    case 'tool_started':
      return toolActivity(updateOpenTool(state, event.toolUseId, (tool) => answered(tool, 'running')));
    case 'tool_output':
      return updateOpenTool(state, event.toolUseId, (tool) => ({
        ...tool,
        output: boundedTail(tool.output + event.text),
      }));
    case 'tool_output_kept':
      return noteOutput(state, event);
    case 'relief_started':
    case 'relief_ended':
    case 'compaction_queued':
    case 'compaction_unqueued':
      return reduceRelief(state, event);
    case 'entry':
      return reduceEntry(state, event.entry);
    case 'environment_changed':
      return { ...state, environment: event.environment };
    case 'model_resolved':
      return { ...state, model: event.model };
    case 'session_opened':
      return event.state;
    default:
      return assertNever(event);
  }
}

function reduceEntry(state: PanelState, entry: Entry): PanelState {
  switch (entry.kind) {
    case 'user':
      return append(withoutQueued(state, entry), [{ kind: 'user', id: entry.id, text: entry.text }]);
    case 'queue':
      return append(state, [{ kind: 'user', id: entry.id, text: entry.text, isQueued: true }]);
    case 'assistant':
      return finishAssistant(state, entry);
    case 'tool_intent':
      return noteIntent(state, entry);
    case 'output':
      return noteOutput(state, entry);
    case 'tool_result':
      return toolActivity(finishTool(state, entry));
    case 'note':
      return append(state, [noteItem(entry)]);
    case 'eviction':
      return evicted(state, entry);
    case 'compaction':
      return compacted(state, entry);
    case 'undo':
      return undone(state, entry);
    case 'usage':
      return withLoggedLoad(state, entry);
    case 'session':
    case 'prompt':
    case 'reminder':
    case 'pin':
    case 'rewind':
      return state;
    default:
      return assertNever(entry);
  }
}

function activityAfter(end: TurnEnd, error: ErrorReport | undefined): Activity {
  switch (end) {
    case 'done':
    case 'stopped':
      return { kind: 'idle' };
    case 'limit':
      return { kind: 'limit' };
    case 'failed':
      return { kind: 'failed', error: error ?? UNEXPLAINED };
    default:
      return assertNever(end);
  }
}

const UNEXPLAINED: ErrorReport = {
  code: 'internal',
  title: 'The turn failed',
  detail: 'No reason was given.',
  advice: 'Try again.',
  canRetry: true,
};

function append(state: PanelState, items: readonly PanelItem[]): PanelState {
  return { ...state, items: [...state.items, ...items] };
}

function noteItem(entry: NoteEntry): NoteItem | ReliefNoteItem {
  const { id, level, text, error, relief } = entry;
  if (relief !== undefined) return reliefNote({ ...entry, relief });
  return { kind: 'note', id, level, text, ...(error && { error }) };
}

function withoutQueued(state: PanelState, { queueId }: UserEntry): PanelState {
  return queueId === undefined
    ? state
    : { ...state, items: state.items.filter((item) => item.kind !== 'user' || item.id !== queueId) };
}

// The stream: one live answer and the cards of the calls being written, void until their entry is there.

const isLive = (item: PanelItem): item is AssistantItem => item.kind === 'assistant' && item.id === 'live';
const isComposing = (item: PanelItem) => item.kind === 'tool' && item.state === 'composing';

function withoutStream(items: readonly PanelItem[]): readonly PanelItem[] {
  return items.filter((item) => !isLive(item) && !isComposing(item));
}

function streaming(state: PanelState, delta: Pick<AssistantItem, 'text' | 'thinking'>): PanelState {
  const activity: Activity = state.activity.kind === 'streaming' ? state.activity : { kind: 'streaming' };
  const index = state.items.findLastIndex(isLive);
  const live = state.items[index];
  if (live === undefined || !isLive(live)) {
    // An answer stands before the calls it makes, also where its first words come after them.
    const firstCall = state.items.findIndex(isComposing);
    const at = firstCall < 0 ? state.items.length : firstCall;
    return {
      ...state,
      items: state.items.toSpliced(at, 0, { kind: 'assistant', id: 'live', ...delta }),
      activity,
    };
  }
  const grown = { ...live, text: live.text + delta.text, thinking: live.thinking + delta.thinking };
  return { ...state, items: state.items.with(index, grown), activity };
}

function composeTool(state: PanelState, call: { readonly toolUseId: string; readonly name: string }) {
  if (findTool(state, call.toolUseId) !== undefined) return state;
  return append(state, [newTool(call.toolUseId, call.name, { state: 'composing' })]);
}

function finishAssistant(state: PanelState, entry: AssistantEntry): PanelState {
  const settled = { ...state, items: withoutStream(state.items), model: state.model ?? entry.model };
  const text = joined(entry.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
  const thinking = joined(
    entry.blocks.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])),
  );
  const answer: readonly PanelItem[] =
    text === '' && thinking === '' ? [] : [{ kind: 'assistant', id: entry.id, text, thinking }];
  const calls = entry.blocks.flatMap((block) => {
    if (block.type !== 'tool_use' || findTool(settled, block.id) !== undefined) return [];
    return [newTool(block.id, block.name, { target: toolTarget(block.input), callId: entry.id })];
  });
  return append(settled, [...answer, ...calls]);
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n');
}

/** What the cards say about a turn that is on; a log that is only read has none. */
function toolActivity(state: PanelState): PanelState {
  if (!isRunning(state.activity) || state.activity.kind === 'compacting') return state;
  const open = state.items.filter((item): item is ToolItem => item.kind === 'tool' && isOpen(item));
  if (open.some((tool) => tool.state === 'approval'))
    return { ...state, activity: { kind: 'awaiting_approval' } };
  return { ...state, activity: { kind: open.length > 0 ? 'running_tools' : 'calling' } };
}

/** Between turns nothing streams, waits or runs. */
function settle(items: readonly PanelItem[]): readonly PanelItem[] {
  return withoutStream(items).map((item) =>
    item.kind === 'tool' && isOpen(item) ? answered(item, 'interrupted') : item,
  );
}
