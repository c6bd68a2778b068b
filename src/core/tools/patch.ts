import { structuredPatch, FILE_HEADERS_ONLY, formatPatch } from 'diff';
import { takeStart } from '../text/bound-text.ts';
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
  readonly before?: string;
  readonly after: string;
  /** there was no such file before */
  readonly isNew?: boolean;
}

/** The change as a unified patch, in bounded time: where comparing takes too long, the whole stretch that differs. */
export function makePatch({ label, before = '', after, isNew = false }: Change): Patch {
  const from = isNew ? '/dev/null' : `a/${label}`;
  const to = `b/${label}`;
  const limits = { context: 3, timeout: TIMEOUT_MS, maxEditLength: MAX_EDIT_LENGTH };
  const found = structuredPatch(from, to, before, after, undefined, undefined, limits);
  if (found === undefined) return wholeStretch(`--- ${from}\n+++ ${to}`, linesOf(before), linesOf(after));
  const lines = found.hunks.flatMap((hunk) => hunk.lines);
  return {
    patch: `${bound(formatPatch(found, FILE_HEADERS_ONLY).replace(/\n$/, '').split('\n'), MAX_LINES).join('\n')}\n`,
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

function bound(lines: readonly string[], maxLines: number): readonly string[] {
  const kept: string[] = [];
  let room = (MAX_CHARS * maxLines) / MAX_LINES;
  for (const line of lines.slice(0, maxLines)) {
    const shown = line.length <= MAX_LINE_CHARS ? line : `${takeStart(line, MAX_LINE_CHARS)}…`;
    room -= shown.length + 1;
    if (room < 0) break;
    kept.push(shown.toWellFormed());
  }
  const left = lines.length - kept.length;
  // A backslash begins a remark in a patch, so that what reads patches can still read this one.
  return left > 0 ? [...kept, `\\ ${left} more lines are not shown`] : kept;
}

function wholeStretch(header: string, old: readonly string[], now: readonly string[]): Patch {
  const start = commonLength(old, now);
  const end = commonLength(old.slice(start).reverse(), now.slice(start).reverse());
  const removed = old.slice(start, old.length - end).map((line) => `-${line}`);
  const added = now.slice(start, now.length - end).map((line) => `+${line}`);
  // A stretch without lines is named by the line before it.
  const from = (count: number) => `${count === 0 ? start : start + 1},${count}`;
  const hunk = `@@ -${from(removed.length)} +${from(added.length)} @@`;
  const share = removed.length === 0 ? MAX_LINES : MAX_LINES / 2;
  return {
    patch: `${[header, hunk, ...bound(removed, share), ...bound(added, share)].join('\n')}\n`,
    added: added.length,
    removed: removed.length,
  };
}

function linesOf(text: string): readonly string[] {
  return splitLines(text).map((line) => line.text);
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
