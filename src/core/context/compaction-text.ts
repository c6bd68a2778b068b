import type {
  CarriedFacts,
  CarriedFile,
  CarriedStep,
  SummarySection,
  WorkState,
} from '../model/relief-entry.ts';
import { BRIEF_LENGTH, stepLine } from './carried-steps.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { once } from '../model/once.ts';
import { inOneLine } from './tool-action.ts';
import { fitUserWords } from './user-words.ts';
import { withoutTag } from './view.ts';

/** Most that the user's words may take, and their share of the room. Tokens. */
const MESSAGES = { most: 8_000, share: 0.15 };
/** Steps get a larger share of a larger room: what a small window holds must first be what it works on. */
const STEPS = { most: 20_000, share: 0.085, perToken: 0.3e-6, mostShare: 0.125 };
const FILES = { most: 3_000, share: 0.02 };

/** Share of the room for steps that the newest may take in full. */
const FULL_STEPS = 0.6;

export interface CompactionText {
  readonly facts: CarriedFacts;
  readonly summary: readonly SummarySection[];
  readonly state: WorkState;
  /** tokens of the budget that system prompt and tools leave */
  readonly room: number;
}

const OPENING =
  'The conversation up to here was moved out of view to make room; this stands for it. It is reference, not a new request: what was asked and done is told below. Ids like e12 name what is told: recall with an id, or with words, shows the original.';

/**
 * What the model sees in place of what was compacted. Goal and rules stand first, the step and what comes next last:
 * the middle is where models lose things. Everything in it but the summary is made by code.
 */
export function compactionText({ facts, summary, state, room }: CompactionText): string {
  const [goal, ...others] = fitUserWords(facts.messages, share(MESSAGES, room));
  const parts = [
    OPENING,
    goal && section('Goal, in the user’s words', [`[${goal.entryId}] ${goal.text}`]),
    section(
      'What the user said since, word for word, oldest first',
      others.map(({ entryId, text }) => `[${entryId}] ${text}`),
    ),
    ...summary.map(({ title, bullets }) =>
      section(
        title,
        bullets.map(({ text }) => `- ${text}`),
      ),
    ),
    section('Files, the last touched last', filesWithin(facts.files, share(FILES, room))),
    section('Steps so far, oldest first', stepsWithin(facts.steps, stepsRoom(room))),
    stateText(state),
  ];
  return `<context-summary>\n${withoutTag(parts.filter(Boolean).join('\n\n'))}\n</context-summary>`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n${lines.join('\n')}`;
}

function share(
  { most, share: part }: { readonly most: number; readonly share: number },
  room: number,
): number {
  return Math.min(most, Math.floor(room * part));
}

function stepsRoom(room: number): number {
  const part = Math.min(STEPS.mostShare, STEPS.share + STEPS.perToken * room);
  return share({ most: STEPS.most, share: part }, room);
}

interface Line {
  readonly text: string;
  /** with its line break */
  readonly tokens: number;
}

function lineOf(text: string): Line {
  return { text, tokens: estimateTokens(text) + 1 };
}

/** Lines from the newest back, until the room is used. */
function newestWithin(lines: readonly Line[], room: number): readonly Line[] {
  let first = lines.length;
  for (let used = 0; first > 0; first -= 1) {
    used += lines[first - 1]?.tokens ?? 0;
    if (used > room) break;
  }
  return lines.slice(first);
}

function filesWithin(files: readonly CarriedFile[], room: number): readonly string[] {
  return newestWithin(files.map(fileLine), room).map(({ text }) => text);
}

const fileLine = once(({ path, reads, edits, lines }: CarriedFile): Line => {
  const read = reads.length === 0 ? '' : `read${lines === '' ? '' : ` ${lines}`} ${reads.join(' ')}`;
  const changed = edits.length === 0 ? '' : `changed ${edits.join(' ')}`;
  return lineOf(`- ${path}: ${[read, changed].filter(Boolean).join(', ')}`);
});

/** The newest in full, older ones in brief, the oldest not at all. */
function stepsWithin(steps: readonly CarriedStep[], room: number): readonly string[] {
  const full = newestWithin(steps.map(fullLine), room * FULL_STEPS);
  const used = full.reduce((sum, { tokens }) => sum + tokens, 0);
  const older = steps.slice(0, steps.length - full.length).map(briefLine);
  return [...newestWithin(older, room - used), ...full].map(({ text }) => text);
}

/** Carried from one compaction to the next, steps stay the same objects: each is written out once. */
const fullLine = once((step: CarriedStep): Line => lineOf(stepLine(step)));

const briefLine = once((step: CarriedStep): Line => lineOf(inOneLine(stepLine(step), BRIEF_LENGTH)));

function stateText({ step, completed, pending, errors }: WorkState): string {
  return section('Where the work stands', [
    ...(completed.length === 0 ? [] : [`Completed last: ${completed.join('; ')}`]),
    ...(errors.length === 0 ? [] : [`Errors still open: ${errors.join('; ')}`]),
    ...(step === '' ? [] : [`Last step: ${step}`]),
    ...(pending.length === 0 ? [] : [`Next: ${pending.join('; ')}`]),
  ]);
}
