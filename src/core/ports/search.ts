import type { FileLocation } from './files.ts';

export interface SearchRequest {
  /** a regular expression in RE2's syntax, which Rust's is nearly: no look-around, no back-references */
  readonly pattern: string;
  readonly directory: FileLocation;
  /** only this file of the directory, by its name, ignored or not */
  readonly file?: string;
  /** only files whose path matches, as in a .gitignore line */
  readonly glob?: string;
  readonly caseSensitive: boolean;
  readonly maxMatches: number;
  readonly signal: AbortSignal;
}

export interface SearchMatch {
  /** relative to the directory searched, forward slashes */
  readonly path: string;
  /** from 1 */
  readonly line: number;
  /** the line, cut to a bounded length */
  readonly text: string;
  /** of the file, where the match begins; absent where `text` is all of the line, or it is not known */
  readonly byte?: number;
}

export interface SearchResult {
  readonly matches: readonly SearchMatch[];
  /** not all was searched: there were more than `maxMatches`, or with fewer found the time was up */
  readonly isCut: boolean;
  /** lines so long that only their beginning was searched; absent for none */
  readonly cutLines?: number;
  /** lines so long that they were searched in parts, where the pattern might match more than a part; absent for none */
  readonly partLines?: number;
  /** lines so long that only the first matches in them are given; absent for none */
  readonly crowdedLines?: number;
}

/** Text search that respects ignore files, and leaves out kept outputs. @throws ToolError('invalid_input') for a bad pattern or glob */
export interface SearchPort {
  search(request: SearchRequest): Promise<SearchResult>;
}
