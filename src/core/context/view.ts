import type { AssistantBlock, Message, UserBlock } from '../model/content.ts';
import { assertNever } from '../model/assert-never.ts';
import type {
  AssistantEntry,
  Entry,
  EntryId,
  PromptEntry,
  ReminderEntry,
  ToolResultEntry,
  UserEntry,
} from '../model/entry.ts';
import type { LedgerCategory } from '../model/ledger.ts';
import { toolTarget } from '../model/tool-target.ts';
import { VOLATILE_SECTIONS } from '../model/volatile-sections.ts';

/** A block of the view with the entry it comes from and what a person would call it. */
export interface ViewBlock<B = AssistantBlock | UserBlock> {
  readonly block: B;
  readonly entryId: EntryId;
  readonly category: LedgerCategory;
  readonly label: string;
}

/** A message of the view: what the provider gets, plus where each block comes from. */
export type ViewMessage =
  | { readonly role: 'user'; readonly blocks: readonly ViewBlock<UserBlock>[] }
  | { readonly role: 'assistant'; readonly blocks: readonly ViewBlock<AssistantBlock>[] };

/** System sections and tools in force: the last ones logged. */
export function currentPrompt(entries: readonly Entry[]): PromptEntry | undefined {
  return entries.findLast((entry) => entry.kind === 'prompt');
}

/**
 * The conversation in log order, before any repair: what people and the model said, what tools answered, and the
 * reminders said at the tail. Notes, usages, intents and queued messages are no part of it.
 *
 * Signed thinking holds for the prefix it was made behind, and only its own model reads it: it is kept after the last
 * prompt entry (a break in the prefix) and from `model`, and left out whole elsewhere.
 */
export function viewOf(entries: readonly Entry[], model: string): readonly ViewMessage[] {
  const breakAt = entries.findLastIndex((entry) => entry.kind === 'prompt');
  const messages: ViewMessage[] = [];
  entries.forEach((entry, index) => {
    if (entry.kind === 'assistant') {
      const keepThinking = index > breakAt && entry.model === model;
      messages.push({ role: 'assistant', blocks: assistantBlocks(entry, keepThinking) });
      return;
    }
    const blocks = userBlocks(entry, index > breakAt);
    if (blocks.length > 0) messages.push({ role: 'user', blocks });
  });
  return messages;
}

export function toMessages(view: readonly ViewMessage[]): readonly Message[] {
  return view.map((message) =>
    message.role === 'user'
      ? { role: 'user', content: message.blocks.map(({ block }) => block) }
      : { role: 'assistant', content: message.blocks.map(({ block }) => block) },
  );
}

function assistantBlocks(entry: AssistantEntry, keepThinking: boolean): readonly ViewBlock<AssistantBlock>[] {
  const blocks = remember(entry, () =>
    entry.blocks.map((block) => ({
      block,
      entryId: entry.id,
      category: isThinking(block) ? 'thinking' : 'assistant',
      label: block.type === 'tool_use' ? `${block.name}: ${toolTarget(block.input)}` : 'answer',
    })),
  ) as readonly ViewBlock<AssistantBlock>[];
  return keepThinking ? blocks : blocks.filter(({ block }) => !isThinking(block));
}

function isThinking(block: AssistantBlock): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

function userBlocks(entry: Entry, isAfterBreak: boolean): readonly ViewBlock<UserBlock>[] {
  switch (entry.kind) {
    case 'user':
    case 'tool_result':
      return remember(entry, () => blocksOf(entry)) as readonly ViewBlock<UserBlock>[];
    case 'reminder':
      // What it said of a section has been folded into the prompt by the break; anything else it said still stands.
      return isAfterBreak || !VOLATILE_SECTIONS.has(entry.topic)
        ? (remember(entry, () => blocksOf(entry)) as readonly ViewBlock<UserBlock>[])
        : [];
    default:
      return [];
  }
}

function blocksOf(entry: UserEntry | ToolResultEntry | ReminderEntry): ViewBlock<UserBlock>[] {
  const base = { entryId: entry.id };
  switch (entry.kind) {
    case 'user': {
      const blocks: UserBlock[] = [...(entry.images ?? []), { type: 'text', text: withoutTag(entry.text) }];
      return blocks.map((block) => ({ ...base, block, category: 'user', label: 'message' }));
    }
    case 'tool_result': {
      const { toolUseId, status, name, target } = entry;
      const content = entry.content.map((part) =>
        part.type === 'text' ? { ...part, text: withoutTag(part.text) } : part,
      );
      const block: UserBlock = { type: 'tool_result', toolUseId, content, isError: status !== 'ok' };
      return [{ ...base, block, category: 'tool_result', label: `${name}: ${target}` }];
    }
    case 'reminder':
      return [
        {
          ...base,
          block: { type: 'text', text: reminderText(entry) },
          category: 'reminder',
          label: entry.topic,
        },
      ];
    default:
      return assertNever(entry);
  }
}

/** Entries never change, so what one contributes is worked out once: blocks keep their identity over all requests. */
const contributions = new WeakMap<Entry, readonly ViewBlock[]>();

function remember(entry: Entry, make: () => readonly ViewBlock[]): readonly ViewBlock[] {
  const known = contributions.get(entry);
  if (known) return known;
  const made = make();
  contributions.set(entry, made);
  return made;
}

/** The tag marks the text as Plimsoll's own; the system prompt says so. */
function reminderText(entry: ReminderEntry): string {
  return `<system-reminder topic="${entry.topic}">\n${withoutTag(entry.text)}\n</system-reminder>`;
}

/** Nobody else may speak in Plimsoll's name, or end what it says early: the tag is broken wherever it turns up. */
function withoutTag(text: string): string {
  return text.replaceAll(/<(\/?)(?=system-reminder)/gi, '<\\$1');
}
