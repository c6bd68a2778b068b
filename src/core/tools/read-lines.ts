import { ToolError } from '../model/errors.ts';
import type { ResolvedFile, ToolContext, ToolOutput } from './define-tool.ts';
import { isKept } from './kept-outputs.ts';
import { keyEndIn, withoutKey } from './key-across.ts';
import type { LinePage, LineRange, PageLine } from './line-page.ts';
import { takePage } from './line-page.ts';
import { pageOffset } from './read-bytes.ts';
import { readLargeLines } from './read-large-lines.ts';
import { MAX_TEXT_BYTES, encodingLabel, readTextFile, sizeOfFile } from './text-file.ts';
import type { TextFile } from './text-file.ts';
import type { TextLine } from './text-lines.ts';
import { splitLines } from './text-lines.ts';

export const MAX_LINES = 2_000;

/** Numbered lines as `cat -n` prints them, and behind them, in brackets, how to read on. */
export async function readLines(
  file: ResolvedFile,
  range: LineRange,
  context: ToolContext,
): Promise<ToolOutput> {
  const size = await sizeOfFile(file, context);
  if (size > MAX_TEXT_BYTES) return readLarge(file, { size, range }, context);
  const source = await readTextFile(file, context);
  const lines = splitLines(source.text);
  if (lines.length > 0) expectLine(file, range, lines.length);
  const page = takePage(pageLines(lines, range, { source, context }), range, isKept(file, context));
  const isPartial = range.offset > 1 || page.next <= lines.length || page.cutNotes.length > 0;
  const notes = [...encodingNotes(source), ...page.cutNotes, ...pageNotes(page, range, lines.length)];
  const text = lines.length === 0 ? ['(the file is empty)'] : page.shown;
  return {
    content: withNotes(text, notes),
    details: {
      seen: [{ file: file.location, hash: source.hash, ...(isPartial ? { isPartial: true as const } : {}) }],
    },
  };
}

/** Such a file is not edited, so it is not remembered as seen. */
async function readLarge(
  file: ResolvedFile,
  { size, range }: { readonly size: number; readonly range: LineRange },
  context: ToolContext,
): Promise<ToolOutput> {
  const { lines, total, keyEnd = 0 } = await readLargeLines(file, { size, range }, context);
  if (total !== undefined) expectLine(file, range, total);
  const shown = isKept(file, context)
    ? lines
    : lines.map((line) => withoutKey(line, keyCovers(line, keyEnd)));
  const page = takePage(shown, range, isKept(file, context));
  return { content: withNotes(page.shown, [...page.cutNotes, ...pageNotes(page, range, total)]) };
}

/** How many characters of a line, which is its bytes as long as they are a key's, belong to the key that the page begins in. */
function keyCovers(line: PageLine, keyEnd: number): number {
  return keyEnd - (line.byteAt(0) ?? keyEnd);
}

/** @throws ToolError for a line behind the end */
function expectLine(file: ResolvedFile, { offset }: LineRange, total: number): void {
  if (offset <= total) return;
  throw new ToolError('invalid_input', `${file.label} has ${total} lines; line ${offset} is behind its end.`);
}

interface LinesSource {
  readonly source: TextFile;
  readonly context: ToolContext;
}

function pageLines(
  lines: readonly TextLine[],
  { offset, limit }: LineRange,
  { source, context }: LinesSource,
): readonly PageLine[] {
  const wanted = lines.slice(offset - 1, offset - 1 + limit);
  const keyEnd = keyEndIn(source.text, wanted[0]?.start ?? 0);
  return wanted.map(({ text, start }) => {
    const line: PageLine = {
      ...{ text, isWhole: true, length: `${text.length} characters` },
      byteAt: (character) => pageOffset(source, start + character, context),
    };
    return withoutKey(line, keyEnd - start);
  });
}

function withNotes(lines: readonly string[], notes: readonly string[]): string {
  return [...lines, ...notes.map((note) => `[${note}]`)].join('\n');
}

function encodingNotes({ encoding }: TextFile): readonly string[] {
  const label = encodingLabel(encoding);
  return label === undefined ? [] : [`encoding: ${label}${encoding.isCertain ? '' : ', guessed'}`];
}

function pageNotes(page: LinePage, range: LineRange, total: number | undefined): readonly string[] {
  if (total !== undefined && range.offset === 1 && page.next > total) return [];
  const isEnd = total !== undefined && page.next > total;
  const readOn = isEnd ? ', the end' : `; read on with offset=${page.next}`;
  return [`lines ${range.offset}–${page.next - 1} of ${total ?? `more than ${page.next - 1}`}${readOn}`];
}
