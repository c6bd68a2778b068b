import type {
  AssistantEntry,
  Entry,
  EntryId,
  PinEntry,
  PromptEntry,
  ReminderEntry,
  ToolResultEntry,
  UsageEntry,
  UserEntry,
} from '../model/entry.ts';
import { orderOf } from '../model/entry-order.ts';
import type { CompactionEntry, EvictedItem } from '../model/relief-entry.ts';
import { isKnownUsage } from '../model/usage.ts';
import { VOLATILE_SECTIONS } from '../model/volatile-sections.ts';
import type { Calibration } from './calibration.ts';
import { learn, UNCALIBRATED } from './calibration.ts';
import { incremental } from '../model/incremental.ts';

/** What the view is made of, in log order. A signed compaction stands in it where code says what it carries. */
export type SpokenEntry = UserEntry | AssistantEntry | ToolResultEntry | ReminderEntry | CompactionEntry;

/** What is in force at the end of a log: the state that the next request is made from. */
export interface Conversation {
  /** system sections and tools: the last ones logged */
  prompt: PromptEntry | undefined;
  /** everything after the compaction's coverage */
  spoken: SpokenEntry[];
  compaction: CompactionEntry | undefined;
  evicted: Map<EntryId, EvictedItem>;
  /** what the person holds in view, covered by the compaction or not */
  pinned: Map<EntryId, SpokenEntry>;
  /** everything that was ever spoken and not taken back */
  byId: Map<EntryId, SpokenEntry>;
  /** order of the last break of our own: signed thinking from before it is left out */
  brokenAt: number;
  /** a break has not been followed by a prompt yet, which folds everything volatile in */
  wantsPrompt: boolean;
  /** the last report of real usage behind the prefix as it is, and the reply it is of */
  anchor: { readonly usage: UsageEntry; readonly reply: AssistantEntry } | undefined;
  lastReply: AssistantEntry | undefined;
  /** what the reports teach of how providers count */
  calibration: Calibration;
  /** the report of the very first request, which is little more than system and tools: it tells their price */
  opening: UsageEntry | undefined;
  /** tokens that each reply was billed as output */
  billed: WeakMap<AssistantEntry, UsageEntry>;
  /** model calls answered so far */
  rounds: number;
  /** round in which the last summary was put to use; folds since then carry it on */
  summarisedAt: number;
  /** round in which each spoken entry joined */
  roundOf: Map<EntryId, number>;
}

interface Fold {
  /** the log without what was rewound or undone */
  effective: Entry[];
  conversation: Conversation;
}

/** The conversation that a log comes to. Undone and rewound entries are passed over; nothing is ever cut from the log. */
export function conversationOf(entries: readonly Entry[]): Conversation {
  return fold(entries).conversation;
}

/**
 * Whether an eviction or a compaction still holds, so that taking it back brings something back: that was not done yet,
 * no rewind went behind it, and no later compaction covers all of it.
 */
export function isInForce(entries: readonly Entry[], id: EntryId): boolean {
  const { effective, conversation } = fold(entries);
  return effective.some((entry) => {
    if (entry.id !== id) return false;
    if (entry.kind === 'compaction') return conversation.compaction === entry;
    return entry.kind === 'eviction' && entry.items.some(({ entryId }) => conversation.evicted.has(entryId));
  });
}

/** Whether the compaction in force stands for an entry. */
export function isCovered({ compaction }: Pick<Conversation, 'compaction'>, id: EntryId): boolean {
  return compaction !== undefined && orderOf(id) <= orderOf(compaction.through);
}

const fold = incremental<Fold>(
  () => ({ effective: [], conversation: emptyConversation() }),
  (state, entry) => {
    if (entry.kind !== 'rewind' && entry.kind !== 'undo') {
      state.effective.push(entry);
      apply(state.conversation, entry);
      return;
    }
    // What the entry takes back may be anywhere: rare, so everything is folded again.
    state.effective = withoutTakenBack(state.effective, entry);
    const rebuilt = emptyConversation();
    for (const kept of state.effective) apply(rebuilt, kept);
    breakAt(rebuilt, entry);
    state.conversation = rebuilt;
  },
);

function withoutTakenBack(effective: readonly Entry[], entry: Entry): Entry[] {
  if (entry.kind === 'undo') return effective.filter(({ id }) => id !== entry.of);
  if (entry.kind !== 'rewind') return [...effective];
  const to = orderOf(entry.to);
  // What the world is like does not go back in time: the prompt in force and what was learnt of tokens stay.
  return effective.filter(
    ({ id, kind }) => orderOf(id) <= to || kind === 'prompt' || kind === 'usage' || kind === 'session',
  );
}

function emptyConversation(): Conversation {
  return {
    prompt: undefined,
    spoken: [],
    compaction: undefined,
    evicted: new Map(),
    pinned: new Map(),
    byId: new Map(),
    brokenAt: 0,
    wantsPrompt: true,
    anchor: undefined,
    lastReply: undefined,
    calibration: UNCALIBRATED,
    opening: undefined,
    billed: new WeakMap(),
    rounds: 0,
    summarisedAt: Number.NEGATIVE_INFINITY,
    roundOf: new Map(),
  };
}

function apply(conversation: Conversation, entry: Entry): void {
  switch (entry.kind) {
    case 'user':
    case 'assistant':
    case 'tool_result':
    case 'reminder':
      if (entry.kind === 'assistant') {
        conversation.rounds += 1;
        conversation.lastReply = entry;
      }
      speak(conversation, entry);
      return;
    case 'prompt':
      conversation.prompt = entry;
      breakAt(conversation, entry);
      conversation.wantsPrompt = false;
      conversation.spoken = conversation.spoken.filter((said) => !isStale(said));
      return;
    case 'eviction':
      for (const item of entry.items) conversation.evicted.set(item.entryId, item);
      breakAt(conversation, entry);
      return;
    case 'compaction':
      compact(conversation, entry);
      return;
    case 'pin':
      pin(conversation, entry);
      return;
    case 'usage':
      report(conversation, entry);
      return;
    default: // session, queue, intents and notes are no part of what the model sees
  }
}

/** What is in view as it is stays so; what a reference or a summary stands for comes into view, or leaves it: a break. */
function pin(conversation: Conversation, entry: PinEntry): void {
  const { entryId, isPinned } = entry;
  const { pinned, evicted, byId } = conversation;
  const was = pinned.has(entryId);
  const held = isPinned ? byId.get(entryId) : undefined;
  if (held === undefined) pinned.delete(entryId);
  else pinned.set(entryId, held);
  const isChanged = was !== pinned.has(entryId);
  if (isChanged && (evicted.has(entryId) || isCovered(conversation, entryId))) breakAt(conversation, entry);
}

function report(conversation: Conversation, usage: UsageEntry): void {
  const reply = conversation.lastReply?.id === usage.assistantId ? conversation.lastReply : undefined;
  if (reply !== undefined) conversation.billed.set(reply, usage);
  // What the server read of a request that it clipped says nothing of what was sent.
  if (usage.isClipped === true || !isKnownUsage(usage.usage, usage.budget.window)) return;
  conversation.calibration = learn(conversation.calibration, usage);
  if (reply === undefined) return;
  if (conversation.rounds === 1) conversation.opening = usage;
  const isOfThisPrefix = orderOf(usage.lastEntryId) >= conversation.brokenAt;
  if (isOfThisPrefix) conversation.anchor = { usage, reply };
}

function speak(conversation: Conversation, entry: SpokenEntry): void {
  conversation.spoken.push(entry);
  conversation.byId.set(entry.id, entry);
  conversation.roundOf.set(entry.id, conversation.rounds);
}

function compact(conversation: Conversation, entry: CompactionEntry): void {
  const through = orderOf(entry.through);
  const covered = conversation.spoken.filter(({ id }) => orderOf(id) <= through);
  for (const { id } of covered) {
    conversation.evicted.delete(id);
    conversation.roundOf.delete(id);
  }
  conversation.spoken = conversation.spoken.filter(({ id }) => orderOf(id) > through);
  conversation.compaction = entry;
  if (entry.method === 'summary' || entry.method === 'signed')
    conversation.summarisedAt = conversation.rounds;
  if (entry.method === 'signed') {
    // The provider vouches for the swap: what was kept is valid as it is, and what code adds is said at the tail.
    speak(conversation, entry);
    conversation.anchor = undefined;
  } else {
    // What code said beside an earlier signed summary is part of this one.
    conversation.spoken = conversation.spoken.filter(({ kind }) => kind !== 'compaction');
    breakAt(conversation, entry);
  }
}

function breakAt(conversation: Conversation, entry: Entry): void {
  conversation.brokenAt = orderOf(entry.id);
  conversation.wantsPrompt = true;
  conversation.anchor = undefined;
}

/** What a reminder said of a section is folded into the prompt by a break; what it said for one turn is over. */
function isStale(entry: SpokenEntry): boolean {
  return entry.kind === 'reminder' && (entry.isTurnScoped === true || VOLATILE_SECTIONS.has(entry.topic));
}
