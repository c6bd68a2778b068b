import type { AssistantEntry, EntryId } from '../model/entry.ts';
import type {
  CarriedCall,
  CarriedFacts,
  CarriedFile,
  CarriedMessage,
  CarriedStep,
  CompactionEntry,
} from '../model/relief-entry.ts';
import { once } from '../model/once.ts';
import type { Call } from './calls.ts';
import { callsOf } from './calls.ts';
import { carriedMessages } from './carried-messages.ts';
import { carriedCalls, carriedSteps } from './carried-steps.ts';
import type { SpokenEntry } from './conversation.ts';
import { textOf } from './entry-text.ts';
import { inOneLine } from './tool-action.ts';
import { shortened } from './user-rules.ts';
import { newestWithin } from './written-size.ts';

/**
 * What is carried is bounded, to about 150 kB in all, so that the thousandth compaction costs what the first did; the log
 * has the rest.
 */
const MOST_FILES = 150;
/** Bytes of all files, as the log holds them. */
const FILES_ROOM = 16_000;
const MESSAGE_LENGTH = 12_000;
const SAID_LENGTH = 600;
const OUTCOME_LENGTH = 160;
const IDS_PER_FILE = 3;

const NOTHING: CarriedFacts = { messages: [], files: [], steps: [] };

/** Facts of a stretch added to those carried so far: by code alone, so that no summary can lose them. */
export function extendFacts(
  before: CompactionEntry | undefined,
  covered: readonly SpokenEntry[],
): CarriedFacts {
  const { messages, files, steps } = before?.facts ?? NOTHING;
  const calls = callsOf(covered);
  return {
    messages: carriedMessages([...messages, ...covered.flatMap(messageOf)]),
    files: newestWithin(withFiles(files, calls).slice(-MOST_FILES), FILES_ROOM),
    steps: carriedSteps([...steps, ...stepsOf(covered, calls)]),
  };
}

const messageOf = once((entry: SpokenEntry): readonly CarriedMessage[] => {
  if (entry.kind !== 'user') return [];
  return [{ entryId: entry.id, text: shortened(entry.text.toWellFormed(), MESSAGE_LENGTH) }];
});

function stepsOf(covered: readonly SpokenEntry[], calls: readonly Call[]): readonly CarriedStep[] {
  const byMessage = new Map<AssistantEntry, Call[]>();
  for (const call of calls) byMessage.set(call.by, [...(byMessage.get(call.by) ?? []), call]);
  return covered.flatMap((entry) =>
    entry.kind === 'assistant' ? [stepOf(entry, byMessage.get(entry) ?? [])] : [],
  );
}

function stepOf(entry: AssistantEntry, calls: readonly Call[]): CarriedStep {
  const said = entry.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ');
  return {
    entryId: entry.id,
    said: inOneLine(endsOf(said, SAID_LENGTH), 2 * SAID_LENGTH),
    ...carriedCalls(calls.map(carriedCall)),
  };
}

/** People and models say what matters first and last. */
function endsOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  return `${text.slice(0, half)} […] ${text.slice(text.length - half)}`.toWellFormed();
}

function carriedCall({ result, by, action, use }: Call): CarriedCall {
  const change = action.kind === 'edit' ? changedLine(use.input) : '';
  const what = change === '' ? action.what : inOneLine(`${action.what}: \`${change}\``, 2 * OUTCOME_LENGTH);
  return { entryId: result?.id ?? by.id, what, outcome: outcomeOf(result) };
}

/** The first line of what an edit wrote that says anything. */
function changedLine(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = input as Readonly<Record<string, unknown>>;
  const written = fields['new_text'] ?? fields['new_string'] ?? fields['newText'] ?? fields['content'];
  if (typeof written !== 'string') return '';
  return inOneLine(written.split('\n').find((line) => /\w{3}/.test(line)) ?? '', OUTCOME_LENGTH / 2);
}

function outcomeOf(result: Call['result']): string {
  if (result === undefined) return 'no result';
  if (result.status === 'ok') return '';
  return inOneLine(`${result.status}: ${firstTelling(textOf(result))}`, OUTCOME_LENGTH);
}

function firstTelling(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /error|fail|cannot|not found|denied|exception/i.test(line)) ?? lines[0] ?? '';
}

function withFiles(before: readonly CarriedFile[], calls: readonly Call[]): readonly CarriedFile[] {
  const files = new Map(before.map((file) => [file.path, file]));
  for (const { action, result, by } of calls) {
    if (action.path === undefined || (action.kind !== 'read' && action.kind !== 'edit')) continue;
    const known = files.get(action.path) ?? { path: action.path, reads: [], edits: [], lines: '' };
    const id: EntryId = result?.id ?? by.id;
    files.delete(action.path); // what was touched last stands last
    files.set(
      action.path,
      action.kind === 'read'
        ? { ...known, reads: newest(known.reads, id), lines: shownLines(action.lines) }
        : { ...known, edits: newest(known.edits, id) },
    );
  }
  return [...files.values()];
}

function newest(ids: readonly EntryId[], id: EntryId): readonly EntryId[] {
  return [...ids, id].slice(-IDS_PER_FILE);
}

function shownLines(lines: Call['action']['lines']): string {
  if (lines === undefined) return '';
  return `${lines.first}-${Number.isFinite(lines.last) ? lines.last : 'end'}`;
}
