import type { ResultBlock } from '../model/content.ts';
import type { OffloadedOutput } from '../model/offloaded.ts';
import { boundText } from '../text/bound-text.ts';
import { redactText } from '../text/redact.ts';
import type { OutputWriter } from './output-writer.ts';
import type { PreviewRoom } from './preview.ts';
import { previewOf } from './preview.ts';

/** A result as the tool gave it. */
export interface RawResult {
  readonly content: string | readonly ResultBlock[];
  /** the tool gives pages: the rest is a call away, and no file is made */
  readonly isPaged: boolean;
}

export interface KeepOptions {
  /** characters over which a result is kept in a file */
  readonly threshold: number;
  /** characters that the step has left for this result */
  readonly room: number;
  /** holds what the tool has streamed; else the result's own text goes there */
  readonly writer: OutputWriter;
  /** tokens of a text */
  readonly estimate: (text: string) => number;
}

/** A result as it enters the log. */
export interface KeptResult {
  readonly content: readonly ResultBlock[];
  /** where the whole is; absent where `content` is the whole, or the disk failed */
  readonly output?: OffloadedOutput;
}

/** What the ends of an output take of the window: estimated, so with room for the estimate to be wrong by half. */
const PREVIEW = { chars: 4_000, tokens: 800 } as const;
/** Less than this is no result any more. Characters. */
const LEAST_ROOM = 500;
const NOTE_CHARS = 700;

/**
 * The one choke point behind every tool and every shape of result: redacted, then kept in a file where it is long, with
 * its beginning, its end and the way to the rest in its place. Never rejects: where the file cannot be written, a bounded
 * part of the result says so and the work goes on.
 */
export async function keepOutput(result: RawResult, options: KeepOptions): Promise<KeptResult> {
  const blocks = redacted(result.content);
  const text = textOf(blocks);
  const room = Math.max(LEAST_ROOM, options.room);
  const isLong = text.length > options.threshold || text.length > room;
  if (result.isPaged || !isLong) {
    await options.writer.discard();
    return { content: withText(blocks, boundText(text, room)) };
  }
  if (options.writer.bytes === 0) await options.writer.write(new TextEncoder().encode(text.toWellFormed()));
  const output = await options.writer.finish();
  if (output === undefined) return { content: withText(blocks, unkept(text, room, options.writer.failure)) };
  const preview = { ...PREVIEW, chars: Math.min(PREVIEW.chars, room), estimate: options.estimate };
  return { content: withText(blocks, reference(text, preview, output)), output };
}

function redacted(content: RawResult['content']): readonly ResultBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: redactText(content) }];
  return content.map((block) =>
    block.type === 'text' ? { type: 'text', text: redactText(block.text) } : block,
  );
}

function textOf(blocks: readonly ResultBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** One text for all, where there were several, in the place of the first; images stay as they are. */
function withText(blocks: readonly ResultBlock[], text: string): readonly ResultBlock[] {
  const images = blocks.filter((block) => block.type !== 'text');
  return text === '' && images.length > 0 ? images : [{ type: 'text', text }, ...images];
}

function unkept(text: string, room: number, reason = 'the disk failed'): string {
  const shown = boundText(text, Math.max(LEAST_ROOM, room - NOTE_CHARS));
  if (shown === text) return text;
  return `${shown}\n\n[The whole (${count(text.length)} characters) could not be kept in a file: ${reason}. What is left out above is lost; call the tool again with a narrower question where it matters.]`;
}

/** The beginning, the end, and how to read what is between. */
function reference(text: string, room: PreviewRoom, output: OffloadedOutput): string {
  const { head, tail } = previewOf(text, room);
  const shown = `Above are its first ${count(head.length)} and its last ${count(tail.length)} characters`;
  const whole = `all of it (${count(output.bytes)} bytes, ${count(output.lines)} lines) is in ${output.path}`;
  const notes = `${shown}; ${whole}. ${howToRead(head, output)}${partsNote(output)}${lossNote(output)}`;
  return `${head.trimEnd()}\n[… what is between is in the file …]\n${tail}\n\n[A long output. ${notes}]`;
}

/** The exact next call, for lines or, where a line is longer than a page, for bytes. */
function howToRead(head: string, { path, bytes, lines }: OffloadedOutput): string {
  const quoted = JSON.stringify(path);
  const hasLongLines = lines === 0 || bytes / lines > LONG_LINE;
  const next = hasLongLines
    ? `"byte_offset": ${new TextEncoder().encode(head).length}`
    : `"offset": ${head.split('\n').length}`;
  return `Read on: read_file {"path": ${quoted}, ${next}}. Search in it: search {"pattern": "…", "path": ${quoted}}.`;
}

/** Bytes of a line on the average; longer ones are better read by bytes. */
const LONG_LINE = 1_000;

function partsNote({ parts, path }: OffloadedOutput): string {
  if (parts.length === 1) return '';
  const last = path.replace(/\.txt$/, `.part${parts.length}.txt`);
  return ` It goes on in ${parts.length - 1} more files, the last of which is ${last}.`;
}

function lossNote({ lostBytes = 0 }: OffloadedOutput): string {
  return lostBytes === 0 ? '' : ` The disk failed before the end: ${count(lostBytes)} bytes are lost.`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
