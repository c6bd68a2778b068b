import type { ResultBlock } from '../model/content.ts';
import type { OffloadedOutput } from '../model/offloaded.ts';
import { boundText } from '../text/bound-text.ts';
import { redactText } from '../text/redact.ts';
import type { OutputWriter } from './output-writer.ts';
import type { PreviewRoom } from './preview.ts';
import { previewOf } from './preview.ts';
import type { Shown } from './read-on.ts';
import { nextByte, nextLine } from './read-on.ts';

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
/** What a tool that streams tells of more than this is not all of it. Bytes. */
const MOST_INLINE = 38_000;
/** So many times what is shown of it is more than colours. */
const MUCH_MORE = 2;

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
  if (result.isPaged || !isLong) return inline(blocks, boundText(text, room), options);
  if (options.writer.bytes === 0) await options.writer.write(new TextEncoder().encode(text.toWellFormed()));
  const output = await options.writer.finish();
  if (output === undefined) return { content: withText(blocks, unkept(text, room, options.writer)) };
  const preview = { ...PREVIEW, chars: Math.min(PREVIEW.chars, room), estimate: options.estimate };
  return { content: withText(blocks, reference(text, preview, { output, writer: options.writer })), output };
}

/** What is printed over and over comes to little: all of it can still be looked at, and the model is told where. */
async function inline(
  blocks: readonly ResultBlock[],
  text: string,
  { writer, threshold }: KeepOptions,
): Promise<KeptResult> {
  const isMore = writer.bytes > MOST_INLINE || writer.bytes > Math.max(threshold, MUCH_MORE * text.length);
  const output = isMore || writer.bytes > threshold ? await writer.finish() : undefined;
  if (output !== undefined) {
    const told = isMore ? `${text}\n\n[More was printed than is shown: ${whereItIs(output)}]` : text;
    return { content: withText(blocks, told), output };
  }
  const told = isMore ? `${text}\n\n${lossOf(writer)}` : text;
  await writer.discard();
  return { content: withText(blocks, told) };
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

function unkept(text: string, room: number, writer: OutputWriter): string {
  const shown = boundText(text, Math.max(LEAST_ROOM, room - NOTE_CHARS));
  const isWhole = shown === text && writer.bytes <= Math.min(MOST_INLINE, MUCH_MORE * text.length);
  return isWhole ? text : `${shown}\n\n${lossOf(writer)}`;
}

/** That what is not shown is gone, and why. */
export function lossOf({ bytes, failure = 'the disk failed' }: OutputWriter): string {
  return `[The whole (${count(bytes)} bytes) could not be kept in a file: ${failure}. What is left out above is lost; call the tool again with a narrower question where it matters.]`;
}

/** The ends of what cannot be kept, in what a preview may take. */
export function endsOf(text: string, estimate: KeepOptions['estimate']): string {
  const { head, tail } = previewOf(text, { ...PREVIEW, estimate });
  if (head.length + tail.length >= text.length) return text;
  return `${head.trimEnd()}\n[… what is between is left out …]\n${tail}`;
}

interface Kept {
  readonly output: OffloadedOutput;
  readonly writer: OutputWriter;
}

/** The beginning, the end, and how to read what is between. */
function reference(text: string, room: PreviewRoom, { output, writer }: Kept): string {
  const { head, tail } = previewOf(text, room);
  const beginning = head.trimEnd();
  // The result is what was printed and what the tool says of it.
  const shown = `Above are the first ${count(beginning.length)} and the last ${count(tail.length)} characters of the result`;
  const stored = writer.beginning;
  const notes = `${shown}; ${whereItIs(output, { head, stored, isLossy: output.lostBytes !== undefined })}`;
  return `${beginning}\n[… what is between is in the file …]\n${tail}\n\n[A long output. ${notes}]`;
}

const NOTHING: Shown = { head: '', isLossy: false };

/** Where an output is and how to read on behind its beginning. */
export function whereItIs(output: OffloadedOutput, shown: Shown = NOTHING): string {
  const what = output.lostBytes === undefined ? 'all of it' : 'what could be kept of it';
  const size = `${count(output.bytes)} bytes, ${count(output.lines)} lines`;
  return `${what} (${size}) is in ${output.path}. ${howToRead(shown, output)}${partsNote(output)}${lossNote(output)}`;
}

/** The exact next call, for lines or, where a line is longer than a page, for bytes. */
function howToRead(shown: Shown, { path, bytes, lines }: OffloadedOutput): string {
  const quoted = JSON.stringify(path);
  const hasLongLines = lines === 0 || bytes / lines > LONG_LINE;
  const next = hasLongLines ? `"byte_offset": ${nextByte(shown)}` : `"offset": ${nextLine(shown)}`;
  return `Read on: read_file {"path": ${quoted}, ${next}}. Search in it: search {"pattern": "…", "path": ${quoted}}.`;
}

/** Bytes of a line on the average; longer ones are better read by bytes. */
const LONG_LINE = 1_000;

function partsNote({ parts, path }: OffloadedOutput): string {
  if (parts.length === 1) return '';
  const last = path.replace(/\.txt$/, `.part${parts.length}.txt`);
  return ` It goes on in ${parts.length - 1} more files, the last of which is ${last}.`;
}

function lossNote({ lostBytes = 0, lostFirstBytes = 0 }: OffloadedOutput): string {
  return lost('first', lostFirstBytes) + lost('last', lostBytes - lostFirstBytes);
}

function lost(which: 'first' | 'last', bytes: number): string {
  return bytes === 0 ? '' : ` The ${which} ${count(bytes)} bytes of it could not be kept, and are lost.`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
