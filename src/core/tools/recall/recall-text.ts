import type { AssistantBlock, ImageBlock, ResultBlock, ToolUseBlock } from '../../model/content.ts';
import type { AssistantEntry, Entry, EntryId, ToolResultEntry } from '../../model/entry.ts';
import { assertNever } from '../../model/assert-never.ts';
import { orderOf } from '../../model/entry-order.ts';
import type { CompactionEntry } from '../../model/relief-entry.ts';
import { takeStart } from '../../text/bound-text.ts';

export const RECALL = 'recall';

const MAX_TARGET_CHARS = 100;
/** Deeper input is shown as JSON: it is never words. */
const MAX_DEPTH = 6;

/** A piece of an entry that was said by one voice. */
export interface EntryPart {
  /** who speaks: `user`, `answer`, `call of write_file`, `result of read_file: src/a.ts` */
  readonly label: string;
  readonly text: string;
  /** what recall was asked or answered: an echo of other entries, which the search passes over */
  readonly isEcho?: true;
  /** where the text is: a kept output, and the line that it begins in */
  readonly file?: { readonly path: string; readonly line: number };
}

/** Entries never change, so what one says is worked out once. */
const known = new WeakMap<Entry, readonly EntryPart[]>();

/** What an entry says in the conversation, thinking left out. Empty where it is no part of it. */
export function entryParts(entry: Entry): readonly EntryPart[] {
  const parts = known.get(entry) ?? partsOf(entry);
  known.set(entry, parts);
  return parts;
}

function partsOf(entry: Entry): readonly EntryPart[] {
  switch (entry.kind) {
    case 'user':
      return [{ label: 'user', text: [entry.text, ...(entry.images ?? []).map(imageText)].join('\n') }];
    case 'assistant':
      return entry.blocks.flatMap(assistantPart);
    case 'tool_result':
      return [resultPart(entry)];
    case 'compaction':
      return [{ label: 'summary', text: summaryText(entry) }];
    case 'session':
    case 'queue':
    case 'tool_intent':
    case 'output':
    case 'prompt':
    case 'reminder':
    case 'usage':
    case 'note':
    case 'eviction':
    case 'undo':
    case 'pin':
    case 'rewind':
      return [];
    default:
      return assertNever(entry);
  }
}

function assistantPart(block: AssistantBlock): readonly EntryPart[] {
  switch (block.type) {
    case 'text':
      return [{ label: 'answer', text: block.text }];
    case 'tool_use':
      return [callPart(block)];
    case 'thinking':
    case 'redacted_thinking':
      return [];
    default:
      return assertNever(block);
  }
}

function callPart({ name, input }: ToolUseBlock): EntryPart {
  const text = inputText(input, 0);
  return { label: `call of ${name}`, text, ...(name === RECALL ? { isEcho: true } : {}) };
}

function resultPart(entry: ToolResultEntry): EntryPart {
  const label = `result of ${entry.name}: ${takeStart(oneLine(entry.target), MAX_TARGET_CHARS)}`;
  const text = entry.content.map(resultText).join('\n');
  return { label, text, ...(entry.name === RECALL ? { isEcho: true } : {}) };
}

function resultText(block: ResultBlock): string {
  return block.type === 'text' ? block.text : imageText(block);
}

function imageText({ mediaType, width, height }: ImageBlock): string {
  return `[an image, ${mediaType}, ${width}×${height}]`;
}

function summaryText({ text, signed }: CompactionEntry): string {
  return signed === undefined || text.includes(signed.text) ? text : `${signed.text}\n\n${text}`;
}

/** Fields as lines, texts with their own lines: what was written to a file is read and found as it was written. */
function inputText(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return JSON.stringify(value) ?? '';
  return Object.entries(value)
    .map(([field, inner]) => {
      const text = inputText(inner, depth + 1);
      return `${field}:${text.includes('\n') ? '\n' : ' '}${text}`;
    })
    .join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** All that an entry says, in full: what is shown of it by its id. Empty where it is no part of the conversation. */
export function entryText(entry: Entry): string {
  const parts = entryParts(entry);
  const texts =
    entry.kind === 'assistant'
      ? parts.map(({ label, text }) => labelled(label, text))
      : parts.map((part) => part.text);
  return texts.join('\n\n').toWellFormed();
}

function labelled(label: string, text: string): string {
  return label === 'answer' ? text : `[${label}]\n${text}`;
}

/** What the entry is, in one line; of a call and its result: where the other is. */
export function entryHeading(entry: Entry, entries: readonly Entry[]): string {
  switch (entry.kind) {
    case 'tool_result': {
      const call = entries.find((other) => isCallOf(other, entry.toolUseId));
      const from = call === undefined ? '' : `, called in ${call.id}`;
      return `${resultPart(entry).label} (${entry.status}${from})`;
    }
    case 'assistant':
      return ['answer', ...resultIds(entry, entries).map(([name, id]) => `result of ${name}: ${id}`)].join(
        ', ',
      );
    case 'compaction':
      return `summary of everything up to ${entry.through}`;
    default:
      return entry.kind;
  }
}

function isCallOf(entry: Entry, toolUseId: string): boolean {
  return (
    entry.kind === 'assistant' &&
    entry.blocks.some((block) => block.type === 'tool_use' && block.id === toolUseId)
  );
}

function resultIds(
  entry: AssistantEntry,
  entries: readonly Entry[],
): readonly (readonly [string, EntryId])[] {
  const ids = new Set(entry.blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
  return entries.flatMap((other) =>
    other.kind === 'tool_result' && ids.has(other.toolUseId) ? [[other.name, other.id] as const] : [],
  );
}

/** Where an entry of no words of its own leads: the message that a queued one became, the result of a call. */
export function leadsTo(entry: Entry, entries: readonly Entry[]): EntryId | undefined {
  if (entry.kind === 'queue')
    return entries.find((other) => other.kind === 'user' && other.queueId === entry.id)?.id;
  if (entry.kind === 'tool_intent')
    return entries.find((other) => other.kind === 'tool_result' && other.toolUseId === entry.toolUseId)?.id;
  return undefined;
}

/** Entries that a rewind took out of the conversation: still found, and said to be so. */
export function rewoundEntries(entries: readonly Entry[]): ReadonlySet<Entry> {
  const rewound = new Set<Entry>();
  entries.forEach((entry, index) => {
    if (entry.kind !== 'rewind') return;
    const to = orderOf(entry.to);
    for (const before of entries.slice(0, index)) if (orderOf(before.id) > to) rewound.add(before);
  });
  return rewound;
}

/** How long ago an entry was said, by the answers that came after it. */
export function ages(entries: readonly Entry[]): (entry: Entry) => string {
  const rounds = new Map<Entry, number>();
  let count = 0;
  for (const entry of entries.toReversed()) {
    rounds.set(entry, count);
    if (entry.kind === 'assistant') count += 1;
  }
  return (entry) => {
    const ago = rounds.get(entry) ?? 0;
    return ago === 0 ? 'this round' : `${ago} ${ago === 1 ? 'round' : 'rounds'} ago`;
  };
}
