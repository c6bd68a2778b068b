import type { EntryBase, EntryId } from './entry-base.ts';
import type { Usage } from './usage.ts';

/** What set off a relief: a load line, the economy cap, the person, or the provider's "too long". */
export type ReliefTrigger = 'line' | 'cap' | 'asked' | 'too_long';

/** Why a result may leave the view: the same text is there again, the file was read again or changed since, … */
export type EvictionReason = 'duplicate' | 'superseded' | 'large' | 'image' | 'asked';

/** Old results replaced in the view by a one-line reference each, from here on; the log keeps them. */
export interface EvictionEntry extends EntryBase {
  readonly kind: 'eviction';
  readonly trigger: ReliefTrigger;
  readonly items: readonly EvictedItem[];
  /** tokens of the whole request */
  readonly before: number;
  readonly after: number;
}

export interface EvictedItem {
  /** of the tool result */
  readonly entryId: EntryId;
  readonly reason: EvictionReason;
  /** the newer entry that holds the same or more, where there is one */
  readonly see?: EntryId;
  /** characters of it that stay in the view, beginning and end: of results the model has not seen whole yet */
  readonly keep?: number;
}

/** How a stretch was replaced: by a model's summary, by the provider's signed one, or without any model. */
export type CompactionMethod = 'summary' | 'signed' | 'fold' | 'window';

/** A stretch of the view replaced by a text that covers it, from here on; the log keeps the stretch. */
export interface CompactionEntry extends EntryBase {
  readonly kind: 'compaction';
  readonly method: CompactionMethod;
  readonly trigger: ReliefTrigger;
  /** last entry covered: everything after it stays verbatim */
  readonly through: EntryId;
  /** what the model sees in place of the stretch; of a signed one: what code adds to it at the tail */
  readonly text: string;
  readonly summary: readonly SummarySection[];
  readonly state: WorkState;
  /** what the next compaction goes on from */
  readonly facts: CarriedFacts;
  readonly signed?: SignedSummary;
  /** tokens of the whole request */
  readonly before: number;
  readonly after: number;
  /** of writing the summary */
  readonly cost?: Usage;
  readonly model?: string;
  /** what the person asked to keep in mind: `/compact [focus]` */
  readonly focus?: string;
  /** why it is not what was meant to be: the summary that failed before the fold */
  readonly fallback?: string;
}

export interface SummarySection {
  readonly title: string;
  readonly bullets: readonly SummaryBullet[];
}

export interface SummaryBullet {
  readonly text: string;
  /** entries that share its paths, names and numbers: empty where none was found, which people are shown */
  readonly sources: readonly EntryId[];
}

/** A summary that the provider wrote and signed: it goes back byte for byte, in front of all messages. */
export interface SignedSummary {
  readonly provider: string;
  readonly model: string;
  /** for people, and for the next summary */
  readonly text: string;
  /** the provider's own block, untouched */
  readonly block: Readonly<Record<string, unknown>>;
}

/** Where the work stands, folded from the log by code; at most 500 tokens. */
export interface WorkState {
  readonly goal: string;
  readonly step: string;
  readonly completed: readonly string[];
  readonly pending: readonly string[];
  readonly errors: readonly string[];
  readonly files: readonly string[];
  /** id of the last entry it knows of */
  readonly updated: EntryId;
}

/** Facts of everything covered so far, bounded, carried from compaction to compaction by code. */
export interface CarriedFacts {
  /** the user's words, oldest first; the first is the goal */
  readonly messages: readonly CarriedMessage[];
  readonly files: readonly CarriedFile[];
  /** what was said and done, round by round, oldest first */
  readonly steps: readonly CarriedStep[];
}

export interface CarriedMessage {
  readonly entryId: EntryId;
  readonly text: string;
}

export interface CarriedFile {
  readonly path: string;
  /** results that showed it, and calls that changed it, newest last; the last few */
  readonly reads: readonly EntryId[];
  readonly edits: readonly EntryId[];
  /** what of it was shown last: `1-200`, or empty for all */
  readonly lines: string;
}

export interface CarriedStep {
  /** of the assistant's message */
  readonly entryId: EntryId;
  /** the beginning of what it said */
  readonly said: string;
  readonly calls: readonly CarriedCall[];
  /** calls of a message with very many that are only counted */
  readonly more?: number;
}

export interface CarriedCall {
  /** of the result; of the call where there is none */
  readonly entryId: EntryId;
  /** tool and target, in a few words */
  readonly what: string;
  /** empty where it went well */
  readonly outcome: string;
}
