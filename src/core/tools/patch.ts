import { structuredPatch, FILE_HEADERS_ONLY, formatPatch } from 'diff';
import { takeStart } from './bound-text.ts';
import { splitLines } from './text-lines.ts';

/** A change to one file, for people. */
export interface Patch {
  /** unified, bounded; says where it was cut */
  readonly patch: string;
  /** whole lines */
  readonly added: number;
  readonly removed: number;
}

const MAX_LINES = 400;
const MAX_CHARS = 40_000;
/** A longer line says nothing to people, and is not what the change is about. */
const MAX_LINE_CHARS = 1_000;
const TIMEOUT_MS = 500;
const MAX_EDIT_LENGTH = 2_000;

export interface Change {
  /** what the file is called */
  readonly label: string;
  /** undefined for a new file */
  readonly before?: string;
  readonly after: string;
}

/** The change as a unified patch, in bounded time: a change too large to be compared is said in numbers. */
export function makePatch({ label, before, after }: Change): Patch {
  const from = before === undefined ? '/dev/null' : `a/${label}`;
  const found = structuredPatch(from, `b/${label}`, before ?? '', after, undefined, undefined, {
    context: 3,
    timeout: TIMEOUT_MS,
    maxEditLength: MAX_EDIT_LENGTH,
  });
  if (found === undefined) return countsOnly(`--- ${from}\n+++ b/${label}\n`, before ?? '', after);
  const lines = found.hunks.flatMap((hunk) => hunk.lines);
  return {
    patch: bound(formatPatch(found, FILE_HEADERS_ONLY)),
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

function bound(patch: string): string {
  const lines = patch.toWellFormed().trimEnd().split('\n');
  const kept: string[] = [];
  let chars = 0;
  for (const line of lines.slice(0, MAX_LINES)) {
    const shown = line.length <= MAX_LINE_CHARS ? line : `${takeStart(line, MAX_LINE_CHARS)}…`;
    chars += shown.length + 1;
    if (chars > MAX_CHARS) break;
    kept.push(shown);
  }
  const left = lines.length - kept.length;
  // A backslash begins a remark in a patch, so that what reads patches can still read this one.
  if (left > 0) kept.push(`\\ ${left} more lines are not shown`);
  return `${kept.join('\n')}\n`;
}

function countsOnly(header: string, before: string, after: string): Patch {
  const old = splitLines(before).map((line) => line.text);
  const now = splitLines(after).map((line) => line.text);
  const start = commonLength(old, now);
  const end = commonLength(old.slice(start).reverse(), now.slice(start).reverse());
  const removed = old.length - start - end;
  const added = now.length - start - end;
  return {
    patch: `${header}\\ too large to be shown: ${added} lines added, ${removed} removed\n`,
    added,
    removed,
  };
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
