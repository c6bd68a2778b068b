import { promises as fs } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlJsStatic } from 'sql.js';
import { isAbsence } from '../disk-path.ts';
import { JournalFile } from './journal-file.ts';
import { parseLine } from './journal-record.ts';
import type { JournalRecord } from './journal-record.ts';
import { JournalSize } from './journal-size.ts';
import { MemoryContents } from './memory-contents.ts';
import { MemoryTables } from './memory-tables.ts';
import { NewerStoreError } from './migrations.ts';
import { isSameImage } from './store-files.ts';
import type { FilesSeen, StoreFiles } from './store-files.ts';

/** Checkpoints of other windows that are waited out: each takes a few milliseconds and comes every thousand lines. */
const MOST_TRIES = 50;
const TRY_AGAIN_MS = 10;
/** Somebody who writes a line just now has finished by then. */
const TORN_MS = 60;

export interface LoadedStore {
  readonly contents: MemoryContents;
  readonly seen: FilesSeen;
  /** open behind what is in `contents`; undefined where there is none */
  readonly journal: JournalFile | undefined;
  /** of what is in no image yet */
  readonly size: JournalSize;
  /** whether something was forgotten since the image: the words are in a journal still */
  readonly hasForgotten: boolean;
  /** images that are none, by their paths */
  readonly damagedImages: readonly string[];
  /** the image has gone, or is damaged; what it held is not in the other one either */
  readonly isImageLost: boolean;
  /** lines that are no records, by the journal's path */
  readonly damagedLines: ReadonlyMap<string, number>;
}

interface Parts {
  readonly seen: FilesSeen;
  readonly images: readonly Image[];
  readonly lines: ReadonlyMap<string, readonly string[]>;
  readonly journal: JournalFile | undefined;
}

interface Image {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads a store as it is at one moment, without a lock: if a checkpoint has come in between, again.
 * @throws NewerStoreError, or the system's own error where the files cannot be read
 */
export async function loadStore(files: StoreFiles, sql: SqlJsStatic): Promise<LoadedStore> {
  const parts = await readParts(files);
  try {
    return await build(files, sql, parts);
  } catch (error) {
    await parts.journal?.close();
    throw error;
  }
}

async function readParts(files: StoreFiles): Promise<Parts> {
  for (let attempt = 1; ; attempt += 1) {
    const seen = await files.look();
    const parts = await readOnce(files, seen);
    if (attempt === MOST_TRIES || isSame(parts, await files.look())) return parts;
    await parts.journal?.close();
    await sleep(TRY_AGAIN_MS);
  }
}

function isSame({ seen, journal }: Parts, now: FilesSeen): boolean {
  return journal?.id === now.journal && isSameImage(seen, now);
}

async function readOnce(files: StoreFiles, seen: FilesSeen): Promise<Parts> {
  const images: Image[] = [];
  for (const file of [files.image, files.backup]) {
    const bytes = await readOrUndefined(file);
    if (bytes !== undefined) images.push({ file, bytes });
  }
  const lines = new Map<string, readonly string[]>();
  for (const name of seen.sealed) {
    const text = (await readOrUndefined(files.at(name)))?.toString('utf8') ?? '';
    lines.set(
      files.at(name),
      text.split('\n').filter((line) => line !== ''),
    );
  }
  const journal = await JournalFile.existing(files.journal);
  if (journal !== undefined) lines.set(files.journal, await readJournal(journal));
  return { seen: { ...seen, journal: journal?.id }, images, lines, journal };
}

/** An end without its newline is given too: it is no record, and so is found to be damaged. */
async function readJournal(journal: JournalFile): Promise<readonly string[]> {
  const lines = await journal.readLines().catch(async (error: unknown) => {
    await journal.close();
    throw error;
  });
  if (!(await journal.hasTornEnd())) return lines;
  await sleep(TORN_MS);
  const more = await journal.readLines();
  return [...lines, ...more, ...((await journal.hasTornEnd()) ? ['torn'] : [])];
}

async function readOrUndefined(file: string): Promise<Buffer | undefined> {
  try {
    return await fs.readFile(file);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    // A folder in its place is damage like any other.
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') return Buffer.alloc(0);
    throw error;
  }
}

async function build(files: StoreFiles, sql: SqlJsStatic, parts: Parts): Promise<LoadedStore> {
  const { tables, damagedImages } = openImage(files, sql, parts.images);
  const contents = await MemoryContents.of(tables ?? MemoryTables.empty(sql));
  const damagedLines = new Map<string, number>();
  const size = new JournalSize();
  let hasForgotten = false;
  for (const [file, ofFile] of parts.lines) {
    const records = recordsOf(ofFile, files.folder);
    if (records.damaged > 0) damagedLines.set(file, records.damaged);
    for (const record of records.good) {
      contents.apply(record, Date.now());
      hasForgotten ||= record.changes.some(({ kind }) => kind === 'forget');
    }
    size.add(ofFile);
  }
  const { seen, journal } = parts;
  const isImageLost = damagedImages.length > 0 && tables === undefined;
  return { contents, seen, journal, size, hasForgotten, damagedImages, isImageLost, damagedLines };
}

/** The first that is whole. */
function openImage(
  { folder }: StoreFiles,
  sql: SqlJsStatic,
  images: readonly Image[],
): { readonly tables: MemoryTables | undefined; readonly damagedImages: readonly string[] } {
  const damagedImages: string[] = [];
  for (const { file, bytes } of images) {
    const tables = MemoryTables.from(sql, bytes);
    if (tables === 'newer') throw new NewerStoreError(folder);
    if (tables !== undefined) return { tables, damagedImages };
    damagedImages.push(file);
  }
  return { tables: undefined, damagedImages };
}

/** @throws NewerStoreError */
export function recordsOf(
  lines: readonly string[],
  folder: string,
): { readonly good: readonly JournalRecord[]; readonly damaged: number } {
  const parsed = lines.map(parseLine);
  if (parsed.includes('newer')) throw new NewerStoreError(folder);
  const good = parsed.filter((line) => typeof line !== 'string');
  return { good, damaged: parsed.length - good.length };
}
