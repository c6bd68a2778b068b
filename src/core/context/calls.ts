import type { ToolUseBlock } from '../model/content.ts';
import type { AssistantEntry, ToolResultEntry } from '../model/entry.ts';
import type { SpokenEntry } from './conversation.ts';
import type { ToolAction } from './tool-action.ts';
import { actionOf } from './tool-action.ts';

/** A call with its answer, where there is one. */
export interface Call {
  readonly use: ToolUseBlock;
  readonly by: AssistantEntry;
  readonly result: ToolResultEntry | undefined;
  readonly action: ToolAction;
  /** place of the result in the stretch; of the call where there is none */
  readonly index: number;
}

/** The calls of a stretch in order. Results belong to the nearest assistant message before them, as in `repair`. */
export function callsOf(spoken: readonly SpokenEntry[]): readonly Call[] {
  const calls: Call[] = [];
  let open: Map<string, number> = new Map();
  spoken.forEach((entry, index) => {
    if (entry.kind === 'assistant') {
      open = new Map();
      for (const use of entry.blocks) {
        if (use.type !== 'tool_use') continue;
        open.set(use.id, calls.length);
        calls.push({ use, by: entry, result: undefined, action: actionFor(use), index });
      }
    }
    if (entry.kind !== 'tool_result') return;
    const place = open.get(entry.toolUseId);
    const call = place === undefined ? undefined : calls[place];
    if (place !== undefined && call !== undefined && call.result === undefined)
      calls[place] = { ...call, result: entry, index };
  });
  return calls;
}

const actions = new WeakMap<ToolUseBlock, ToolAction>();

function actionFor(use: ToolUseBlock): ToolAction {
  const known = actions.get(use);
  if (known !== undefined) return known;
  const made = actionOf(use.name, use.input);
  actions.set(use, made);
  return made;
}
