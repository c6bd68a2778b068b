import type { ToolUseBlock } from '../model/content.ts';
import type { Entry, EntryDraft, OutputEntry } from '../model/entry.ts';
import type { ErrorReport } from '../model/errors.ts';
import type { OffloadedOutput } from '../model/offloaded.ts';
import { toolTarget } from '../model/tool-target.ts';

const OUTCOME_UNKNOWN =
  'Interrupted: Plimsoll was closed or stopped while this was running. Its outcome is unknown: check before you do it again.';
type ToolResultDraft = Extract<EntryDraft, { readonly kind: 'tool_result' }>;

export const STOPPED =
  'Stopped by the user while this was running. Its outcome is unknown: check before you do it again.';
export const NOT_STARTED = 'Interrupted: this call was not started.';

/**
 * Results for the calls that a crash or a stop left open, so that the model learns of it and nothing is silently run
 * twice. A call whose intent is in the log may have done its work; one without was never started. Only the last
 * assistant message can be open: whatever came after an older one was said to the model without those results.
 */
export function interruptedResults(entries: readonly Entry[]): readonly EntryDraft[] {
  const lastIndex = entries.findLastIndex((entry) => entry.kind === 'assistant');
  const last = entries[lastIndex];
  if (last?.kind !== 'assistant') return [];
  const after = entries.slice(lastIndex + 1);
  const answered = new Set(after.flatMap((entry) => (entry.kind === 'tool_result' ? [entry.toolUseId] : [])));
  const intended = new Set(after.flatMap((entry) => (entry.kind === 'tool_intent' ? [entry.toolUseId] : [])));
  return last.blocks
    .filter(isToolUse)
    .filter((use) => !answered.has(use.id))
    .map((use) => {
      if (!intended.has(use.id)) return interruptedResult(use, NOT_STARTED);
      const output = outputOf(use, after);
      return output === undefined ? interruptedResult(use, OUTCOME_UNKNOWN) : brokenOff(use, output);
    });
}

function outputOf({ id }: ToolUseBlock, entries: readonly Entry[]): OffloadedOutput | undefined {
  const logged = entries.findLast(
    (entry): entry is OutputEntry => entry.kind === 'output' && entry.toolUseId === id,
  );
  return logged && { ...logged.output, isUnfinished: true };
}

/** What it printed is in its file, however much of it came after the log had last said so. */
function brokenOff(use: ToolUseBlock, output: OffloadedOutput): ToolResultDraft {
  const path = JSON.stringify(output.path);
  const where =
    `What it printed until then is in ${output.path}. Read it: read_file {"path": ${path}, "offset": 1}. ` +
    `Search in it: search {"pattern": "…", "path": ${path}}.`;
  return { ...interruptedResult(use, `${OUTCOME_UNKNOWN} ${where}`), details: { output } };
}

/** What is said to a person where the log ends in the middle of a turn: undefined where the turn came to an end. */
export function interruptedNote(entries: readonly Entry[]): EntryDraft | undefined {
  const last = entries.findLast((entry) => TURN_KINDS.has(entry.kind) && !isAside(entry));
  if (last?.kind !== 'user' && last?.kind !== 'tool_result') return undefined;
  return { kind: 'note', level: 'warning', text: INTERRUPTED.title, error: INTERRUPTED };
}

/** What a turn is made of, and what ends one: an answer, or a note that says why there is none. */
const TURN_KINDS: ReadonlySet<Entry['kind']> = new Set(['user', 'assistant', 'tool_result', 'note']);

/** Said while a turn goes on, not at its end. */
function isAside(entry: Entry): boolean {
  return entry.kind === 'note' && (entry.relief !== undefined || (entry.level === 'warning' && !entry.error));
}

const INTERRUPTED: ErrorReport = {
  code: 'interrupted',
  title: 'Interrupted',
  detail: 'Plimsoll or the editor was closed before the answer was there.',
  advice: 'Retry to ask for it again, or write something else.',
  canRetry: true,
};

export function interruptedResult(use: ToolUseBlock, text: string): ToolResultDraft {
  return {
    kind: 'tool_result',
    toolUseId: use.id,
    name: use.name,
    target: toolTarget(use.input),
    status: 'interrupted',
    content: [{ type: 'text', text }],
    durationMs: 0,
  };
}

function isToolUse(block: { readonly type: string }): block is ToolUseBlock {
  return block.type === 'tool_use';
}
