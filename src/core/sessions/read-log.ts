import type { Entry, EntryId } from '../model/entry.ts';
import { parseEntry } from './entry-schema.ts';

export interface ReadLog {
  readonly entries: readonly Entry[];
  /** lines that are no entry; they stay on disk untouched */
  readonly badLines: number;
}

/** The entries of a log. A line that cannot be read costs that line and no other. */
export function readLog(lines: readonly string[]): ReadLog {
  const written = lines.filter((line) => line.trim() !== '');
  const seen = new Set<EntryId>();
  const entries = written
    .map(parseLine)
    .filter((entry) => entry !== undefined)
    .filter(({ id }) => isNew(id, seen));
  return { entries, badLines: written.length - entries.length };
}

/** An id that is there already, or too large to count on from, was not written by a transcript. */
function isNew(id: EntryId, seen: Set<EntryId>): boolean {
  const isOwn = Number.isSafeInteger(Number(id.slice(1)) + 1) && !seen.has(id);
  seen.add(id);
  return isOwn;
}

function parseLine(line: string): Entry | undefined {
  try {
    return parseEntry(JSON.parse(line));
  } catch {
    return undefined; // half a line, left by a crash or a full disk
  }
}
