import { assertNever } from '../model/assert-never.ts';
import type { AssistantBlock, Message, TextBlock, UserBlock } from '../model/content.ts';
import type { AssistantEntry, EntryId, ReminderEntry, ToolResultEntry, UserEntry } from '../model/entry.ts';
import { orderOf } from '../model/entry-order.ts';
import type { ItemState, LedgerCategory } from '../model/ledger.ts';
import type { CompactionEntry, EvictedItem, SignedSummary } from '../model/relief-entry.ts';
import type { ModelInfo } from '../model/request.ts';
import { toolTarget } from '../model/tool-target.ts';
import type { Conversation, SpokenEntry } from './conversation.ts';
import { coveredPins, heldContent } from './held.ts';
import { once } from '../model/once.ts';
import { evictedContent } from './stub.ts';

/** A block of the view with the entry it comes from and what a person would call it. */
export interface ViewBlock<B = AssistantBlock | UserBlock> {
  readonly block: B;
  readonly entryId: EntryId;
  readonly category: LedgerCategory;
  readonly label: string;
  readonly state: ItemState;
}

/** A message of the view: what the provider gets, plus where each block comes from. */
export type ViewMessage =
  | { readonly role: 'user'; readonly blocks: readonly ViewBlock<UserBlock>[] }
  | { readonly role: 'assistant'; readonly blocks: readonly ViewBlock<AssistantBlock>[] }
  | {
      readonly role: 'system';
      readonly blocks: readonly ViewBlock<TextBlock>[];
      readonly isTurnScoped: boolean;
    };

/** Held entries whose images stay: those held of the newest. */
const MOST_PICTURED = 10;

/** What of a model decides how the conversation is put to it. */
export type Reader = Pick<ModelInfo, 'id' | 'traits'>;

/**
 * The conversation as the model is to see it, before any repair: the summary of what was compacted, then everything
 * since in log order, evicted results as references.
 *
 * Signed thinking holds for the prefix it was made behind, and only its own model reads it: it is kept after the last
 * break of our own and from this model, and left out whole elsewhere.
 */
export function viewOf(conversation: Conversation, info: Reader): readonly ViewMessage[] {
  const { compaction, spoken } = conversation;
  const view: ViewMessage[] = [];
  if (compaction !== undefined && compaction.signed === undefined) view.push(summaryMessage(compaction));
  else if (compaction !== undefined && signedFor(conversation, info) === undefined)
    view.push(retoldMessage(compaction));
  const reader = { ...info, thinkingFrom: validThinkingFrom(conversation, info) };
  const held = heldMessage(conversation);
  if (held !== undefined && !spoken.includes(held.compaction)) view.push(held.message);
  for (const entry of spoken) {
    if (entry === held?.compaction) view.push(held.message);
    view.push(messageOf(entry, conversation, reader));
  }
  return view;
}

/** The signed summary that stands in front of the view: only the model that wrote it takes it back. */
export function signedFor({ compaction }: Conversation, { id, traits }: Reader): SignedSummary | undefined {
  // Where nothing is known of the model, it is the one that the log says took it.
  const isTaken = traits?.signedSummaries !== false && compaction?.signed?.model === id;
  return isTaken ? compaction.signed : undefined;
}

export function toMessages(view: readonly ViewMessage[]): readonly Message[] {
  return view.map(toMessage);
}

const toMessage = once((message: ViewMessage): Message => {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.blocks.map(({ block }) => block) };
    case 'assistant':
      return { role: 'assistant', content: message.blocks.map(({ block }) => block) };
    case 'system': {
      const content = message.blocks.map(({ block }) => block);
      return { role: 'system', content, ...(message.isTurnScoped && { clearAt: 'next_user_message' }) };
    }
    default:
      return assertNever(message);
  }
});

/** Order of the entry behind which the prefix is, for this model, what its thinking was made behind. */
function validThinkingFrom(conversation: Conversation, info: Reader): number {
  const { compaction, brokenAt } = conversation;
  const isRetold = compaction?.signed !== undefined && signedFor(conversation, info) === undefined;
  return isRetold ? Math.max(brokenAt, orderOf(compaction.id)) : brokenAt;
}

function messageOf(
  entry: SpokenEntry,
  conversation: Conversation,
  info: Reader & { readonly thinkingFrom: number },
): ViewMessage {
  switch (entry.kind) {
    case 'assistant': {
      const keepsThinking = orderOf(entry.id) > info.thinkingFrom && entry.model === info.id;
      return keepsThinking ? assistantMessage(entry) : withoutThinking(entry);
    }
    case 'user':
      return conversation.pinned.has(entry.id) ? pinned(userMessage(entry)) : userMessage(entry);
    case 'tool_result': {
      if (conversation.pinned.has(entry.id)) return pinned(resultMessage(entry));
      const item = conversation.evicted.get(entry.id);
      return item === undefined ? resultMessage(entry) : stubMessage(entry, item);
    }
    case 'reminder':
      return info.traits?.systemMessages === true ? systemReminder(entry) : taggedReminder(entry);
    case 'compaction':
      return info.traits?.systemMessages === true ? systemFacts(entry) : summaryMessage(entry);
    default:
      return assertNever(entry);
  }
}

/** Entries never change, so what one contributes is made once: messages and blocks keep their identity over requests. */
const assistantMessage = once((entry: AssistantEntry): ViewMessage => ({
  role: 'assistant',
  blocks: entry.blocks.map((block) => ({
    block,
    entryId: entry.id,
    category: isThinking(block) ? 'thinking' : 'assistant',
    label: block.type === 'tool_use' ? `${block.name}: ${toolTarget(block.input)}` : 'answer',
    state: 'kept',
  })),
}));

const withoutThinking = once((entry: AssistantEntry): ViewMessage => {
  const { blocks } = assistantMessage(entry) as Extract<ViewMessage, { role: 'assistant' }>;
  return { role: 'assistant', blocks: blocks.filter(({ block }) => !isThinking(block)) };
});

function isThinking(block: AssistantBlock): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

const userMessage = once((entry: UserEntry): ViewMessage => {
  const blocks: UserBlock[] = [...(entry.images ?? []), { type: 'text', text: withoutTag(entry.text) }];
  return {
    role: 'user',
    blocks: blocks.map((block) => ({
      block,
      entryId: entry.id,
      category: 'user',
      label: 'message',
      state: 'kept',
    })),
  };
});

const resultMessage = once((entry: ToolResultEntry): ViewMessage => {
  const content = entry.content.map((part) =>
    part.type === 'text' ? { ...part, text: withoutTag(part.text) } : part,
  );
  return resultWith(entry, content, 'kept');
});

const stubs = once((_: ToolResultEntry) => new WeakMap<EvictedItem, ViewMessage>());

function stubMessage(entry: ToolResultEntry, item: EvictedItem): ViewMessage {
  const known = stubs(entry).get(item);
  if (known !== undefined) return known;
  const made = resultWith(
    entry,
    [{ type: 'text', text: withoutTag(evictedContent(entry, item)) }],
    'evicted',
  );
  stubs(entry).set(item, made);
  return made;
}

function resultWith(
  entry: ToolResultEntry,
  content: ToolResultEntry['content'],
  state: ItemState,
): ViewMessage {
  const { id: entryId, toolUseId, status, name, target } = entry;
  const block: UserBlock = { type: 'tool_result', toolUseId, content, isError: status !== 'ok' };
  return {
    role: 'user',
    blocks: [{ block, entryId, category: 'tool_result', label: `${name}: ${target}`, state }],
  };
}

const pinned = once((message: ViewMessage): ViewMessage => ({
  ...message,
  blocks: message.blocks.map((block) => ({ ...block, state: 'pinned' })) as never,
}));

/** The tag marks the text as Plimsoll's own; the system prompt says so. */
const taggedReminder = once((entry: ReminderEntry): ViewMessage => {
  const text = `<system-reminder topic="${entry.topic}">\n${withoutTag(entry.text)}\n</system-reminder>`;
  return { role: 'user', blocks: [said(entry, { type: 'text', text })] };
});

const systemReminder = once((entry: ReminderEntry): ViewMessage => ({
  role: 'system',
  blocks: [said(entry, { type: 'text', text: entry.text })],
  isTurnScoped: entry.isTurnScoped === true,
}));

function said(entry: ReminderEntry, block: TextBlock): ViewBlock<TextBlock> {
  return { block, entryId: entry.id, category: 'reminder', label: entry.topic, state: 'kept' };
}

const summaryMessage = once((entry: CompactionEntry): ViewMessage => ({
  role: 'user',
  blocks: [summarised(entry)],
}));

/** What one model signed is told to another in words. */
const retoldMessage = once((entry: CompactionEntry): ViewMessage => {
  const text = `<context-summary>\n${withoutTag(entry.signed?.text ?? '')}\n</context-summary>`;
  return { role: 'user', blocks: [{ ...summarised(entry), block: { type: 'text', text } }] };
});

const systemFacts = once((entry: CompactionEntry): ViewMessage => ({
  role: 'system',
  blocks: [summarised(entry)],
  isTurnScoped: false,
}));

interface Held {
  readonly compaction: CompactionEntry;
  readonly message: ViewMessage;
  readonly entries: readonly SpokenEntry[];
}

const heldBehind = new WeakMap<CompactionEntry, Held>();

/** What the person holds in view of what the compaction covers, word for word, for as long as they hold it. */
function heldMessage(conversation: Conversation): Held | undefined {
  const { compaction } = conversation;
  const entries = coveredPins(conversation);
  if (compaction === undefined || entries.length === 0) return undefined;
  const known = heldBehind.get(compaction);
  const isSame = known?.entries.length === entries.length && known.entries.every((e, i) => e === entries[i]);
  if (isSame) return known;
  const pictured = entries.filter((entry) => heldContent(entry).images.length > 0).slice(-MOST_PICTURED);
  const blocks = entries.flatMap((entry) => heldBlocks(entry, pictured.includes(entry)));
  const held: Held = { compaction, entries, message: { role: 'user', blocks } };
  heldBehind.set(compaction, held);
  return held;
}

function heldBlocks(entry: SpokenEntry, isPictured: boolean): readonly ViewBlock<UserBlock>[] {
  const { text, images } = heldContent(entry);
  const block: TextBlock = {
    type: 'text',
    text: `<context-summary>\n## Held in view by the user\n[${entry.id}] ${withoutTag(text)}\n</context-summary>`,
  };
  const [category, label] = heldAs(entry);
  const blocks: readonly UserBlock[] = [block, ...(isPictured ? images : [])];
  return blocks.map((part) => ({ block: part, entryId: entry.id, category, label, state: 'pinned' }));
}

function heldAs(entry: SpokenEntry): readonly [LedgerCategory, string] {
  switch (entry.kind) {
    case 'tool_result':
      return ['tool_result', `${entry.name}: ${entry.target}`];
    case 'assistant':
      return ['assistant', 'answer'];
    case 'user':
      return ['user', 'message'];
    case 'reminder':
      return ['reminder', entry.topic];
    case 'compaction':
      return ['summary', 'summary'];
    default:
      return assertNever(entry);
  }
}

/** Its text is made by code, with everything quoted in it escaped. */
function summarised(entry: CompactionEntry): ViewBlock<TextBlock> {
  const block: TextBlock = { type: 'text', text: entry.text };
  return { block, entryId: entry.id, category: 'summary', label: 'summary', state: 'summarised' };
}

/** Nobody else may speak in Plimsoll's name, or end what it says early: the tags are broken wherever they turn up. */
export function withoutTag(text: string): string {
  return text.replaceAll(/<(\/?)(?=system-reminder|context-summary)/gi, '<\\$1');
}
