/** Where a page begins. `line` and `byte`: at the row that holds it; `end`: so that the last row is on the page. */
export type OutputPlace =
  { readonly row: number } | { readonly line: number } | { readonly byte: number } | 'end';

/** Longest piece of a line that is one row, in bytes. */
export const ROW_BYTES = 2_000;

export interface OutputRow {
  /** absent where the row goes on with the line of the row before */
  readonly line?: number;
  /** decoded, without its line end; control sequences for colours still in */
  readonly text: string;
  /** where it begins in the output */
  readonly byte: number;
}

export interface OutputSearchResult {
  /** rows with a match, in order, at most {@link MOST_MATCHED_ROWS} */
  readonly matches: readonly OutputMatch[];
  /** of the whole output */
  readonly count: number;
  /** there are more rows with matches than `matches` holds */
  readonly isCut: boolean;
}

/** A row in which matches begin. */
export interface OutputMatch {
  readonly row: number;
  readonly line: number;
  /** where the row begins in the output */
  readonly byte: number;
  /** matches in the row */
  readonly count: number;
}

export const MOST_MATCHED_ROWS = 10_000;
