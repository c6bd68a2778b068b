import type { ReadonlySignal } from '@preact/signals';
import { batch, signal } from '@preact/signals';
import type { OutputPage, OutputPlace, OutputSize } from '../../src/protocol/output-pages.ts';
import type { ShownRow } from './terminal-row.ts';
import { showRows } from './terminal-row.ts';

/** What is asked for at a time, and what "next page" means. */
export const PAGE_ROWS = 1_000;
/** Pages in memory: enough to scroll about in, and no more of a row than 2 kB each. */
const MOST_PAGES = 12;
/** How often it is asked whether the files of an output that stands still were changed. */
const LOOK_FOR_CHANGES_MS = 3_000;
/** How often the size of an output that grows, or is still being counted, is asked for. */
const LOOK_AGAIN_MS = 400;

/** Why nothing can be shown. `failed`: it may go well the next time. */
export interface ReadingTrouble {
  readonly kind: 'missing' | 'failed';
  readonly reason: string;
}

/** @throws Error with the host's words when it refuses */
export type AskForPage = (at: OutputPlace, rows: number) => Promise<OutputPage>;

type FoundPage = Extract<OutputPage, { readonly kind: 'page' }>;

interface ReadPage {
  readonly rows: readonly ShownRow[];
  /** size of the output when it was read */
  readonly size: OutputSize;
}

/** Where a page was found to begin. */
export interface FoundRow {
  readonly row: number;
  readonly line: number | undefined;
}

/** Reads an output page by page as it is looked at, one request at a time: who scrolls fast waits for the last one only. */
export class OutputReader {
  readonly #ask: AskForPage;
  readonly #size = signal<OutputSize | undefined>(undefined);
  readonly #trouble = signal<ReadingTrouble | undefined>(undefined);
  readonly #pages = signal<ReadonlyMap<number, ReadPage>>(new Map());
  readonly #changes = signal(0);
  #wanted = { first: 0, last: 0 };
  #isReading = false;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: AskForPage) {
    this.#ask = ask;
  }

  /** undefined until the first answer */
  get size(): ReadonlySignal<OutputSize | undefined> {
    return this.#size;
  }

  get trouble(): ReadonlySignal<ReadingTrouble | undefined> {
    return this.#trouble;
  }

  /** How many times its files were found to be others: then nothing of what was read stays. */
  get changes(): ReadonlySignal<number> {
    return this.#changes;
  }

  /** Undefined while it is not read; whoever draws with it is drawn again when it is. */
  row(index: number): ShownRow | undefined {
    return this.page(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  page(number: number): readonly ShownRow[] | undefined {
    return this.#pages.value.get(number)?.rows;
  }

  /** Reads the pages that these rows are on, unless others are wanted before it comes to them. */
  want(first: number, last: number): void {
    this.#wanted = { first, last };
    void this.#readWanted();
  }

  /** Where a place is; undefined where it is nowhere, or nothing can be read. */
  async find(at: OutputPlace): Promise<FoundRow | undefined> {
    try {
      const page = await this.#request(at, 1);
      if (page !== undefined) this.#note(page.size);
      const found = page?.rows[0];
      return page === undefined || found === undefined ? undefined : { row: page.firstRow, line: found.line };
    } catch {
      this.#lookAgain(); // what is shown stays right
      return undefined;
    }
  }

  /** Finds out whether the files were changed. What is shown stays, where nothing can be read now. */
  async look(): Promise<void> {
    const page = await this.#ask({ row: 0 }, 1).catch(() => undefined);
    if (page?.kind === 'page') this.#note(page.size);
    else this.#lookAgain();
    await this.#readWanted();
  }

  retry(): void {
    this.#trouble.value = undefined;
    void this.#readWanted();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #readWanted(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    for (let next = this.#nextWanted(); next !== undefined; next = this.#nextWanted()) await this.#read(next);
    this.#isReading = false;
  }

  #nextWanted(): number | undefined {
    if (this.#isClosed || this.#trouble.peek() !== undefined) return undefined;
    const { first, last } = this.#wanted;
    for (let number = pageOf(first); number <= pageOf(last); number++)
      if (this.#isToBeRead(number)) return number;
    return undefined;
  }

  /** A page that ends where the output ended is read again when that has grown. */
  #isToBeRead(number: number): boolean {
    const page = this.#pages.peek().get(number);
    const size = this.#size.peek();
    if (page === undefined) return size === undefined || number * PAGE_ROWS < size.rows;
    if (size === undefined || number * PAGE_ROWS + page.rows.length < page.size.rows) return false;
    return size.bytes > page.size.bytes || size.rows > number * PAGE_ROWS + page.rows.length;
  }

  async #read(number: number): Promise<void> {
    try {
      const read = await this.#readRows(number * PAGE_ROWS);
      if (read === undefined || this.#isChanged(read.size)) return;
      const pages = this.#pages.peek();
      const before = pages.get(number)?.size;
      const isNew = before?.bytes !== read.size.bytes || before.rows !== read.size.rows;
      batch(() => {
        if (isNew) this.#pages.value = nearest(new Map(pages).set(number, read), number);
        this.#note(read.size);
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#trouble.value = { kind: 'failed', reason };
    }
  }

  /** The host may give fewer rows than were asked for: the rest is asked for behind them. */
  async #readRows(first: number): Promise<ReadPage | undefined> {
    const page = await this.#request({ row: first }, PAGE_ROWS);
    if (page === undefined) return undefined;
    // A place behind the end is the last row.
    const rows = page.firstRow === first ? [...page.rows] : [];
    while (rows.length < PAGE_ROWS && first + rows.length < page.size.rows) {
      const more = await this.#request({ row: first + rows.length }, PAGE_ROWS - rows.length);
      if (more === undefined || more.size.generation !== page.size.generation) return undefined;
      if (more.firstRow !== first + rows.length || more.rows.length === 0) break;
      rows.push(...more.rows);
    }
    // What was read may be further than what was counted.
    const known = rows.length === 0 ? page.size.rows : Math.max(page.size.rows, first + rows.length);
    return { rows: showRows(rows, page.style), size: { ...page.size, rows: known } };
  }

  async #request(at: OutputPlace, rows: number): Promise<FoundPage | undefined> {
    const page = await this.#ask(at, rows);
    if (page.kind === 'missing') {
      this.#trouble.value = page;
      return undefined;
    }
    if (this.#isChanged(page.size)) this.#note(page.size);
    return page;
  }

  #isChanged({ generation }: OutputSize): boolean {
    const known = this.#size.peek();
    return known !== undefined && known.generation !== generation;
  }

  #note(size: OutputSize): void {
    batch(() => {
      if (this.#isChanged(size)) {
        this.#pages.value = new Map();
        this.#changes.value += 1;
      }
      if (!isSameSize(this.#size.peek(), size)) this.#size.value = size;
    });
    this.#lookAgain();
  }

  #lookAgain(): void {
    clearTimeout(this.#timer);
    const size = this.#size.peek();
    if (this.#isClosed || size === undefined) return;
    this.#timer =
      size.isCounted && !size.isGrowing
        ? setTimeout(() => void this.look(), LOOK_FOR_CHANGES_MS)
        : setTimeout(() => void this.#readOn(size), LOOK_AGAIN_MS);
  }

  /** New rows come with what is said of them, where the reader is at the end. */
  async #readOn({ rows, isGrowing }: OutputSize): Promise<void> {
    const last = pageOf(Math.max(0, rows - 1));
    const isAtEnd = isGrowing && !this.#isReading && pageOf(this.#wanted.last) >= last;
    if (isAtEnd && this.#pages.peek().has(last)) await this.#read(last);
    else await this.find({ row: 0 });
    await this.#readWanted();
  }
}

function isSameSize(known: OutputSize | undefined, size: OutputSize): boolean {
  return (
    known?.bytes === size.bytes &&
    known.rows === size.rows &&
    known.lines === size.lines &&
    known.isCounted === size.isCounted &&
    known.isGrowing === size.isGrowing &&
    known.generation === size.generation
  );
}

export function pageOf(row: number): number {
  return Math.floor(row / PAGE_ROWS);
}

function nearest(pages: ReadonlyMap<number, ReadPage>, to: number): ReadonlyMap<number, ReadPage> {
  if (pages.size <= MOST_PAGES) return pages;
  const byDistance = [...pages].sort(([a], [b]) => Math.abs(a - to) - Math.abs(b - to));
  return new Map(byDistance.slice(0, MOST_PAGES));
}
