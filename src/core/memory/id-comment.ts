import type { Importance, MemoryCategory, MemoryId } from '../model/memory.ts';
import { MEMORY_CATEGORIES } from '../model/memory.ts';

/** What the comment at the end of a memory's first line says. */
export interface IdComment {
  readonly id: MemoryId;
  readonly importance?: Importance;
  readonly category?: MemoryCategory;
}

const COMMENT = `<!-- (m[0-9a-z]{7})(?: ([1-5]) (${MEMORY_CATEGORIES.join('|')}))? -->`;
const COMMENT_HERE = new RegExp(COMMENT, 'y');
const COMMENTS = new RegExp(COMMENT, 'g');

/** A line without the id comments at its end, and what the last of them says. Blanks behind them are the line's. */
export function readComment(line: string): { readonly text: string; readonly comment?: IdComment } {
  const whole = line.trimEnd();
  const last = commentAtEnd(whole);
  if (last === undefined) return { text: line };
  let text = whole;
  for (let found: Found | undefined = last; found !== undefined; found = commentAtEnd(text))
    text = text.slice(0, found.at).trimEnd();
  return { text: text + line.slice(whole.length), comment: last.comment };
}

/**
 * A line with a comment, as {@link readComment} reads it. Importance and category are there both or not at all. The blanks
 * at the line's end stay there: two are a line break, and a `\r` ends the line.
 */
export function withComment(line: string, { id, importance, category }: IdComment): string {
  const rank = importance === undefined || category === undefined ? '' : ` ${importance} ${category}`;
  const words = line.trimEnd();
  return `${words} <!-- ${id}${rank} -->${line.slice(words.length)}`;
}

/** The text without anything that looks like an id comment, wherever it stands. */
export function withoutIdComments(text: string): string {
  if (!text.includes('<!-- m')) return text;
  // What stood around one may be one itself then; it is broken, since taking it out may go on without end.
  return text.replace(COMMENTS, ' ').replace(COMMENTS, (found) => found.replace('<!--', '<! --'));
}

interface Found {
  readonly at: number;
  readonly comment: IdComment;
}

function commentAtEnd(line: string): Found | undefined {
  if (!line.endsWith('-->')) return undefined;
  const at = line.lastIndexOf('<!-- m');
  if (at < 0) return undefined;
  COMMENT_HERE.lastIndex = at;
  const found = COMMENT_HERE.exec(line);
  if (found === null || at + found[0].length !== line.length) return undefined;
  const [, id = '', rank, word] = found;
  const importance = ([1, 2, 3, 4, 5] as const).find((each) => String(each) === rank);
  const category = MEMORY_CATEGORIES.find((each) => each === word);
  if (importance === undefined || category === undefined) return { at, comment: { id } };
  return { at, comment: { id, importance, category } };
}
