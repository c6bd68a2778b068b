/**
 * The blocks of code in some lines: where each begins, and its last line. Fences stand at the left margin: what is indented
 * belongs to a memory. One that nothing closes is none, so that a person who has typed but the first has not taken the
 * memories below out of the list.
 */
export function fencesOf(lines: readonly string[]): ReadonlyMap<number, number> {
  const fences = new Map<number, number>();
  const openings = lines.flatMap((line, at) => (isFence(line) ? [at] : []));
  const closable = longestClosings(lines, openings);
  let done = 0;
  for (const at of openings) {
    if (at < done) continue;
    const { sign, length } = fenceOf(lines[at] ?? '');
    if ((closable.get(at)?.[sign] ?? 0) < length) continue;
    let end = at + 1;
    while (!closes(lines[end] ?? '', sign, length)) end++;
    fences.set(at, end);
    done = end + 1;
  }
  return fences;
}

/** Whether a line may open a block of code. */
export function isFence(line: string): boolean {
  return FENCE.test(line);
}

type Sign = '`' | '~';

/** An opening one of backticks has none behind it. */
const FENCE = /^(?:`{3,}[^`]*|~{3,}.*)$/s;

function fenceOf(line: string): { readonly sign: Sign; readonly length: number } {
  const sign = line.startsWith('`') ? '`' : '~';
  let length = 0;
  while (line.charAt(length) === sign) length++;
  return { sign, length };
}

function closes(line: string, sign: Sign, length: number): boolean {
  if (!line.startsWith(sign.repeat(3))) return false;
  const fence = fenceOf(line);
  return fence.length >= length && line.trimEnd().length === fence.length;
}

/** For each of the lines that may open a block, how long the longest closing fences behind it are. */
function longestClosings(
  lines: readonly string[],
  openings: readonly number[],
): ReadonlyMap<number, Readonly<Record<Sign, number>>> {
  const found = new Map<number, Readonly<Record<Sign, number>>>();
  let longest = { '`': 0, '~': 0 };
  for (const at of openings.toReversed()) {
    found.set(at, longest);
    const line = lines[at] ?? '';
    const { sign, length } = fenceOf(line);
    if (closes(line, sign, length)) longest = { ...longest, [sign]: Math.max(longest[sign], length) };
  }
  return found;
}
