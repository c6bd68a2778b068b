import type { RE2JS } from 're2js';
import { excerpt } from '../model/cut-text.ts';
import type { FileLocation } from '../ports/files.ts';
import type { SearchMatch, SearchRequest, SearchResult } from '../ports/search.ts';
import { rawIndex, strippedText } from '../text/shown-index.ts';
import { renderTerminal } from '../text/terminal-text.ts';
import type { ToolContext } from './define-tool.ts';
import { LineCutter } from './line-stretches.ts';
import type { Stretch } from './line-stretches.ts';
import { joinLocation } from './location.ts';
import { compileGlob } from './path-glob.ts';
import { walk } from './walk.ts';
import { compilePattern, createPause } from './walk-search.ts';

/** Read at once; a file as a whole is never held. */
const CHUNK_BYTES = 500_000;
/** Given of one line, where it is too long to be shown. */
const MAX_LINE_MATCHES = 20;
/** What a match shows of its line behind its beginning, at least: what is in it is not given again. */
const SHOWN_CHARS = 100;

/**
 * Searches kept outputs for what the model is shown of them: of a line what a terminal would show in the end, of a very
 * long one stretches without control sequences. The same whatever searches the workspace, and for files of any size.
 * @throws ToolError('invalid_input') for a bad pattern or glob, AbortedError
 */
export async function searchKept(request: SearchRequest, context: ToolContext): Promise<SearchResult> {
  const accepts = request.glob === undefined ? () => true : compileGlob(request.glob);
  const search = new KeptSearch(request, context);
  for await (const { location, path } of outputs(request, context)) {
    if (!accepts(path)) continue;
    if (!(await search.goesOnAfter(location, path))) return search.result(true);
  }
  return search.result(false);
}

interface Output {
  readonly location: FileLocation;
  readonly path: string;
}

async function* outputs({ directory, file }: SearchRequest, context: ToolContext): AsyncGenerator<Output> {
  if (file !== undefined) {
    yield { location: joinLocation(directory, file), path: file };
    return;
  }
  for await (const item of walk(directory, { ...context, depth: Infinity, withIgnored: true }))
    if (!item.isDirectory && !item.isSymlink) yield item;
}

/** The line that is searched. */
interface OpenLine {
  readonly number: number;
  matches: number;
  /** bytes of the file up to which its matches are shown */
  shownTo: number;
}

class KeptSearch {
  readonly #found: SearchMatch[] = [];
  readonly #expression: RE2JS;
  /** the pattern may ask what is behind a match, which the end of a stretch does not show */
  readonly #looksBehindIt: boolean;
  /** the pattern may match more than two stretches have in common */
  readonly #mayBeLong: boolean;
  readonly #maxMatches: number;
  readonly #context: ToolContext;
  readonly #pause: ReturnType<typeof createPause>;
  #partLines = 0;
  #crowdedLines = 0;

  constructor(request: SearchRequest, context: ToolContext) {
    this.#expression = compilePattern(request);
    this.#looksBehindIt = /\$|\\[bBz]/.test(request.pattern);
    this.#mayBeLong = /[*+{]/.test(request.pattern.replace(/\\./g, ''));
    this.#maxMatches = request.maxMatches;
    this.#context = context;
    this.#pause = createPause(context.clock, request.signal);
  }

  result(isCut: boolean): SearchResult {
    return {
      ...{ matches: this.#found, isCut },
      ...(this.#partLines > 0 && { partLines: this.#partLines }),
      ...(this.#crowdedLines > 0 && { crowdedLines: this.#crowdedLines }),
    };
  }

  /** Searches a file. False where there are matches enough, or no time is left. */
  async goesOnAfter(location: FileLocation, path: string): Promise<boolean> {
    const { files } = this.#context;
    const stat = await files.stat(location).catch(() => undefined);
    if (stat?.kind !== 'file') return true;
    const lines = new LineCutter();
    let line: OpenLine = { number: 0, matches: 0, shownTo: 0 };
    for (let at = 0; at < stat.size; at += CHUNK_BYTES) {
      const end = Math.min(stat.size, at + CHUNK_BYTES);
      const bytes = await files.read(location, { start: at, end }).catch(() => new Uint8Array());
      for (const stretch of lines.add(bytes, end === stat.size)) {
        const goesOn = this.#pause();
        if (goesOn === false || (goesOn !== true && !(await goesOn))) return false;
        if (stretch.line !== line.number) line = { number: stretch.line, matches: 0, shownTo: 0 };
        if (stretch.isFirst && !stretch.isLast && this.#mayBeLong) this.#partLines += 1;
        if (!this.#take(stretch, line, path)) return false;
      }
    }
    return true;
  }

  /** False where there are matches enough. */
  #take(stretch: Stretch, line: OpenLine, path: string): boolean {
    if (line.matches > MAX_LINE_MATCHES) return true;
    for (const match of this.#matchesIn(stretch, line)) {
      line.matches += 1;
      if (line.matches > MAX_LINE_MATCHES) {
        this.#crowdedLines += 1;
        return true;
      }
      if (this.#found.length >= this.#maxMatches) return false;
      this.#found.push({ path, line: stretch.line, ...match });
    }
    return true;
  }

  /** Of a line that is shown whole the first one, of any other those that are not shown with one before. */
  *#matchesIn(stretch: Stretch, line: OpenLine): Generator<Pick<SearchMatch, 'text' | 'byte'>> {
    const { isFirst, isLast } = stretch;
    const raw = decode(stretch);
    const text = shownText(raw, isFirst && isLast);
    if (!this.#expression.test(text)) return;
    const matcher = this.#expression.matcher(text);
    // What a later stretch begins with is no line's beginning.
    const first = Math.max(isFirst ? 0 : 1, shownChars(stretch, line.shownTo));
    for (let from = first; from <= text.length && matcher.find(from);) {
      const at = matcher.start();
      if (!isLast && this.#looksBehindIt && matcher.end() === text.length) return;
      const shown = excerpt(text, at);
      if (isFirst && isLast && shown === text) {
        yield { text };
        return;
      }
      const byte = byteOf(stretch, { raw, text, at });
      from = Math.max(at + 1, Math.min(text.length, at + SHOWN_CHARS));
      line.shownTo = byteOf(stretch, { raw, text, at: Math.min(text.length, at + SHOWN_CHARS) }) ?? 0;
      const before = !isFirst && !shown.startsWith('…') ? '…' : '';
      const after = !isLast && !shown.endsWith('…') ? '…' : '';
      yield { text: before + shown + after, ...(byte !== undefined && { byte }) };
    }
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** For the very beginning of a file. */
const bomDecoder = new TextDecoder('utf-8');

function decode({ bytes, byte }: Stretch): string {
  const text = (byte > 0 ? decoder : bomDecoder).decode(bytes);
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** How many characters of a stretch are shown of what stands before a byte of the file. */
function shownChars({ bytes, ...stretch }: Stretch, byte: number): number {
  const before = bytes.subarray(0, Math.max(0, byte - stretch.byte));
  return strippedText(decode({ ...stretch, bytes: before })).length;
}

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

function shownText(raw: string, isWhole: boolean): string {
  if (!CONTROL.test(raw)) return raw; // nearly all of them
  return isWhole ? renderTerminal(raw) : strippedText(raw);
}

interface ShownPlace {
  readonly raw: string;
  /** what is shown of it */
  readonly text: string;
  /** a character of the text */
  readonly at: number;
}

/** Of the file, where a character is that is shown; undefined where others were written over. */
function byteOf({ byte }: Stretch, { raw, text, at }: ShownPlace): number | undefined {
  let index = at;
  if (text !== raw) {
    if (text !== strippedText(raw)) return undefined;
    index = rawIndex(raw, at);
  }
  return byte + new TextEncoder().encode(raw.slice(0, index)).length;
}
