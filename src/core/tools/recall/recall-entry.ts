import type { Entry } from '../../model/entry.ts';
import { ToolError } from '../../model/errors.ts';
import { MAX_RESULT_CHARS, takeStart } from '../../text/bound-text.ts';
import { ages, entryHeading, entryText, leadsTo, rewoundEntries } from './recall-text.ts';
import { orderOf } from '../../model/entry-order.ts';

/** What the lines around a page of an entry may take. */
const FRAME_CHARS = 800;

/**
 * A page of an entry by its id, framed by what it is and how to read on.
 * @throws ToolError where there is no such entry, nothing was said in it, or it has no such page
 */
export function entryPage(entries: readonly Entry[], id: string, page: number): string {
  const entry = findEntry(entries, id);
  const text = entryText(entry);
  if (text.trim() === '') throw nothingSaid(entry, entries);
  const pages = textPages(text);
  const shown = pages[page - 1];
  if (shown === undefined)
    throw new ToolError('invalid_input', `There is no page ${page}: ${entry.id} has ${pages.length}.`);
  const heading = [
    `${entry.id} ${entryHeading(entry, entries)}`,
    ages(entries)(entry),
    ...(rewoundEntries(entries).has(entry) ? ['rewound: no longer part of the conversation'] : []),
    ...(pages.length > 1 ? [`page ${page} of ${pages.length}`] : []),
  ].join(', ');
  const next = page < pages.length ? `\n[More: recall with entry "${entry.id}" and page ${page + 1}.]` : '';
  return `${takeStart(heading, 300).toWellFormed()}\n${shown}${next}`;
}

/** Cut at line ends where there is one near; together they are the text. */
export function textPages(text: string): readonly string[] {
  const room = MAX_RESULT_CHARS - FRAME_CHARS;
  const pages: string[] = [];
  let rest = text;
  while (rest.length > room) {
    const newline = rest.lastIndexOf('\n', room - 1);
    const page = newline > room / 2 ? rest.slice(0, newline + 1) : takeStart(rest, room);
    pages.push(page);
    rest = rest.slice(page.length);
  }
  return [...pages, rest];
}

/** Lenient in how an id is written: what is meant is plain. */
export function findEntry(entries: readonly Entry[], id: string): Entry {
  const number = /^\W*e?0*(\d+)\W*$/i.exec(id)?.[1];
  const found = entries.find((entry) => entry.id === `e${number}`);
  if (found !== undefined) return found;
  const numbers = entries.map((entry) => orderOf(entry.id));
  const least = numbers.reduce((a, b) => Math.min(a, b), Infinity);
  const most = numbers.reduce((a, b) => Math.max(a, b), 0);
  const range = numbers.length === 0 ? 'There are none yet.' : `They go from e${least} to e${most}.`;
  throw new ToolError('not_found', `There is no entry ${JSON.stringify(takeStart(id, 40))}. ${range}`);
}

function nothingSaid(entry: Entry, entries: readonly Entry[]): ToolError {
  const other = leadsTo(entry, entries);
  const hint = other === undefined ? 'Search by query to find what was.' : `What you look for is ${other}.`;
  return new ToolError(
    'not_found',
    `${entry.id} is a record of the kind "${entry.kind}": nothing was said in it. ${hint}`,
  );
}
