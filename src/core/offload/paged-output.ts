import { AbortedError } from '../model/errors.ts';
import type { OffloadedOutput } from '../model/offloaded.ts';
import type { OutputPlace, OutputSearchResult } from '../model/output-page.ts';
import type { FilePort } from '../ports/files.ts';
import { openOutput, unreadable } from './output-bytes.ts';
import type { OpenedOutput } from './output-bytes.ts';
import { readPage } from './output-page.ts';
import type { RowsOfPage } from './output-page.ts';
import { searchOutput } from './output-search.ts';
import type { OutputQuery } from './output-search.ts';
import { RowIndex } from './row-index.ts';
import type { Pause } from './row-index.ts';

export interface PagedRows extends RowsOfPage {
  readonly kind: 'page';
  readonly bytes: number;
  /** rows and lines are counted up to here; all of them where `isCounted` */
  readonly counted: { readonly rows: number; readonly lines: number };
  readonly isCounted: boolean;
  /** how many times the files were found to hold something else than before; what was said of them then is void */
  readonly generation: number;
}

export interface MissingRows {
  readonly kind: 'missing';
  /** in words for people */
  readonly reason: string;
}

/** An output as it is now: it may have grown since the last page. */
export interface OutputNow extends OffloadedOutput {
  /** its command still runs */
  readonly isGrowing?: boolean;
}

/** What was counted of an output, and of which files. */
interface CountedOutput {
  readonly index: RowIndex;
  readonly generation: number;
  readonly stamp: string;
  readonly mayGrow: boolean;
}

/** An output that somebody looks at: it is counted in the background from the first look on, until it is closed. */
export class PagedOutput {
  #counted: CountedOutput | undefined;
  #isClosed = false;
  #opening: Promise<unknown> = Promise.resolve();
  readonly #files: FilePort;
  readonly #pause: Pause;

  constructor(files: FilePort, pause: Pause) {
    this.#files = files;
    this.#pause = pause;
  }

  /** Never rejects. */
  async page(output: OutputNow, at: OutputPlace, count: number): Promise<PagedRows | MissingRows> {
    try {
      const opened = await this.#inTurn(() => this.#open(output));
      if ('kind' in opened) return opened;
      const { index, generation } = opened;
      const rows = await readPage(index, at, count);
      const { source, counted, isComplete } = index;
      return { kind: 'page', ...rows, bytes: source.size, counted, isCounted: isComplete, generation };
    } catch (error) {
      return unreadable(output, error);
    }
  }

  /** @throws Error in words for people where the output cannot be read, AbortedError */
  async search(
    output: OffloadedOutput,
    query: OutputQuery,
    signal: AbortSignal,
  ): Promise<OutputSearchResult> {
    const opened = await openOutput(output, this.#files);
    if (opened.kind === 'missing') throw new Error(opened.reason);
    try {
      return await searchOutput(opened.bytes, query, { signal, pause: this.#pause });
    } catch (error) {
      if (error instanceof AbortedError) throw error;
      throw new Error(unreadable(output, error).reason, { cause: error });
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#counted?.index.close();
  }

  /** What is known of the files is about one look at them, and the next one is compared with it. */
  #inTurn<Result>(open: () => Promise<Result>): Promise<Result> {
    const turn = this.#opening.then(open);
    this.#opening = turn.catch(() => undefined);
    return turn;
  }

  async #open(output: OutputNow): Promise<CountedOutput | MissingRows> {
    const opened = await openOutput(output, this.#files);
    if (opened.kind === 'missing') return opened;
    const { bytes, stamp } = opened;
    const mayGrow = output.isGrowing === true || output.isUnfinished === true;
    const known = this.#counted;
    if (known !== undefined && (await isStillOf(known, opened))) {
      known.index.grow(bytes);
      this.#counted = { ...known, stamp, mayGrow };
    } else {
      known?.index.close();
      const generation = known === undefined ? 0 : known.generation + 1;
      this.#counted = { index: new RowIndex(bytes, this.#pause), generation, stamp, mayGrow };
    }
    if (!this.#isClosed) this.#counted.index.begin();
    return this.#counted;
  }
}

/** What was written behind what is counted changes nothing of it. @throws the system's error */
async function isStillOf(
  { index, stamp, mayGrow }: CountedOutput,
  now: OpenedOutput & { kind: 'opened' },
): Promise<boolean> {
  if (now.bytes.size < index.seen) return false;
  if (now.stamp === stamp) return true;
  // While a command prints, its file may have been written to and not be longer yet.
  const isWrittenAnew = now.bytes.size <= index.source.size && !mayGrow;
  return !isWrittenAnew && (await index.isOf(now.bytes));
}
