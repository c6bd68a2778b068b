import type { ToolUseBlock } from '../model/content.ts';
import type { AssistantEntry, ToolResultEntry } from '../model/entry.ts';
import type { SpokenEntry } from './conversation.ts';
import { once } from '../model/once.ts';
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

interface Pairing {
  readonly calls: Call[];
  /** id → places of the calls that wait for their results, in order */
  open: Map<string, number[]>;
  count: number;
}

/** A stretch only grows at its end, or is another one: what was paired stays paired. */
const pairings = new WeakMap<readonly SpokenEntry[], Pairing>();

/** The calls of a stretch in order. Results belong to the nearest assistant message before them, as in `repair`. */
export function callsOf(spoken: readonly SpokenEntry[]): readonly Call[] {
  let pairing = pairings.get(spoken);
  if (pairing === undefined || pairing.count > spoken.length) {
    pairing = { calls: [], open: new Map(), count: 0 };
    pairings.set(spoken, pairing);
  }
  for (; pairing.count < spoken.length; pairing.count += 1) pair(pairing, spoken[pairing.count]);
  return pairing.calls;
}

function pair(pairing: Pairing, entry: SpokenEntry | undefined): void {
  const { calls, open, count: index } = pairing;
  if (entry?.kind === 'assistant') {
    pairing.open = new Map();
    for (const use of entry.blocks) {
      if (use.type !== 'tool_use') continue;
      pairing.open.set(use.id, [...(pairing.open.get(use.id) ?? []), calls.length]);
      calls.push({ use, by: entry, result: undefined, action: actionFor(use), index });
    }
  }
  if (entry?.kind !== 'tool_result') return;
  const place = open.get(entry.toolUseId)?.shift();
  const call = place === undefined ? undefined : calls[place];
  if (place !== undefined && call !== undefined) calls[place] = { ...call, result: entry, index };
}

const actionFor = once((use: ToolUseBlock): ToolAction => actionOf(use.name, use.input));
