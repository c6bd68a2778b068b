import type { OutputEntry, ToolIntentEntry, ToolResultEntry } from '../core/model/entry.ts';
import type { ApprovalRequest } from '../core/model/event.ts';
import { boundedEnds } from './bounded-text.ts';
import type { PanelState, ToolItem } from './view-model.ts';

// The part of the fold that is about tool cards. A card keeps its place from its first sight on.

export function newTool(toolUseId: string, tool: string, more: Partial<ToolItem>): ToolItem {
  return { kind: 'tool', toolUseId, tool, target: '', state: 'pending', output: '', ...more };
}

export function findTool(state: PanelState, toolUseId: string): number | undefined {
  const index = state.items.findLastIndex((item) => item.kind === 'tool' && item.toolUseId === toolUseId);
  return index < 0 ? undefined : index;
}

export function isOpen(tool: ToolItem): boolean {
  return OPEN.has(tool.state);
}

const OPEN: ReadonlySet<ToolItem['state']> = new Set(['composing', 'pending', 'approval', 'running']);

type Change = (tool: ToolItem) => ToolItem;

function updateTool(state: PanelState, toolUseId: string, change: Change): PanelState {
  const index = findTool(state, toolUseId);
  if (index === undefined) return state;
  const tool = state.items[index];
  if (tool?.kind !== 'tool') return state;
  return { ...state, items: state.items.with(index, change(tool)) };
}

/** A late event cannot reopen a card that has its result. */
export function updateOpenTool(state: PanelState, toolUseId: string, change: Change): PanelState {
  return updateTool(state, toolUseId, (tool) => (isOpen(tool) ? change(tool) : tool));
}

function withTool(state: PanelState, card: ToolItem): PanelState {
  const isNew = findTool(state, card.toolUseId) === undefined;
  return isNew ? { ...state, items: [...state.items, card] } : state;
}

/** A question that nobody sees would hang the turn: it gets a card even where no call was announced. */
export function requestApproval(state: PanelState, approval: ApprovalRequest): PanelState {
  const { toolUseId, tool, target } = approval;
  return updateOpenTool(withTool(state, newTool(toolUseId, tool, { target })), toolUseId, (card) => ({
    ...card,
    target: card.target || target,
    state: 'approval',
    approval,
  }));
}

export function answered(tool: ToolItem, state: 'pending' | 'running' | 'interrupted'): ToolItem {
  const { approval: _, ...rest } = tool;
  return { ...rest, state };
}

export function noteIntent(state: PanelState, entry: ToolIntentEntry): PanelState {
  const { toolUseId, name, target } = entry;
  const startedAt = Date.parse(entry.at);
  return updateOpenTool(withTool(state, newTool(toolUseId, name, {})), toolUseId, (tool) => ({
    ...tool,
    target: target || tool.target,
    ...(Number.isNaN(startedAt) ? {} : { startedAt }),
  }));
}

/** Where the output is of a call that still runs, or that nobody knows the end of. */
export function noteOutput(
  state: PanelState,
  { toolUseId, output }: Pick<OutputEntry, 'toolUseId' | 'output'>,
): PanelState {
  return updateOpenTool(state, toolUseId, (tool) => ({ ...tool, kept: output }));
}

export function finishTool(state: PanelState, entry: ToolResultEntry): PanelState {
  const { toolUseId, name, target, status, durationMs } = entry;
  const { patch, added, removed, exitCode, output: kept } = entry.details ?? {};
  const text = entry.content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
  return updateTool(withTool(state, newTool(toolUseId, name, {})), toolUseId, (tool) => {
    const { approval: _, kept: __, ...rest } = tool;
    return {
      ...rest,
      target: target || tool.target,
      state: status,
      output: boundedEnds(text),
      durationMs,
      resultId: entry.id,
      ...(patch !== undefined && { patch }),
      ...(added !== undefined && { added }),
      ...(removed !== undefined && { removed }),
      ...(exitCode !== undefined && { exitCode }),
      ...(kept !== undefined && { kept }),
    };
  });
}
