import type { EntryId } from '../model/entry.ts';
import type { CarriedFacts, CarriedStep, SummarySection, WorkState } from '../model/relief-entry.ts';
import { openFailures } from './carried-steps.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { once } from '../model/once.ts';
import { inOneLine } from './tool-action.ts';

/** Tokens of the whole state. */
const MOST_TOKENS = 500;
const GOAL_LENGTH = 240;
const STEP_LENGTH = 200;
const ITEM_LENGTH = 100;
const MOST_ITEMS = 6;

/** Where the work stands, by code: from the user's words, the steps since, and what the summary says comes next. */
export function workState(
  { messages, files, steps }: CarriedFacts,
  summary: readonly SummarySection[],
  updated: EntryId,
): WorkState {
  const state: WorkState = {
    goal: inOneLine(messages[0]?.text ?? '', GOAL_LENGTH),
    step: inOneLine(steps.findLast(({ said }) => said !== '')?.said ?? '', STEP_LENGTH),
    completed: unique(steps.flatMap(successes)).slice(-MOST_ITEMS),
    pending: bulletsOf(summary, 'Next steps').slice(0, MOST_ITEMS),
    errors: openErrors(steps).slice(-MOST_ITEMS),
    files: files.slice(-MOST_ITEMS).map(({ path }) => inOneLine(path, ITEM_LENGTH)),
    updated,
  };
  return withinBound(state);
}

/** Edits and commands that went well: what only looked at something completes nothing. */
const successes = once(({ calls }: CarriedStep): readonly string[] =>
  calls
    .filter(({ outcome, what }) => outcome === '' && (what.includes('`') || isChange(what)))
    .map(({ what }) => inOneLine(what, ITEM_LENGTH)),
);

function isChange(what: string): boolean {
  return /^(?:edit|write|create|apply|delete)/i.test(what);
}

function openErrors(steps: readonly CarriedStep[]): readonly string[] {
  return openFailures(steps).map(({ what, outcome }) => inOneLine(`${what}: ${outcome}`, ITEM_LENGTH + 40));
}

function bulletsOf(summary: readonly SummarySection[], title: string): readonly string[] {
  const section = summary.find((candidate) => candidate.title === title);
  return (section?.bullets ?? []).map(({ text }) => inOneLine(text, ITEM_LENGTH));
}

function withinBound(state: WorkState): WorkState {
  if (estimateTokens(JSON.stringify(state)) <= MOST_TOKENS) return state;
  const shorter = {
    ...state,
    completed: state.completed.slice(1),
    files: state.files.slice(1),
    errors: state.errors.length > 2 ? state.errors.slice(1) : state.errors,
    pending: state.pending.length > 3 ? state.pending.slice(0, -1) : state.pending,
  };
  const isShorter = JSON.stringify(shorter).length < JSON.stringify(state).length;
  return withinBound(isShorter ? shorter : halved(state));
}

/** What is left is short in number: its texts are what takes so much. */
function halved(state: WorkState): WorkState {
  const half = (text: string) => inOneLine(text, Math.ceil(text.length / 2));
  return {
    ...state,
    goal: half(state.goal),
    step: half(state.step),
    pending: state.pending.map(half),
    errors: state.errors.map(half),
  };
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
