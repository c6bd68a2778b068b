import { takeStart } from '../text/bound-text.ts';
import type { TextLine } from './text-lines.ts';
import { splitLines } from './text-lines.ts';

const MAX_LINES_LOOKED_AT = 50_000;
const MAX_LINE_CHARS = 200;
/** Below this two lines have nothing to do with each other. */
const LEAST_LIKENESS = 0.4;

/** What helps to see why a text is not in a file: the nearest line, and what is different about it. */
export function explainNoMatch(text: string, old: string): string {
  const wanted = splitLines(old).map((line) => line.text);
  if (wanted.length > 0 && wanted.every((line) => line === '' || /^\s*\d+\t/.test(line)))
    return 'It begins with line numbers, which are not part of the file. Leave them out.';
  const lines = splitLines(text).slice(0, MAX_LINES_LOOKED_AT);
  const skipped = wanted.findIndex((line) => line.trim() !== '');
  const first = wanted[skipped];
  if (first === undefined) return '';
  const nearest = nearestLine(lines, first);
  if (nearest === undefined) return 'No line of the file is like its first line. Read the file again.';
  return describeDifference(lines.slice(nearest), wanted.slice(skipped), nearest);
}

function nearestLine(lines: readonly TextLine[], wanted: string): number | undefined {
  const likeness = likenessTo(wanted);
  let best: number | undefined;
  let bestScore = LEAST_LIKENESS;
  for (const [index, line] of lines.entries()) {
    const score = likeness(line.text);
    if (score <= bestScore) continue;
    best = index;
    bestScore = score;
  }
  return best;
}

/** Share of pairs of characters that two lines have in common, 0 to 1; over 1 for the same line but for white space. */
function likenessTo(wanted: string): (line: string) => number {
  const clean = (line: string) => line.trim().slice(0, MAX_LINE_CHARS);
  const target = clean(wanted);
  const pairs = pairsOf(target);
  return (line) => {
    if (line === wanted) return 3;
    const other = clean(line);
    if (other === target) return 2;
    const theirs = pairsOf(other);
    if (pairs.size + theirs.size === 0) return 0;
    let common = 0;
    for (const pair of theirs) if (pairs.has(pair)) common++;
    return (2 * common) / (pairs.size + theirs.size);
  };
}

function pairsOf(line: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < line.length; at++) pairs.add(line.slice(at, at + 2));
  return pairs;
}

function describeDifference(lines: readonly TextLine[], wanted: readonly string[], offset: number): string {
  const at = wanted.findIndex((line, index) => lines[index]?.text !== line);
  if (at === -1) return '';
  const theirs = lines[at]?.text;
  if (theirs === undefined) return `The file ends before line ${at + 1} of old_text.`;
  const how = theirs.trim() === wanted[at]?.trim() ? 'differs in white space only' : 'is different';
  const show = (line: string) => JSON.stringify(takeStart(line, MAX_LINE_CHARS));
  return `The nearest place is line ${offset + at + 1}, which ${how}:\nfile:     ${show(theirs)}\nold_text: ${show(wanted[at] ?? '')}`;
}
