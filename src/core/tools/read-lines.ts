import { ToolError } from '../model/errors.ts';
import { MAX_RESULT_CHARS, takeStart } from '../text/bound-text.ts';
import type { ResolvedFile, ToolContext, ToolOutput } from './define-tool.ts';
import { pageOffset } from './read-bytes.ts';
import { MAX_TEXT_BYTES, encodingLabel, readTextFile, sizeOfFile } from './text-file.ts';
import type { TextFile } from './text-file.ts';
import type { TextLine } from './text-lines.ts';
import { splitLines } from './text-lines.ts';

export const MAX_LINES = 2_000;
/** Of a longer line only the beginning is shown; the rest is read by bytes. */
const MAX_LINE_CHARS = 2_000;
/** Kept free for what is said behind the lines. */
const NOTE_CHARS = 800;
const MAX_CUT_LINE_NOTES = 3;

export interface LineRange {
  /** from 1 */
  readonly offset: number;
  readonly limit: number;
}

/** Numbered lines as `cat -n` prints them, and behind them, in brackets, how to read on. */
export async function readLines(
  file: ResolvedFile,
  range: LineRange,
  context: ToolContext,
): Promise<ToolOutput> {
  if ((await sizeOfFile(file, context)) > MAX_TEXT_BYTES)
    throw new ToolError(
      'too_large',
      `${file.label} is too large to be read by lines. Use search to find the place, or byte_offset and byte_limit.`,
    );
  const source = await readTextFile(file, context);
  const lines = splitLines(source.text);
  if (lines.length > 0 && range.offset > lines.length)
    throw new ToolError(
      'invalid_input',
      `${file.label} has ${lines.length} lines; line ${range.offset} is behind its end.`,
    );
  const page = takePage(lines, range);
  const isPartial = range.offset > 1 || page.next <= lines.length || page.cut.length > 0;
  const notes = [
    ...encodingNotes(source),
    ...cutNotes(page.cut, (at) => pageOffset(source, at, context)),
    ...pageNotes(page, range, lines.length),
  ];
  const text = lines.length === 0 ? ['(the file is empty)'] : page.shown;
  return {
    content: [...text, ...notes.map((note) => `[${note}]`)].join('\n'),
    details: {
      seen: [{ file: file.location, hash: source.hash, ...(isPartial ? { isPartial: true as const } : {}) }],
    },
  };
}

interface CutLine {
  readonly number: number;
  readonly line: TextLine;
  readonly shownChars: number;
}

interface Page {
  readonly shown: readonly string[];
  /** number of the first line behind the page */
  readonly next: number;
  readonly cut: readonly CutLine[];
}

function takePage(lines: readonly TextLine[], range: LineRange): Page {
  const shown: string[] = [];
  const cut: CutLine[] = [];
  let room = MAX_RESULT_CHARS - NOTE_CHARS;
  let next = range.offset;
  for (const line of lines.slice(range.offset - 1, range.offset - 1 + range.limit)) {
    const text = takeStart(line.text, MAX_LINE_CHARS);
    const isCut = text.length < line.text.length;
    const numbered = `${String(next).padStart(6)}\t${text.toWellFormed()}${isCut ? '…' : ''}`;
    room -= numbered.length + 1;
    if (room < 0) break;
    shown.push(numbered);
    if (isCut) cut.push({ number: next, line, shownChars: text.length });
    next++;
  }
  return { shown, next, cut };
}

function encodingNotes({ encoding }: TextFile): readonly string[] {
  const label = encodingLabel(encoding);
  return label === undefined ? [] : [`encoding: ${label}${encoding.isCertain ? '' : ', guessed'}`];
}

function cutNotes(
  cut: readonly CutLine[],
  offsetOf: (character: number) => number | undefined,
): readonly string[] {
  const notes = cut.slice(0, MAX_CUT_LINE_NOTES).map(({ number, line, shownChars }) => {
    const offset = offsetOf(line.start + shownChars);
    const readOn = offset === undefined ? '' : `; read on with byte_offset=${offset}`;
    return `line ${number} has ${line.text.length} characters, of which ${shownChars} are shown${readOn}`;
  });
  const left = cut.length - notes.length;
  return left > 0 ? [...notes, `${left} more lines are cut in the same way`] : notes;
}

function pageNotes(page: Page, range: LineRange, total: number): readonly string[] {
  if (range.offset === 1 && page.next > total) return [];
  const readOn = page.next <= total ? `; read on with offset=${page.next}` : ', the end';
  return [`lines ${range.offset}–${page.next - 1} of ${total}${readOn}`];
}
