import { ToolError } from '../model/errors.ts';
import { MAX_RESULT_CHARS } from '../text/bound-text.ts';
import { markOf } from '../text/redact.ts';
import { completeEnd, withoutControls } from '../text/terminal-text.ts';
import type { ResolvedFile, ToolContext, ToolOutput } from './define-tool.ts';
import { endBefore, secretsAtEdges } from './secrets-across.ts';
import { isKept } from './kept-outputs.ts';
import { MAX_TEXT_BYTES, readTextFile, sizeOfFile } from './text-file.ts';
import type { TextFile } from './text-file.ts';

/** What is said behind a page. */
const NOTE_CHARS = 200;
/** Most bytes of one page: what is said behind it has to fit as well. */
export const MAX_PAGE_BYTES = MAX_RESULT_CHARS - NOTE_CHARS;
/** Looked at to learn the encoding of a file too large to be decoded. */
const SAMPLE_BYTES = 64 * 1024;
/** Longest character of UTF-8, and so the least a page can advance by. */
const MAX_CHAR_BYTES = 4;
const ESCAPE = '\u001b';
const ESCAPE_BYTE = 0x1b;

export interface ByteRange {
  /** from 0 */
  readonly offset: number;
  readonly limit: number;
  /** most characters of the result */
  readonly maxChars: number;
}

/** UTF-8 that can be read in parts: the file's own bytes, or its text transcoded. */
interface PageSource {
  readonly size: number;
  read(start: number, end: number): Promise<Uint8Array>;
  readonly hash?: string;
}

/**
 * A page by bytes, of a file in UTF-8; any other text is paged by the bytes it would have in UTF-8. A page begins and
 * ends between two characters, so it may be some bytes off what was asked. Pages read one after the other, each from
 * the offset that the one before names, are the whole file; of a kept output without its control sequences.
 */
export async function readBytes(
  file: ResolvedFile,
  range: ByteRange,
  context: ToolContext,
): Promise<ToolOutput> {
  const source = await openPages(file, context);
  const seen =
    source.hash === undefined ? [] : [{ file: file.location, hash: source.hash, isPartial: true as const }];
  if (source.size === 0) return { content: '(the file is empty)', details: { seen } };
  if (range.offset >= source.size)
    throw new ToolError(
      'invalid_input',
      `${file.label} has ${source.size} bytes; byte ${range.offset} is behind its end.`,
    );
  const isStripped = isKept(file, context);
  const { start, text, next } = await readPage(source, range, isStripped);
  const readOn = next < source.size ? `; read on with byte_offset=${next}` : ', the end';
  return { content: `${text}\n[bytes ${start}–${next} of ${source.size}${readOn}]`, details: { seen } };
}

/** The byte of a text file that a page has to begin at to begin with this character of its text. */
export function pageOffset(source: TextFile, characters: number, context: ToolContext): number | undefined {
  const before = source.text.slice(0, characters);
  if (source.encoding.name !== 'utf8' || !source.encoding.isCertain)
    return new TextEncoder().encode(before).length;
  return context.codec.encode(before, source.encoding)?.length;
}

interface Page {
  /** bytes */
  readonly start: number;
  readonly next: number;
  readonly text: string;
}

async function readPage(source: PageSource, range: ByteRange, isStripped: boolean): Promise<Page> {
  // A few bytes around the page show where the characters at its edges begin and end.
  const from = Math.max(0, range.offset - MAX_CHAR_BYTES);
  const limit = Math.max(Math.min(range.limit, range.maxChars - NOTE_CHARS), MAX_CHAR_BYTES);
  const around = await source.read(from, Math.min(source.size, range.offset + limit + MAX_CHAR_BYTES));
  const start = characterStart(around, range.offset - from);
  const end = characterStart(around, Math.min(around.length, start + limit));
  const page = { start: from + start, bytes: around.subarray(start, end) };
  return isStripped ? strippedPage(source, page) : redactedPage(source, page);
}

interface PageBytes {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** A control sequence that the next page would begin in the middle of is left to it. */
function strippedPage(source: PageSource, { start, bytes }: PageBytes): Page {
  const text = decode(bytes);
  const cut = start + bytes.length < source.size ? completeEnd(text) : text.length;
  let end = bytes.length;
  // What is cut off begins with an escape, which is one byte whatever the bytes around it are.
  for (let left = text.slice(cut).split(ESCAPE).length - 1; left > 0; left -= 1)
    end = bytes.lastIndexOf(ESCAPE_BYTE, end - 1);
  return { start, next: start + end, text: withoutControls(text.slice(0, cut)) };
}

/** A secret that the page would end in is left to the next one; of one that it begins in nothing is shown. */
async function redactedPage(source: PageSource, { start, bytes }: PageBytes): Promise<Page> {
  const secrets = await secretsAtEdges(source, { start, end: start + bytes.length });
  const isLast = start + bytes.length >= source.size;
  const next = isLast ? start + bytes.length : endBefore(secrets, { start, end: start + bytes.length });
  const parts: string[] = [];
  let done = start;
  for (const secret of secrets) {
    if (secret.end <= start || secret.start >= next) continue;
    parts.push(decode(bytes.subarray(done - start, Math.max(0, secret.start - start))), markOf(secret.what));
    done = Math.min(secret.end, next);
  }
  parts.push(decode(bytes.subarray(done - start, next - start)));
  return { start, next, text: parts.join('') };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Where the character begins that `at` is in; `at` itself where that is none of UTF-8. */
function characterStart(bytes: Uint8Array, at: number): number {
  for (let back = 1; back < MAX_CHAR_BYTES && at < bytes.length; back += 1) {
    if (((bytes[at - back + 1] ?? 0) & 0xc0) !== 0x80) return at;
    const character = bytes.subarray(Math.max(0, at - back), at - back + charBytes(bytes[at - back] ?? 0));
    if (character.length > back && isCharacter(character)) return at - back;
  }
  return at;
}

/** By its first byte; 0 for what is no first one of several. */
function charBytes(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

function isCharacter(bytes: Uint8Array): boolean {
  const text = decode(bytes);
  return !text.includes('\ufffd') || bytes.join() === '239,191,189';
}

async function openPages(file: ResolvedFile, context: ToolContext): Promise<PageSource> {
  const size = await sizeOfFile(file, context);
  if (size > MAX_TEXT_BYTES) return openLargeText(file, size, context);
  const { bytes, text, encoding, hash } = await readTextFile(file, context);
  const utf8 = encoding.name === 'utf8' ? bytes : new TextEncoder().encode(text);
  return { size: utf8.length, hash, read: (start, end) => Promise.resolve(utf8.subarray(start, end)) };
}

/** @throws ToolError for what is not UTF-8, or a kept output */
export async function openLargeText(
  file: ResolvedFile,
  size: number,
  context: ToolContext,
): Promise<PageSource> {
  const read = (start: number, end: number) => context.files.read(file.location, { start, end });
  if (isKept(file, context)) return { size, read };
  const sample = await read(0, SAMPLE_BYTES);
  const decoded = context.codec.decode(
    sample.subarray(0, characterStart(sample, SAMPLE_BYTES - MAX_CHAR_BYTES)),
  );
  if (decoded.kind === 'text' && decoded.encoding.name === 'utf8') return { size, read };
  throw new ToolError(
    'too_large',
    `${file.label} (${size} bytes) is too large to be read, as it is not UTF-8 text. Use run_command to look into it.`,
  );
}
