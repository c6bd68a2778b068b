import { ToolError } from '../model/errors.ts';
import { throwIfAborted } from './abort.ts';
import type { ResolvedFile, ToolContext } from './define-tool.ts';
import { keyEndAt } from './key-across.ts';
import type { ByteSource } from './secrets-across.ts';
import type { LineRange, PageLine } from './line-page.ts';
import { openLargeText } from './read-bytes.ts';

/** Read at once; the file as a whole is never held. */
const CHUNK_BYTES = 4_000_000;
/** Of a longer line only so much is held. */
const MAX_LINE_BYTES = 16_000;
const MAX_DURATION_MS = 20_000;
/** What counting the lines behind the page may take. */
const MAX_COUNTING_MS = 2_000;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

export interface LargeLines {
  readonly lines: readonly PageLine[];
  /** byte at which the private key ends that the first of them is in; absent where it is in none */
  readonly keyEnd?: number;
  /** lines of the file; undefined where counting them would take too long */
  readonly total?: number;
}

/**
 * Some lines of a file in UTF-8 that is too large to be held. Lines end in `\n` or `\r\n`.
 * @throws ToolError, AbortedError
 */
export async function readLargeLines(
  file: ResolvedFile,
  { size, range }: { readonly size: number; readonly range: LineRange },
  context: ToolContext,
): Promise<LargeLines> {
  const source = await openLargeText(file, size, context);
  const begun = context.clock.now().getTime();
  const scan = new LineScan(range);
  for (let at = 0; at < size; at += CHUNK_BYTES) {
    throwIfAborted(context.signal);
    const spent = context.clock.now().getTime() - begun;
    if (scan.isFull && spent > MAX_COUNTING_MS) return { lines: scan.lines, ...(await keyOf(scan, source)) };
    if (spent > MAX_DURATION_MS) throw tooSlow(file, range);
    scan.add(await source.read(at, Math.min(size, at + CHUNK_BYTES)));
  }
  scan.end();
  return { lines: scan.lines, total: scan.ended, ...(await keyOf(scan, source)) };
}

async function keyOf({ lines }: LineScan, source: ByteSource): Promise<Pick<LargeLines, 'keyEnd'>> {
  const keyEnd = await keyEndAt(source, lines[0]?.byteAt(0) ?? 0);
  return keyEnd === undefined ? {} : { keyEnd };
}

function tooSlow(file: ResolvedFile, { offset }: LineRange): ToolError {
  return new ToolError(
    'too_large',
    `${file.label} is so large that line ${offset} was not reached in time. Use search to find the place, or byte_offset.`,
  );
}

/** Finds the lines of a range in a stream of bytes, and counts the rest. */
class LineScan {
  readonly lines: PageLine[] = [];
  /** lines that are behind us */
  ended = 0;
  isFull = false;
  readonly #range: LineRange;
  #position = 0;
  #room: number;
  #line = emptyLine(0);

  constructor(range: LineRange) {
    this.#range = range;
    this.#room = range.maxChars;
  }

  add(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.#take(bytes.subarray(start, end));
      this.#endLine(this.#position + end + 1);
      start = end + 1;
    }
    this.#take(bytes.subarray(start));
    this.#position += bytes.length;
  }

  end(): void {
    if (this.#line.bytes > 0) this.#endLine(this.#position);
  }

  #isWanted(): boolean {
    return !this.isFull && this.ended + 1 >= this.#range.offset;
  }

  #take(piece: Uint8Array): void {
    const held = Math.min(this.#line.bytes, MAX_LINE_BYTES);
    this.#line.bytes += piece.length;
    if (piece.length === 0 || held >= MAX_LINE_BYTES || !this.#isWanted()) return;
    this.#line.pieces.push(piece.slice(0, MAX_LINE_BYTES - held));
  }

  #endLine(next: number): void {
    if (this.#isWanted()) {
      const line = pageLine(this.#line);
      this.lines.push(line);
      this.#room -= line.text.length;
      this.isFull = this.lines.length >= this.#range.limit || this.#room < 0;
    }
    this.ended += 1;
    this.#line = emptyLine(next);
  }
}

interface OpenLine {
  /** where it begins in the file */
  readonly start: number;
  /** how long it is by now */
  bytes: number;
  /** its beginning */
  readonly pieces: Uint8Array[];
}

function emptyLine(start: number): OpenLine {
  return { start, bytes: 0, pieces: [] };
}

function pageLine({ start, bytes, pieces }: OpenLine): PageLine {
  const isWhole = bytes <= MAX_LINE_BYTES;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: start > 0 });
  let text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('');
  // Of a line that is cut a last character may be incomplete: what is not shown is read by bytes.
  if (isWhole) text += decoder.decode();
  if (isWhole && text.endsWith(String.fromCharCode(RETURN))) text = text.slice(0, -1);
  return {
    ...{ text, isWhole, length: `${bytes} bytes` },
    byteAt: (character) => start + new TextEncoder().encode(text.slice(0, character)).length,
  };
}
