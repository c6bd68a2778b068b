import { RE2JS } from 're2js';
import { ToolError } from '../model/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileLocation, FilePort } from '../ports/files.ts';
import type { SearchMatch, SearchPort, SearchRequest, SearchResult } from '../ports/search.ts';
import type { TextCodec } from '../ports/text-codec.ts';
import { takeStart } from '../text/bound-text.ts';
import { joinLocation } from './location.ts';
import { compileGlob } from './path-glob.ts';
import { walk } from './walk.ts';

export interface WalkSearchOptions {
  readonly files: FilePort;
  readonly codec: TextCodec;
  readonly clock: Clock;
}

/** Larger files are passed over, as in the search by ripgrep. */
const MAX_FILE_BYTES = 20_000_000;
/** A line is searched up to here only: the time that a line takes is its length times the size of the pattern. */
const MAX_SEARCHED_CHARS = 100_000;
const MAX_SHOWN_CHARS = 500;
const MAX_DURATION_MS = 20_000;
/** After so much work others have their turn. */
const SLICE_MS = 20;

/**
 * Search without ripgrep, wherever the files are: slower, but in linear time as well, and its time is watched line by
 * line.
 */
export function createWalkSearch(options: WalkSearchOptions): SearchPort {
  return { search: (request) => searchByWalk(options, request) };
}

async function searchByWalk(options: WalkSearchOptions, request: SearchRequest): Promise<SearchResult> {
  const expression = compilePattern(request);
  const accepts = request.glob === undefined ? () => true : compileGlob(request.glob);
  const search: Search = {
    matches: (line) => expression.test(line),
    maxMatches: request.maxMatches,
    pause: createPause(options.clock, request.signal),
    found: [],
    cutLines: 0,
  };
  let isCut = false;
  for await (const item of candidates(options, request)) {
    if (!accepts(item.path)) continue;
    isCut = !(await searchFile(item, search, options));
    if (isCut) break;
  }
  const { found: matches, cutLines } = search;
  return { matches, isCut, ...(cutLines > 0 ? { cutLines } : {}) };
}

/** A search under way. */
interface Search {
  readonly matches: (line: string) => boolean;
  readonly maxMatches: number;
  /** whether there is time left; lets others have their turn now and then. @throws AbortedError */
  readonly pause: () => Promise<boolean> | boolean;
  readonly found: SearchMatch[];
  cutLines: number;
}

/** Whether there is time left; lets others have their turn now and then. @throws AbortedError */
export function createPause(clock: Clock, signal: AbortSignal): Search['pause'] {
  const start = clock.now().getTime();
  let last = start;
  return () => {
    const now = clock.now().getTime();
    if (now - start > MAX_DURATION_MS) return false;
    if (now - last < SLICE_MS) return true;
    last = now;
    return clock.sleep(0, signal).then(() => true);
  };
}

interface Candidate {
  readonly location: FileLocation;
  readonly path: string;
}

async function* candidates(
  { files, codec }: WalkSearchOptions,
  { directory, file, signal }: SearchRequest,
): AsyncGenerator<Candidate> {
  if (file !== undefined) {
    yield { location: joinLocation(directory, file), path: file };
    return;
  }
  for await (const item of walk(directory, { files, codec, signal, depth: Infinity }))
    if (!item.isDirectory && !item.isSymlink) yield item;
}

/** Whether the search goes on: false where there are matches enough, or no time is left. */
async function searchFile(
  item: Candidate,
  search: Search,
  { files, codec }: WalkSearchOptions,
): Promise<boolean> {
  const stat = await files.stat(item.location).catch(() => undefined);
  if (stat?.kind !== 'file' || stat.size > MAX_FILE_BYTES) return search.pause();
  const bytes = await files.read(item.location).catch(() => new Uint8Array());
  const decoded = codec.decode(bytes);
  if (decoded.kind === 'binary') return search.pause();
  for (const [index, raw] of decoded.text.split('\n').entries()) {
    const goesOn = search.pause();
    if (goesOn === false || (goesOn !== true && !(await goesOn))) return false;
    const text = raw.replace(/\r$/, '');
    if (text.length > MAX_SEARCHED_CHARS) search.cutLines++;
    if (!search.matches(text.slice(0, MAX_SEARCHED_CHARS))) continue;
    if (search.found.length >= search.maxMatches) return false;
    search.found.push({ path: item.path, line: index + 1, text: shorten(text) });
  }
  return true;
}

function shorten(text: string): string {
  return text.length <= MAX_SHOWN_CHARS ? text : `${takeStart(text, MAX_SHOWN_CHARS)}…`;
}

/** @throws ToolError('invalid_input') */
export function compilePattern({
  pattern,
  caseSensitive,
}: Pick<SearchRequest, 'pattern' | 'caseSensitive'>): RE2JS {
  try {
    return RE2JS.compile(pattern, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(
      'invalid_input',
      `The pattern is not a valid regular expression. To search for literal text, escape its special characters.\n${why}`,
      { cause },
    );
  }
}
