import { cutBefore } from './cut-text.ts';

/** The input fields that say what a tool call is about, best first. */
const TARGET_FIELDS = ['path', 'command', 'pattern', 'query', 'name', 'entry'] as const;

/** Those that may hold a whole text, of which the beginning says what it is about. */
const TEXT_FIELDS = ['text', 'memory'] as const;

/** Characters of a text, as one line. */
const MAX_TEXT = 100;

/** What a tool call is about, in a few words, from an input that nobody has validated: the card's second half. */
export function toolTarget(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = input as Readonly<Record<string, unknown>>;
  const said = firstOf(fields, TARGET_FIELDS);
  return said === '' ? beginningOf(firstOf(fields, TEXT_FIELDS)) : said;
}

function firstOf(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return '';
}

function beginningOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.slice(0, cutBefore(line, MAX_TEXT)).trimEnd();
}
