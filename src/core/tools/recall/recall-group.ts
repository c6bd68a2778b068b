import type { Entry } from '../../model/entry.ts';
import type { Ranked } from './recall-rank.ts';
import { passageText } from './recall-index.ts';
import type { Passage } from './recall-scan.ts';
import type { QueryTerms } from './recall-terms.ts';

/** A passage as it is shown, and every entry that holds it with the same lines around. */
export interface Variant {
  readonly passage: Passage;
  readonly before: string;
  /** the passage, and those near it that are hits as well */
  readonly lines: readonly string[];
  readonly after: string;
  /** older entries that hold the same, newest first */
  readonly also: readonly Entry[];
}

/** Passages that differ only in what was not asked for: `reference value 17 is in effect`, `… 42 …`. */
export interface Group {
  /** newest first, at least one */
  readonly variants: readonly Variant[];
}

/** Groups in the order of their best passage. */
export function groupAlike(ranked: readonly Ranked[], terms: QueryTerms): readonly Group[] {
  const groups = new Map<string, Passage[]>();
  for (const item of ranked) {
    const key = maskOf(item, terms);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item.passage]);
    else group.push(item.passage);
  }
  const stretches = new Stretches();
  const apart: Stretch[][] = [];
  for (const passages of groups.values()) {
    const [first, second] = passages;
    if (first === undefined) continue;
    if (second !== undefined) apart.push(passages.map(stretchOf));
    else if (!stretches.takesIn(first)) apart.push([stretches.open(first)]);
  }
  return apart.map((group) => ({ variants: variantsOf(group) }));
}

/** A passage with what is shown as part of the same hit: the lines `from` to `to`. */
interface Stretch {
  readonly passage: Passage;
  from: number;
  to: number;
  /** in characters */
  start: number;
  end: number;
}

/** So many lines apart two hits are one. */
const NEAR_LINES = 3;
const MAX_STRETCH_LINES = 8;
const MAX_STRETCH_CHARS = 900;

function stretchOf(passage: Passage): Stretch {
  const { line, start, end } = passage;
  return { passage, from: line, to: line, start, end };
}

/** What stands near a better hit is shown with it, and is no hit of its own. */
class Stretches {
  readonly #byPart = new Map<object, Stretch[]>();

  open(passage: Passage): Stretch {
    const stretch = stretchOf(passage);
    const others = this.#byPart.get(passage.part);
    if (others === undefined) this.#byPart.set(passage.part, [stretch]);
    else others.push(stretch);
    return stretch;
  }

  takesIn({ part, line, start, end }: Passage): boolean {
    return (this.#byPart.get(part) ?? []).some((stretch) => {
      const from = Math.min(stretch.from, line);
      const to = Math.max(stretch.to, line);
      const first = Math.min(stretch.start, start);
      const last = Math.max(stretch.end, end);
      const isNear = line >= stretch.from - NEAR_LINES && line <= stretch.to + NEAR_LINES;
      const fits = to - from < MAX_STRETCH_LINES && last - first <= MAX_STRETCH_CHARS;
      if (isNear && fits) Object.assign(stretch, { from, to, start: first, end: last });
      return isNear && fits;
    });
  }
}

/**
 * Where nearly all of the query is in the passage, everything else is what the question is about, and masked. Elsewhere
 * only numbers are, and words with digits in them.
 */
function maskOf({ passage, isWhole, words }: Ranked, terms: QueryTerms): string {
  const { text } = passage.part;
  const isAsked = isWhole && terms.count > 1;
  const masked: string[] = [];
  for (const { start, end, bits } of words) {
    const word = bits === 0 && isAsked ? '_' : text.slice(start, end).toLowerCase();
    const mask = bits === 0 && /\p{N}/u.test(word) ? '_' : word;
    if (mask !== '_' || masked.at(-1) !== '_') masked.push(mask);
  }
  // A line of signs and numbers only has no words to be alike in.
  return masked.join(' ');
}

function variantsOf(stretches: readonly Stretch[]): readonly Variant[] {
  const newestFirst = [...stretches].sort(
    (a, b) => b.passage.index - a.passage.index || a.passage.line - b.passage.line,
  );
  const variants = new Map<string, Variant & { readonly also: Entry[] }>();
  for (const { passage, from, to } of newestFirst) {
    const before = passageText(passage.part, from - 1);
    const after = passageText(passage.part, to + 1);
    const lines = Array.from({ length: to - from + 1 }, (_, line) => passageText(passage.part, from + line));
    const key = [before, ...lines, after].map(withoutNumber).join('\n');
    const same = variants.get(key);
    if (same === undefined) variants.set(key, { passage, before, lines, after, also: [] });
    else if (same.passage.entry !== passage.entry && same.also.at(-1) !== passage.entry)
      same.also.push(passage.entry);
  }
  return [...variants.values()];
}

/** A file read again after lines were added above shows the same line under another number. */
function withoutNumber(line: string): string {
  return line.replace(/^ *\d+\t/, '');
}
