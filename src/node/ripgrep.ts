import { spawn } from 'node:child_process';
import { AbortedError, ToolError } from '../core/model/errors.ts';
import type { SearchMatch, SearchPort, SearchRequest, SearchResult } from '../core/ports/search.ts';
import { toLocation } from './disk-path.ts';
import { readMatch } from './ripgrep-json.ts';

export interface RipgrepOptions {
  /** path of the `rg` executable */
  readonly binary: string;
  /** what a glob accepts, by path relative to the directory searched */
  readonly compileGlob: (glob: string) => (path: string) => boolean;
}

/** Larger files are passed over: no source is that large, and one line of such a file would have to be held whole. */
const MAX_FILE_SIZE = '20M';
const MAX_ERROR_CHARS = 4_000;

/** Search by ripgrep: parallel to nothing, so that the first matches are the same ones every time. */
export function createRipgrep(options: RipgrepOptions): SearchPort {
  return {
    search(request) {
      if (request.signal.aborted) return Promise.reject(new AbortedError());
      return runRipgrep(options, request);
    },
  };
}

function argumentsFor(request: SearchRequest): string[] {
  return [
    '--json',
    '--no-config',
    '--hidden',
    '--no-require-git',
    '--engine=auto',
    '--sort=path',
    `--max-filesize=${MAX_FILE_SIZE}`,
    request.caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(request.file === undefined ? narrowing(request.glob) : []),
    '--glob=!.git',
    '--glob=!node_modules',
    '--regexp',
    request.pattern,
    '--',
    `./${request.file ?? ''}`,
  ];
}

/**
 * Spares ripgrep the files that the glob cannot accept. A file type, because `--glob` would bring back what the ignore
 * files exclude; types know names only, so a glob with folders in it is left to the filter behind.
 */
function narrowing(glob: string | undefined): string[] {
  const isPlainName = glob !== undefined && /^[\w.*?-]+$/.test(glob) && /[*?.]/.test(glob);
  return isPlainName ? ['--type-add', `wanted:${glob}`, '--type', 'wanted'] : [];
}

function runRipgrep(options: RipgrepOptions, request: SearchRequest): Promise<SearchResult> {
  const accepts = request.glob === undefined ? () => true : options.compileGlob(request.glob);
  const matches: SearchMatch[] = [];
  let isCut = false;
  let errorText = '';
  const child = spawn(options.binary, argumentsFor(request), {
    cwd: request.directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const onLine = (line: string) => {
    const match = readMatch(line);
    if (match === undefined || isCut) return;
    const path = toLocation(match.path).replace(/^\.\//, '');
    if (!accepts(path)) return;
    isCut = matches.length >= request.maxMatches;
    if (isCut) child.kill('SIGKILL');
    else matches.push({ ...match, path });
  };
  eachLine(child.stdout, onLine);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(0, MAX_ERROR_CHARS);
  });
  return new Promise((resolve, reject) => {
    const onAbort = () => child.kill('SIGKILL');
    request.signal.addEventListener('abort', onAbort, { once: true });
    child.once('error', (cause) =>
      reject(new ToolError('unavailable', `Search cannot run: ${cause.message}`, { cause })),
    );
    child.once('close', (code) => {
      request.signal.removeEventListener('abort', onAbort);
      if (request.signal.aborted) reject(new AbortedError());
      // Files that cannot be read also end in code 2: only a search that found nothing at all has failed.
      else if (code === 2 && matches.length === 0 && isPatternError(errorText)) reject(badPattern(errorText));
      else resolve({ matches, isCut });
    });
  });
}

function eachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let pending: string[] = [];
  stream.setEncoding('utf8').on('data', (text: string) => {
    const [first, ...others] = text.split('\n');
    pending.push(first ?? '');
    for (const next of others) {
      onLine(pending.join(''));
      pending = [next];
    }
  });
}

function isPatternError(text: string): boolean {
  return /regex|PCRE2|pattern|literal "\\n"/i.test(text);
}

function badPattern(errorText: string): ToolError {
  return new ToolError(
    'invalid_input',
    `The pattern is not a valid regular expression. To search for literal text, escape its special characters.\n${errorText.trim()}`,
  );
}
