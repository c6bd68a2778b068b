import * as z from 'zod';
import { ToolError } from '../model/errors.ts';
import type { SearchMatch, SearchRequest, SearchResult } from '../ports/search.ts';
import { MAX_RESULT_CHARS, takeStart } from '../text/bound-text.ts';
import { goneOutput, isKept } from './kept-outputs.ts';
import type { ResolvedFile, ToolContext, ToolOutput } from './define-tool.ts';
import { defineTool } from './define-tool.ts';
import { searchKept } from './search-kept.ts';
import { withoutKeys } from './search-keys.ts';
import { expectUnmoved, resolvePath, resolveRoots } from './workspace-path.ts';

const MAX_MATCHES = 500;
/** The engines give no more of a line, and a sign at either end where it is cut. */
const MAX_LINE_CHARS = 502;
const NOTE_CHARS = 500;
/** What compiles in no time, and fits on a command line. */
const MAX_PATTERN_CHARS = 4_000;
const MAX_GLOB_CHARS = 1_000;

export const search = defineTool({
  name: 'search',
  isPaged: true,
  description:
    'Searches the text of files, line by line, with a regular expression. Returns matching lines by file, with line ' +
    `numbers, at most ${MAX_MATCHES}. What .gitignore excludes, .git and node_modules are left out.`,
  input: {
    pattern: z
      .string()
      .min(1)
      .max(MAX_PATTERN_CHARS)
      .describe(
        'Regular expression (RE2 syntax: no look-around, no back-references). Escape special characters to search for literal text.',
      ),
    path: z.string().optional().describe('Folder or file to search in. Default: the workspace.'),
    glob: z
      .string()
      .min(1)
      .max(MAX_GLOB_CHARS)
      .optional()
      .describe('Only files like this, e.g. "*.ts", "src/**/*.{js,ts}", "!*.test.ts".'),
    case_sensitive: z.boolean().optional().describe('Default true.'),
  },
  async prepare({ pattern, path, glob, case_sensitive = true }, context) {
    if (/\n/.test(pattern))
      throw new ToolError('invalid_input', 'The pattern spans lines; search goes line by line.');
    const places = path === undefined ? await resolveRoots(context) : [await resolvePath(path, context)];
    const query = { pattern, caseSensitive: case_sensitive, ...(glob === undefined ? {} : { glob }) };
    return {
      access: { kind: 'read', files: places },
      target: pattern,
      execute: (maxChars = MAX_RESULT_CHARS) => searchPlaces(places, { ...query, maxChars }, context),
    };
  },
});

interface Query {
  readonly pattern: string;
  readonly caseSensitive: boolean;
  readonly glob?: string;
}

interface Search extends Query {
  /** most characters of the result */
  readonly maxChars: number;
}

async function searchPlaces(
  places: readonly ResolvedFile[],
  { maxChars, ...query }: Search,
  context: ToolContext,
): Promise<ToolOutput> {
  const matches: SearchMatch[] = [];
  let isCut = false;
  const lines = { cutLines: 0, partLines: 0, crowdedLines: 0 };
  for (const place of places) {
    const found = await searchPlace(place, { ...query, maxMatches: MAX_MATCHES - matches.length }, context);
    matches.push(...found.matches);
    isCut ||= found.isCut;
    lines.cutLines += found.cutLines ?? 0;
    lines.partLines += found.partLines ?? 0;
    lines.crowdedLines += found.crowdedLines ?? 0;
    if (isCut) break;
  }
  const { lines: said, shown } = format(matches, maxChars);
  return { content: [...said, ...notes({ found: matches.length, shown, isCut, ...lines })].join('\n') };
}

async function searchPlace(
  place: ResolvedFile,
  query: Query & { readonly maxMatches: number },
  context: ToolContext,
): Promise<SearchResult> {
  await expectUnmoved(place, context);
  const kind = (await context.files.stat(place.location))?.kind;
  if (kind === undefined)
    throw goneOutput(place, context) ?? new ToolError('not_found', `There is nothing at ${place.label}.`);
  const isFolder = kind === 'directory';
  const { folder, name } = splitName(place.location);
  const where = isFolder ? { directory: place.location } : { directory: folder, file: name };
  const request = { ...query, ...where, signal: context.signal };
  const found = isKept(place, context)
    ? await searchKept(request, context)
    : await searchFiles(request, context);
  if (!isFolder) return below(splitName(place.label).prefix, found);
  return below(place.label === '.' ? '' : `${place.label}/`, found);
}

async function searchFiles(request: SearchRequest, context: ToolContext): Promise<SearchResult> {
  const found = await context.search.search(request);
  return { ...found, matches: await withoutKeys(found.matches, request.directory, context) };
}

function splitName(path: string): {
  readonly folder: string;
  readonly prefix: string;
  readonly name: string;
} {
  const slash = path.lastIndexOf('/');
  const prefix = path.slice(0, slash + 1);
  return { folder: slash <= 0 ? prefix : path.slice(0, slash), prefix, name: path.slice(slash + 1) };
}

function below(prefix: string, found: SearchResult): SearchResult {
  return { ...found, matches: found.matches.map((match) => ({ ...match, path: prefix + match.path })) };
}

/** Grouped by file: the path once, then its lines. */
function format(
  matches: readonly SearchMatch[],
  maxChars: number,
): { readonly lines: string[]; readonly shown: number } {
  const lines: string[] = [];
  let room = maxChars - Math.min(NOTE_CHARS, maxChars / 2);
  let shown = 0;
  let path: string | undefined;
  for (const match of matches) {
    const heading =
      match.path === path ? [] : [...(path === undefined ? [] : ['']), match.path.toWellFormed()];
    const added = [...heading, lineOf(match)];
    room -= added.join('\n').length + 1;
    if (room < 0) break;
    lines.push(...added);
    path = match.path;
    shown++;
  }
  if (shown > 0) return { lines, shown };
  return { lines: [matches.length === 0 ? '(no matches)' : '(no match is short enough to be shown)'], shown };
}

/** Of a line that is cut: also where in the file it matched, for it may be read on from there. */
function lineOf({ line, text, byte }: SearchMatch): string {
  const at = byte === undefined ? '' : ` [byte ${byte}]`;
  return `${String(line).padStart(6)}\t${takeStart(text, MAX_LINE_CHARS).toWellFormed()}${at}`;
}

interface Extent {
  readonly found: number;
  readonly shown: number;
  readonly isCut: boolean;
  readonly cutLines: number;
  readonly partLines: number;
  readonly crowdedLines: number;
}

/** What is not in the answer, and how to get at it. */
function notes({ found, shown, isCut, cutLines, partLines, crowdedLines }: Extent): readonly string[] {
  const narrower = 'use a narrower pattern, path or glob';
  const all: string[] = [];
  if (shown < found || (isCut && found >= MAX_MATCHES))
    all.push(`[the first ${shown} matches; there are more: ${narrower}]`);
  else if (isCut) all.push(`[the time was up before all was searched; there may be more: ${narrower}]`);
  if (cutLines > 0) all.push(`[of ${cutLines} very long lines only the beginning was searched]`);
  if (partLines > 0)
    all.push(
      `[${partLines} very long lines were searched in parts: a match longer than a part is not found]`,
    );
  if (crowdedLines > 0)
    all.push(
      `[of ${crowdedLines} very long lines only the first matches are given: read on from their bytes]`,
    );
  return all;
}
