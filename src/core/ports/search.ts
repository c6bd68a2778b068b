import type { FileLocation } from './files.ts';

export interface SearchRequest {
  /** a regular expression, in the common subset of Rust's and JavaScript's syntax */
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
}

export interface SearchResult {
  readonly matches: readonly SearchMatch[];
  /** there were more than `maxMatches` */
  readonly isCut: boolean;
}

/** Text search that respects ignore files. @throws ToolError('invalid_input') for a bad pattern */
export interface SearchPort {
  search(request: SearchRequest): Promise<SearchResult>;
}
