import type { CarriedCall, CarriedStep } from '../model/relief-entry.ts';
import { once } from '../model/once.ts';
import { inOneLine } from './tool-action.ts';
import { newestWithin, writtenSize } from './written-size.ts';

/** Bytes, as the log holds them: of the newest steps, which the view may tell in full, and of all of them. */
const FULL_ROOM = 60_000;
const ROOM = 94_000;
const MOST_STEPS = 300;
const MOST_CALLS = 20;
/** Failures that older steps still tell of, the last ones: as many as the state names. */
const MOST_OPEN = 6;

/** An older step is told in so many characters, with its id. */
export const BRIEF_LENGTH = 110;

/** The steps within what one entry may hold of them: the newest in full, older ones in brief, the oldest not at all. */
export function carriedSteps(steps: readonly CarriedStep[]): readonly CarriedStep[] {
  const newest = steps.slice(-MOST_STEPS);
  const full = newestWithin(newest, FULL_ROOM);
  if (full.length === newest.length) return newest;
  const open = new Set(openFailures(steps).slice(-MOST_OPEN));
  const older = newest.slice(0, newest.length - full.length).map((step) => inBrief(step, open));
  return newestWithin([...older, ...full], ROOM);
}

/** As much as its line in the view shows, and the failures that nothing has got over since. */
function inBrief(step: CarriedStep, open: ReadonlySet<CarriedCall>): CarriedStep {
  const calls = step.calls.filter((call) => open.has(call));
  const brief = { entryId: step.entryId, said: briefWords(step), calls };
  return writtenSize(brief) < writtenSize(step) ? brief : step;
}

const briefWords = once((step: CarriedStep): string =>
  inOneLine(stepWords(step), BRIEF_LENGTH - linePrefix(step).length),
);

/** What was said and done, in one line. */
export function stepLine(step: CarriedStep): string {
  return linePrefix(step) + stepWords(step);
}

function linePrefix({ entryId }: CarriedStep): string {
  return `- ${entryId} `;
}

function stepWords({ said, calls, more = 0 }: CarriedStep): string {
  const done = calls.map(({ entryId, what, outcome }) => `${what} (${entryId}${outcome && `; ${outcome}`})`);
  const rest = more === 0 ? '' : `${more} more calls`;
  return [said, ...done, rest].filter(Boolean).join(' → ');
}

/** What of the calls of one message is carried: failures first, then those that came first, and how many more there were. */
export function carriedCalls(calls: readonly CarriedCall[]): Pick<CarriedStep, 'calls' | 'more'> {
  if (calls.length <= MOST_CALLS) return { calls };
  const failed = calls.filter(({ outcome }) => outcome !== '').slice(-MOST_CALLS / 2);
  const kept = new Set([...failed, ...calls].slice(0, MOST_CALLS));
  return { calls: calls.filter((call) => kept.has(call)), more: calls.length - kept.size };
}

/** Failures that the same call has not got over since, the last ones last. */
export function openFailures(steps: readonly CarriedStep[]): readonly CarriedCall[] {
  const open = new Map<string, CarriedCall>();
  for (const { calls } of steps)
    for (const call of calls) {
      open.delete(call.what);
      if (call.outcome !== '') open.set(call.what, call);
    }
  return [...open.values()];
}
