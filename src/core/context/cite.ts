import type { EntryId } from '../model/entry.ts';
import type { SummarySection } from '../model/relief-entry.ts';
import type { SpokenEntry } from './conversation.ts';
import { textOf } from './entry-text.ts';
import { once } from '../model/once.ts';
import type { ParsedSection } from './summary-check.ts';

/**
 * What tells one entry from others: paths, identifiers and numbers, not plain words. Each kind is tried only where a run
 * of what it begins with begins: tried at every letter, a long run of letters would be read once for each of them.
 */
function telling({ letter, digit, small, capital, flags }: Alphabet): RegExp {
  const part = `[${letter}${digit}_$]`;
  return new RegExp(
    [
      `[${letter}_$](?<=(?<!${part})[${digit}]*[${letter}_$])${part}*(?:[./:@-]${part}+)+`,
      `(?<![${letter}])[${letter}]+(?:_[${letter}${digit}]+)+`,
      `(?<![${small}])[${small}]+[${capital}][${letter}${digit}]*`,
      String.raw`\b\d{2,}\b`,
    ].join('|'),
    flags,
  );
}

interface Alphabet {
  readonly letter: string;
  readonly digit: string;
  readonly small: string;
  readonly capital: string;
  readonly flags: string;
}

const TELLING = telling({
  letter: String.raw`\p{L}`,
  digit: String.raw`\p{N}`,
  small: String.raw`\p{Ll}`,
  capital: String.raw`\p{Lu}`,
  flags: 'gu',
});
/** The same for a text of nothing but ASCII, which nearly all code is: it takes a fifth of the time. */
const TELLING_IN_ASCII = telling({
  letter: 'A-Za-z',
  digit: '0-9',
  small: 'a-z',
  capital: 'A-Z',
  flags: 'g',
});

/** Characters of an entry that are looked at: of a longer one as many at its beginning and at its end. */
const MOST_READ = 200_000;

const MOST_SOURCES = 3;
/** A name in more of the entries than this tells nothing of where a bullet comes from. */
const COMMON_SHARE = 0.3;

/** Shorter words are said anywhere, and longer ones by nobody else. */
const QUOTE = { shortest: 12, longest: 500 };

/**
 * Adds to each bullet the entries it comes from: those that share the rarest of its names, or, where it has none, say it
 * word for word. The model sees no ids.
 */
export function cite(
  sections: readonly ParsedSection[],
  covered: readonly SpokenEntry[],
): readonly SummarySection[] {
  const places = index(covered, wanted(sections));
  const sourcesFor = (text: string) => {
    const named = sourcesOf(text, places, covered.length);
    return named.length > 0 ? named : quoted(text, covered);
  };
  return sections.map(({ title, bullets }) => ({
    title,
    bullets: bullets.map((text) => ({ text, sources: sourcesFor(text) })),
  }));
}

function wanted(sections: readonly ParsedSection[]): ReadonlySet<string> {
  return new Set(sections.flatMap(({ bullets }) => bullets.flatMap(namesIn)));
}

function namesIn(text: string): string[] {
  const isAscii = !/[^\0-\x7f]/.test(text);
  return [...new Set(text.match(isAscii ? TELLING_IN_ASCII : TELLING) ?? [])];
}

/** Name → the entries that hold it, in order. */
function index(
  covered: readonly SpokenEntry[],
  names: ReadonlySet<string>,
): ReadonlyMap<string, readonly EntryId[]> {
  const places = new Map<string, EntryId[]>();
  for (const entry of covered)
    for (const name of namesOf(entry)) {
      if (!names.has(name)) continue;
      const known = places.get(name);
      if (known === undefined) places.set(name, [entry.id]);
      else known.push(entry.id);
    }
  return places;
}

function sourcesOf(
  text: string,
  places: ReadonlyMap<string, readonly EntryId[]>,
  count: number,
): readonly EntryId[] {
  const scores = new Map<EntryId, number>();
  for (const name of namesIn(text)) {
    const at = places.get(name) ?? [];
    if (at.length > Math.max(3, count * COMMON_SHARE)) continue;
    for (const id of at) scores.set(id, (scores.get(id) ?? 0) + 1 / at.length);
  }
  return [...scores]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_SOURCES)
    .map(([id]) => id);
}

function quoted(text: string, covered: readonly SpokenEntry[]): readonly EntryId[] {
  if (text.length < QUOTE.shortest || text.length > QUOTE.longest) return [];
  const saying = covered.filter((entry) => searchable(entry).includes(text));
  return saying.slice(-MOST_SOURCES).map(({ id }) => id);
}

const namesOf = once((entry: SpokenEntry) => namesIn(searchable(entry)));

const searchable = once((entry: SpokenEntry): string => endsOf(spokenText(entry)));

function endsOf(text: string): string {
  return text.length <= MOST_READ
    ? text
    : `${text.slice(0, MOST_READ / 2)}\n${text.slice(text.length - MOST_READ / 2)}`;
}

function spokenText(entry: SpokenEntry): string {
  switch (entry.kind) {
    case 'assistant':
      return entry.blocks
        .map((block) =>
          block.type === 'text' ? block.text : block.type === 'tool_use' ? JSON.stringify(block.input) : '',
        )
        .join('\n');
    case 'tool_result':
      return `${entry.target}\n${textOf(entry)}`;
    case 'user':
    case 'reminder':
    case 'compaction':
      return entry.text;
  }
}
