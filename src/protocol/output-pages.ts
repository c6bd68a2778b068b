import type { OutputPlace, OutputRow } from '../core/model/output-page.ts';

export type { OutputMatch, OutputPlace, OutputRow, OutputSearchResult } from '../core/model/output-page.ts';

/**
 * What the pager asks for and gets. An output is shown in rows: a line, or a piece of a line that is longer than
 * `ROW_BYTES`. Rows count from 0, lines from 1.
 */
export interface OutputPageRequest {
  readonly toolUseId: string;
  readonly at: OutputPlace;
  /** most rows to return */
  readonly rows: number;
}

export type OutputPage =
  | {
      readonly kind: 'page';
      readonly rows: readonly OutputRow[];
      /** of the first one */
      readonly firstRow: number;
      /** colour sequences that are in force where the page begins; empty for none */
      readonly style: string;
      readonly size: OutputSize;
    }
  /** the files are gone, or cannot be read: the transcript still has a part */
  | { readonly kind: 'missing'; readonly reason: string };

export interface OutputSize {
  readonly bytes: number;
  /** known so far; all of them once `isCounted` */
  readonly rows: number;
  readonly lines: number;
  readonly isCounted: boolean;
  /** the tool still runs, and more may come */
  readonly isGrowing: boolean;
  /** another one: the files hold something else, and nothing that was read or found before is right */
  readonly generation: number;
}

/** The output that is open over the conversation, and where its reader is. */
export interface OpenOutput {
  readonly sessionId: string;
  readonly toolUseId: string;
  /** first row in sight */
  readonly row: number;
  /** the line to go to, as long as nobody has gone there */
  readonly line?: number;
  readonly isWrapped: boolean;
}

/** What a window had open, for the next one. */
export interface KeptOutput {
  readonly output: OpenOutput | undefined;
}

export interface OutputSearchRequest {
  readonly toolUseId: string;
  /** literal text; letter case does not matter unless `isCaseSensitive` */
  readonly text: string;
  readonly isCaseSensitive: boolean;
}
