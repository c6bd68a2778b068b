import type { Entry, EntryId } from '../../model/entry.ts';
import type { OffloadedOutput } from '../../model/offloaded.ts';
import { withoutControls } from '../../text/terminal-text.ts';
import { throwIfAborted } from '../abort.ts';
import type { ToolContext } from '../define-tool.ts';
import type { EntryPart } from './recall-text.ts';

/** A longer file is searched in its first and last bytes. */
const MAX_WHOLE_BYTES = 4_000_000;
const END_BYTES = 1_000_000;
/** Of all files together, the newest first. */
const MAX_BYTES = 24_000_000;
const MAX_DURATION_MS = 5_000;
/** So much is one part: between parts others have their turn. */
const PART_CHARS = 64_000;

/** What the kept outputs of a session say, as parts of the entries that they belong to. */
export interface KeptTexts {
  readonly partsOf: ReadonlyMap<Entry, readonly EntryPart[]>;
  /** how many outputs were searched */
  readonly searched: number;
  /** outputs that were not searched, or not in their middle */
  readonly left: readonly EntryId[];
}

export const NO_KEPT_TEXTS: KeptTexts = { partsOf: new Map(), searched: 0, left: [] };

/** Reads what is still there, in bounded time and memory. @throws AbortedError */
export async function readKeptTexts(entries: readonly Entry[], context: ToolContext): Promise<KeptTexts> {
  const giveUpAt = context.clock.now().getTime() + MAX_DURATION_MS;
  const partsOf = new Map<Entry, readonly EntryPart[]>();
  const left: EntryId[] = [];
  let room = MAX_BYTES;
  for (const entry of entries.toReversed()) {
    const output = entry.kind === 'tool_result' ? entry.details?.output : undefined;
    if (output === undefined) continue;
    throwIfAborted(context.signal);
    const needed = Math.min(output.bytes, MAX_WHOLE_BYTES);
    if (needed > room || context.clock.now().getTime() > giveUpAt) {
      left.push(entry.id);
      continue;
    }
    room -= needed;
    const { parts, isWhole } = await readOutput(output, context);
    if (parts.length > 0) partsOf.set(entry, parts);
    if (!isWhole) left.push(entry.id);
  }
  return { partsOf, searched: partsOf.size, left };
}

interface OutputText {
  readonly parts: readonly EntryPart[];
  readonly isWhole: boolean;
}

async function readOutput(output: OffloadedOutput, context: ToolContext): Promise<OutputText> {
  const parts: EntryPart[] = [];
  let room = MAX_WHOLE_BYTES;
  for (const [index, { file, bytes }] of output.parts.entries()) {
    if (output.parts.length > 1 && bytes > room) return { parts, isWhole: false };
    room -= bytes;
    const path = index === 0 ? output.path : output.path.replace(/\.txt$/, `.part${index + 1}.txt`);
    // What is no longer there, or cannot be read, says nothing.
    const read = await readFile({ file, path, lines: output.lines }, context).catch(() => undefined);
    if (read?.isWhole === false) return read;
    parts.push(...(read?.parts ?? []));
  }
  return { parts, isWhole: true };
}

interface KeptFile {
  readonly file: string;
  readonly path: string;
  /** of the output */
  readonly lines: number;
}

async function readFile({ file, path, lines }: KeptFile, { files }: ToolContext): Promise<OutputText> {
  const stat = await files.stat(file);
  if (stat?.kind !== 'file') return { parts: [], isWhole: true };
  const { size } = stat;
  if (size <= MAX_WHOLE_BYTES)
    return { parts: partsOfText(textOf(await files.read(file)), path, 1), isWhole: true };
  const head = textOf(await files.read(file, { start: 0, end: END_BYTES }));
  const end = textOf(await files.read(file, { start: size - END_BYTES, end: size }));
  const tail = end.slice(end.indexOf('\n') + 1);
  const firstOfTail = Math.max(1, lines - linesIn(tail) + 1);
  return { parts: [...partsOfText(head, path, 1), ...partsOfText(tail, path, firstOfTail)], isWhole: false };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Lines that end, and a last one that does not. */
function linesIn(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** Cut at line ends where there are any. */
function partsOfText(text: string, path: string, firstLine: number): readonly EntryPart[] {
  const parts: EntryPart[] = [];
  let line = firstLine;
  for (let start = 0; start < text.length;) {
    const newline = text.lastIndexOf('\n', start + PART_CHARS);
    const isLast = text.length - start <= PART_CHARS;
    const end = isLast ? text.length : newline > start ? newline + 1 : start + PART_CHARS;
    const piece = text.slice(start, end);
    parts.push({ label: 'output', text: withoutControls(piece), file: { path, line } });
    line += piece.split('\n').length - 1;
    start = end;
  }
  return parts;
}
