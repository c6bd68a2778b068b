/**
 * What the pager asks for and gets. An output is shown in rows: a line, or a piece of a line that is longer than
 * {@link ROW_BYTES}. Rows count from 0, lines from 1.
 */
export interface OutputPageRequest {
  readonly toolUseId: string;
  readonly at: OutputPlace;
  /** most rows to return */
  readonly rows: number;
}

/** Where a page begins. `line` and `byte`: at the row that holds it; `end`: so that the last row is on the page. */
export type OutputPlace =
  { readonly row: number } | { readonly line: number } | { readonly byte: number } | 'end';

/** Longest piece of a line that is one row, in bytes. */
export const ROW_BYTES = 2_000;

export interface OutputRow {
  /** absent where the row goes on with the line of the row before */
  readonly line?: number;
  /** decoded, control sequences for colours still in */
  readonly text: string;
  /** where it begins in the output */
  readonly byte: number;
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
}

export interface OutputSearchRequest {
  readonly toolUseId: string;
  /** literal text; letter case does not matter unless `isCaseSensitive` */
  readonly text: string;
  readonly isCaseSensitive: boolean;
}

export interface OutputSearchResult {
  /** rows with a match, in order, at most {@link MOST_MATCHED_ROWS} */
  readonly matches: readonly OutputMatch[];
  /** of the whole output */
  readonly count: number;
  /** there are more rows with matches than `matches` holds */
  readonly isCut: boolean;
}

export interface OutputMatch {
  readonly row: number;
  readonly line: number;
  readonly byte: number;
  /** matches in the row */
  readonly count: number;
}

export const MOST_MATCHED_ROWS = 10_000;
