import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { AbortedError, ToolError } from '../core/model/errors.ts';
import type { SearchMatch, SearchPort, SearchRequest, SearchResult } from '../core/ports/search.ts';
import { OUTPUTS_FOLDER } from '../core/model/offloaded.ts';
import { toLocation } from './disk-path.ts';
import { readMatch } from './ripgrep-json.ts';

export interface RipgrepOptions {
  /** path of the `rg` executable */
  readonly binary: string;
  /** what a glob accepts, by path relative to the directory searched */
  readonly compileGlob: (glob: string) => (path: string) => boolean;
  /** what a search may take; then it is cut. 20 s by default */
  readonly timeLimitMs?: number;
}

const TIME_LIMIT_MS = 20_000;
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
    // The engine of linear time; the other one has look-around, and backtracks.
    '--engine=default',
    '--sort=path',
    request.caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(request.file === undefined ? narrowing(request.glob) : []),
    '--glob=!.git',
    '--glob=!node_modules',
    `--max-filesize=${MAX_FILE_SIZE}`,
    ...outputsOut(request.directory),
    '--regexp',
    request.pattern,
    '--',
    `./${request.file ?? ''}`,
  ];
}

/** Their own ignore file may be missing. */
function outputsOut(directory: string): string[] {
  const [parent = '', name = ''] = OUTPUTS_FOLDER.split('/');
  return [`--glob=!**/${OUTPUTS_FOLDER}`, ...(directory.endsWith(`/${parent}`) ? [`--glob=!/${name}`] : [])];
}

/**
 * Spares ripgrep the files that the glob cannot accept. A file type, because `--glob` would bring back what the ignore
 * files exclude; types know names only, so a glob with folders in it is left to the filter behind.
 */
function narrowing(glob: string | undefined): string[] {
  const isPlainName = glob !== undefined && /^[\w.*?-]+$/.test(glob) && /[*?.]/.test(glob);
  return isPlainName ? ['--type-add', `wanted:${glob}`, '--type', 'wanted'] : [];
}

/** One run of ripgrep, and what it has found so far. */
interface Run {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly accepts: (path: string) => boolean;
  readonly matches: SearchMatch[];
  isCut: boolean;
  errorText: string;
}

async function runRipgrep(options: RipgrepOptions, request: SearchRequest): Promise<SearchResult> {
  const accepts = request.glob === undefined ? () => true : options.compileGlob(request.glob);
  const run: Run = {
    child: start(options.binary, request),
    accepts,
    matches: [],
    isCut: false,
    errorText: '',
  };
  const timer = setTimeout(() => cut(run), options.timeLimitMs ?? TIME_LIMIT_MS);
  const onAbort = () => run.child.kill('SIGKILL');
  request.signal.addEventListener('abort', onAbort, { once: true });
  try {
    await started(run.child);
    const code = await collect(run, request.maxMatches);
    if (request.signal.aborted) throw new AbortedError();
    const { matches, isCut, errorText } = run;
    // Files that cannot be read also end in code 2: only a search that found nothing at all has failed.
    if (code === 2 && matches.length === 0 && isPatternError(errorText)) throw badPattern(errorText);
    return { matches, isCut };
  } finally {
    clearTimeout(timer);
    run.child.kill('SIGKILL');
    request.signal.removeEventListener('abort', onAbort);
  }
}

function start(binary: string, request: SearchRequest): Run['child'] {
  try {
    return spawn(binary, argumentsFor(request), {
      cwd: request.directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** A process that could not be started has no streams to read from. */
function started(child: Run['child']): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve).once('error', (cause) => reject(unavailable(cause)));
  });
}

function unavailable(cause: unknown): ToolError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ToolError('unavailable', `Search cannot run: ${why}`, { cause });
}

function cut(run: Run): void {
  run.isCut = true;
  run.child.kill('SIGKILL');
}

/** Reads matches to the end of the output. Resolves to the exit code; null where the run was cut. */
async function collect(run: Run, maxMatches: number): Promise<number | null> {
  const closed = new Promise<number | null>((resolve) => run.child.once('close', resolve));
  run.child.stderr.setEncoding('utf8').on('data', (text: string) => {
    run.errorText = (run.errorText + text).slice(0, MAX_ERROR_CHARS);
  });
  for await (const line of linesOf(run.child.stdout)) {
    const match = readMatch(line);
    if (match === undefined || run.isCut) continue;
    const path = toLocation(match.path).replace(/^\.\//, '');
    if (!run.accepts(path)) continue;
    if (run.matches.length >= maxMatches) cut(run);
    else run.matches.push({ ...match, path });
  }
  return closed;
}

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let pending: string[] = [];
  for await (const text of stream.setEncoding('utf8') as AsyncIterable<string>) {
    const [first, ...others] = text.split('\n');
    pending.push(first ?? '');
    for (const next of others) {
      yield pending.join('');
      pending = [next];
    }
  }
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
