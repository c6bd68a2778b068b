import type { Entry } from '../model/entry.ts';
import type { Ranked } from './recall-rank.ts';
import { wordsOf } from './recall-rank.ts';
import type { Passage } from './recall-scan.ts';
import { passagesOf } from './recall-scan.ts';
import type { QueryTerms, Span } from './recall-terms.ts';

/** A passage as it is shown, and every entry that holds it with the same lines around. */
export interface Variant {
  readonly passage: Passage;
  readonly before: string;
  readonly line: string;
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
  const linesOf = rememberLines();
  const shown = new Shown();
  return [...groups.values()].flatMap((passages) => {
    const apart = passages.length > 1 ? passages : passages.filter((passage) => !shown.has(passage));
    if (apart.length === 0) return [];
    apart.forEach((passage) => shown.add(passage));
    return [{ variants: variantsOf(apart, linesOf) }];
  });
}

/** What stands beside a better hit is shown with it, and is no hit of its own. */
class Shown {
  readonly #lines = new Map<object, Set<number>>();

  has({ part, line }: Passage): boolean {
    return this.#lines.get(part)?.has(line) === true;
  }

  add({ part, line }: Passage): void {
    const lines = this.#lines.get(part) ?? new Set();
    this.#lines.set(
      part,
      lines
        .add(line - 1)
        .add(line)
        .add(line + 1),
    );
  }
}

/**
 * Where nearly all of the query is in the passage, everything else is what the question is about, and masked. Elsewhere
 * only numbers are, and words with digits in them.
 */
function maskOf({ passage, isWhole }: Ranked, terms: QueryTerms): string {
  const { text } = passage.part;
  const isAsked = isWhole && terms.count > 1;
  const masked: string[] = [];
  for (const { start, end, bits } of wordsOf(terms, passage)) {
    const word = text.slice(start, end).toLowerCase();
    const mask = bits !== 0 || (!isAsked && !/\p{N}/u.test(word)) ? word : '_';
    if (mask !== '_' || masked.at(-1) !== '_') masked.push(mask);
  }
  // A line of signs and numbers only has no words to be alike in.
  return masked.join(' ');
}

type LinesOf = (text: string) => readonly Span[];

function rememberLines(): LinesOf {
  const known = new Map<string, readonly Span[]>();
  return (text) => {
    const lines = known.get(text) ?? [...passagesOf(text)];
    known.set(text, lines);
    return lines;
  };
}

function variantsOf(passages: readonly Passage[], linesOf: LinesOf): readonly Variant[] {
  const newestFirst = [...passages].sort((a, b) => b.index - a.index || a.line - b.line);
  const variants = new Map<string, Variant & { readonly also: Entry[] }>();
  for (const passage of newestFirst) {
    const { text } = passage.part;
    const lineAt = (line: number) => {
      const span = linesOf(text)[line];
      return span === undefined ? '' : text.slice(span.start, span.end).trimEnd();
    };
    const [before, line, after] = [lineAt(passage.line - 1), lineAt(passage.line), lineAt(passage.line + 1)];
    const key = [before, line, after].map(withoutNumber).join('\n');
    const same = variants.get(key);
    if (same === undefined) variants.set(key, { passage, before, line, after, also: [] });
    else if (same.passage.entry !== passage.entry && same.also.at(-1) !== passage.entry)
      same.also.push(passage.entry);
  }
  return [...variants.values()];
}

/** A file read again after lines were added above shows the same line under another number. */
function withoutNumber(line: string): string {
  return line.replace(/^ *\d+\t/, '');
}
