import { conversationOf } from '../context/conversation.ts';
import type { SpokenEntry } from '../context/conversation.ts';
import type { Entry, EntryDraft } from '../model/entry.ts';
import { incremental } from '../model/incremental.ts';
import { MEMORY_WRITE } from '../tools/memory/memory-write.ts';

export const MEMORY_NUDGE = 'memory_nudge';

/** Rounds with tools after which the model is asked whether something is worth remembering. */
const ROUNDS_BETWEEN_NUDGES = 15;

const TEXT =
  'Nothing was written to the project memory for a while. If something came up that later sessions should know (a decision and why, a preference or correction of the user, a fact that is not in the code), keep it with memory_write. If not, go on, and do not mention this.';

export interface NudgeOptions {
  /** the model no longer sees what holds for one turn only, once anything was answered to it */
  readonly clearsNudges: boolean;
}

/**
 * The nudge to write to the memory that is due at the end of a log, or undefined: after so many rounds with neither a
 * write nor another nudge, in the midst of the work, and only where no earlier one is still in the view.
 */
export function memoryNudge(
  entries: readonly Entry[],
  { clearsNudges }: NudgeOptions,
): EntryDraft | undefined {
  if (quietRounds(entries).rounds < ROUNDS_BETWEEN_NUDGES) return undefined;
  const { prompt, spoken } = conversationOf(entries);
  const canWrite = prompt?.tools.some(({ name }) => name === MEMORY_WRITE) === true;
  if (!canWrite || spoken.at(-1)?.kind !== 'tool_result' || isShown(spoken, clearsNudges)) return undefined;
  return { kind: 'reminder', topic: MEMORY_NUDGE, text: TEXT, isTurnScoped: true };
}

interface Quiet {
  /** whose tools ran, since the last write or nudge */
  rounds: number;
  /** an assistant's message is not counted yet: none of its calls has a result */
  isOpen: boolean;
}

const quietRounds = incremental<Quiet>(
  () => ({ rounds: 0, isOpen: false }),
  (quiet, entry) => {
    if (entry.kind === 'assistant') quiet.isOpen = true;
    if (entry.kind === 'tool_result') {
      if (quiet.isOpen) quiet.rounds += 1;
      quiet.isOpen = false;
      if (entry.name === MEMORY_WRITE && entry.status === 'ok') quiet.rounds = 0;
    }
    if (entry.kind === 'reminder' && entry.topic === MEMORY_NUDGE) quiet.rounds = 0;
  },
);

/** Whether the last nudge is still read by the model. What is said at one place is one message: it goes as a whole or stays. */
function isShown(spoken: readonly SpokenEntry[], clears: boolean): boolean {
  const at = spoken.findLastIndex((entry) => entry.kind === 'reminder' && entry.topic === MEMORY_NUDGE);
  if (at < 0) return false;
  const next = spoken.findIndex(({ kind }, index) => index > at && kind === 'assistant');
  if (!clears || next < 0) return true;
  const start = spoken.findLastIndex(({ kind }, index) => index < at && kind === 'assistant');
  return spoken.slice(start + 1, next).some(isLasting);
}

function isLasting(entry: SpokenEntry): boolean {
  return entry.kind === 'compaction' || (entry.kind === 'reminder' && entry.isTurnScoped !== true);
}
