import { bulletOf, endOfBullet } from './bullets.ts';
import { closingFence, fenceOf, isFence } from './fences.ts';
import type { Fence } from './fences.ts';
import { readComment } from './id-comment.ts';

/**
 * The last line of the block that begins at a line which is no bullet's: the front matter of a file, a comment over several
 * lines, code between fences. Asked for in order, and not inside of a block, it takes linear time.
 *
 * One that nothing closes is none, so that a person who has typed but its first line has not taken the memories below out
 * of the list. Nor does a memory close one, whatever it says: else who writes one would take out others.
 */
export function blocksIn(lines: readonly string[]): (at: number) => number | undefined {
  let closings: Closings | undefined;
  return (at) => {
    const line = lines[at] ?? '';
    if (!mayOpenBlock(line, at)) return undefined;
    closings ??= closingsOf(lines);
    if (isFence(line)) return endOfCode(lines, at, closings);
    if (isOpenComment(line)) return endOfComment(lines, at, closings);
    return endOfFrontMatter(lines, closings);
  };
}

/** @param at which line of the file it is */
export function mayOpenBlock(line: string, at: number): boolean {
  return isFence(line) || isOpenComment(line) || (at === 0 && isFrontMatterEdge(line));
}

function isOpenComment(line: string): boolean {
  return /^ {0,3}<!--/.test(line) && !line.includes(COMMENT_ENDS);
}

const COMMENT_ENDS = '-->';

function isFrontMatterEdge(line: string): boolean {
  return line.startsWith('---') && line.trimEnd() === '---';
}

interface Closings {
  /** lines of memories */
  readonly owned: ReadonlySet<number>;
  /** for each line that may open code, how long the longest closing fences behind it are */
  readonly longest: ReadonlyMap<number, Readonly<Record<Fence['sign'], number>>>;
  readonly lastOfComment: number;
}

function closingsOf(lines: readonly string[]): Closings {
  const owned = linesOfMemories(lines);
  const found = new Map<number, Readonly<Record<Fence['sign'], number>>>();
  let longest = { '`': 0, '~': 0 };
  let lastOfComment = -1;
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    if (owned.has(at)) continue;
    if (lastOfComment < 0 && line.includes(COMMENT_ENDS)) lastOfComment = at;
    if (!isFence(line)) continue;
    found.set(at, longest);
    const fence = closingFence(line);
    if (fence !== undefined)
      longest = { ...longest, [fence.sign]: Math.max(longest[fence.sign], fence.length) };
  }
  return { owned, longest: found, lastOfComment };
}

function linesOfMemories(lines: readonly string[]): ReadonlySet<number> {
  const owned = new Set<number>();
  for (let at = 0, end = 0; at < lines.length; at = end) {
    const rest = bulletOf(lines[at] ?? '')?.rest;
    const isMemory = rest !== undefined && readComment(rest).comment !== undefined;
    end = isMemory ? endOfBullet(lines, at) : at + 1;
    if (isMemory) for (let own = at; own < end; own++) owned.add(own);
  }
  return owned;
}

function endOfCode(lines: readonly string[], at: number, { owned, longest }: Closings): number | undefined {
  const { sign, length } = fenceOf(lines[at] ?? '');
  if ((longest.get(at)?.[sign] ?? 0) < length) return undefined;
  return firstBehind(at, lines, (line, end) => {
    const fence = owned.has(end) ? undefined : closingFence(line);
    return fence?.sign === sign && fence.length >= length;
  });
}

function endOfComment(
  lines: readonly string[],
  at: number,
  { owned, lastOfComment }: Closings,
): number | undefined {
  if (lastOfComment <= at) return undefined;
  return firstBehind(at, lines, (line, end) => line.includes(COMMENT_ENDS) && !owned.has(end));
}

/** Not where there are memories: rules may stand above and below a list as well. */
function endOfFrontMatter(lines: readonly string[], { owned }: Closings): number | undefined {
  const end = firstBehind(0, lines, isFrontMatterEdge);
  for (const at of owned) if (end !== undefined && at < end) return undefined;
  return end;
}

function firstBehind(
  at: number,
  lines: readonly string[],
  isOne: (line: string, at: number) => boolean,
): number | undefined {
  for (let end = at + 1; end < lines.length; end++) if (isOne(lines[end] ?? '', end)) return end;
  return undefined;
}
