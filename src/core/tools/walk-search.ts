import { ToolError } from '../model/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileLocation, FilePort } from '../ports/files.ts';
import type { SearchMatch, SearchPort, SearchRequest, SearchResult } from '../ports/search.ts';
import type { TextCodec } from '../ports/text-codec.ts';
import { judgeBacktracking } from './backtracking.ts';
import { takeStart } from './bound-text.ts';
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
/** A line is searched up to here only: a backtracking expression takes its time from the length of the text. */
const MAX_SEARCHED_CHARS = 2_000;
/** The same for an expression with three or four repetitions. */
const MAX_SEARCHED_CHARS_STEEP = 200;
const MAX_DEGREE = 4;
const MAX_SHOWN_CHARS = 500;
const MAX_DURATION_MS = 20_000;

/**
 * Search without ripgrep, wherever the files are. Slower and less safe: an expression that backtracks without end is
 * refused by its look, and held to short lines; between files the time is watched.
 */
export function createWalkSearch(options: WalkSearchOptions): SearchPort {
  return { search: (request) => searchByWalk(options, request) };
}

async function searchByWalk(options: WalkSearchOptions, request: SearchRequest): Promise<SearchResult> {
  const matcher = createMatcher(request);
  const accepts = request.glob === undefined ? () => true : compileGlob(request.glob);
  const deadline = options.clock.now().getTime() + MAX_DURATION_MS;
  const matches: SearchMatch[] = [];
  for await (const item of candidates(options, request)) {
    if (!accepts(item.path)) continue;
    if (options.clock.now().getTime() > deadline) return { matches, isCut: true };
    for (const match of await searchFile(item, matcher, options)) {
      if (matches.length >= request.maxMatches) return { matches, isCut: true };
      matches.push(match);
    }
  }
  return { matches, isCut: false };
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

async function searchFile(
  item: Candidate,
  matches: (line: string) => boolean,
  { files, codec }: WalkSearchOptions,
): Promise<readonly SearchMatch[]> {
  const stat = await files.stat(item.location).catch(() => undefined);
  if (stat?.kind !== 'file' || stat.size > MAX_FILE_BYTES) return [];
  const bytes = await files.read(item.location).catch(() => new Uint8Array());
  const decoded = codec.decode(bytes);
  if (decoded.kind === 'binary') return [];
  return decoded.text
    .split('\n')
    .map((text, index) => ({ path: item.path, line: index + 1, text: text.replace(/\r$/, '') }))
    .filter(({ text }) => matches(text))
    .map((match) => ({ ...match, text: shorten(match.text) }));
}

function shorten(text: string): string {
  return text.length <= MAX_SHOWN_CHARS ? text : `${takeStart(text, MAX_SHOWN_CHARS)}…`;
}

function createMatcher(request: SearchRequest): (line: string) => boolean {
  const { isExponential, degree } = judgeBacktracking(request.pattern);
  if (isExponential || degree > MAX_DEGREE)
    throw new ToolError(
      'invalid_input',
      `The pattern repeats too much in itself, which could take for ever: ${request.pattern}\n` +
        'Search for a simpler one, without a repeated group.',
    );
  const expression = compile(request);
  const most = degree > 2 ? MAX_SEARCHED_CHARS_STEEP : MAX_SEARCHED_CHARS;
  return (line) => expression.test(line.slice(0, most));
}

function compile({ pattern, caseSensitive }: SearchRequest): RegExp {
  try {
    return new RegExp(pattern, caseSensitive ? 'u' : 'iu');
  } catch {
    return compileLoosely(pattern, caseSensitive);
  }
}

/** Rust accepts escapes that JavaScript's strict mode does not. */
function compileLoosely(pattern: string, caseSensitive: boolean): RegExp {
  try {
    return new RegExp(pattern, caseSensitive ? '' : 'i');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(
      'invalid_input',
      `The pattern is not a valid regular expression. To search for literal text, escape its special characters.\n${why}`,
      { cause },
    );
  }
}
