import { AbortedError } from '../model/errors.ts';
import type { OffloadedOutput } from '../model/offloaded.ts';
import type { OutputPlace, OutputSearchResult } from '../model/output-page.ts';
import type { FilePort } from '../ports/files.ts';
import { openOutput, unreadable } from './output-bytes.ts';
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
}

export interface MissingRows {
  readonly kind: 'missing';
  /** in words for people */
  readonly reason: string;
}

/** An output that somebody looks at: it is counted in the background from the first look on, until it is closed. */
export class PagedOutput {
  #index: RowIndex | undefined;
  #isClosed = false;
  readonly #files: FilePort;
  readonly #pause: Pause;

  constructor(files: FilePort, pause: Pause) {
    this.#files = files;
    this.#pause = pause;
  }

  /**
   * Never rejects.
   * @param output as it is now: it may have grown since the last page
   */
  async page(output: OffloadedOutput, at: OutputPlace, count: number): Promise<PagedRows | MissingRows> {
    try {
      const index = await this.#open(output);
      if (!(index instanceof RowIndex)) return index;
      const rows = await readPage(index, at, count);
      const { source, counted, isComplete } = index;
      return { kind: 'page', ...rows, bytes: source.size, counted, isCounted: isComplete };
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
    this.#index?.close();
  }

  async #open(output: OffloadedOutput): Promise<RowIndex | MissingRows> {
    const opened = await openOutput(output, this.#files);
    if (opened.kind === 'missing') return opened;
    const { bytes } = opened;
    if (this.#index === undefined || bytes.size < this.#index.seen) {
      this.#index?.close();
      this.#index = new RowIndex(bytes, this.#pause);
    } else this.#index.grow(bytes);
    if (!this.#isClosed) this.#index.begin();
    return this.#index;
  }
}
