import type { OffloadedOutput } from '../model/offloaded.ts';
import type { FileLocation, FilePort } from '../ports/files.ts';

/** The bytes of an output, in whatever files they are. */
export interface OutputBytes {
  readonly size: number;
  /** Bytes `[start, end)`, cut at `size`. @throws the system's error, or where the files have become shorter */
  read(start: number, end: number): Promise<Uint8Array>;
}

export type OpenedOutput =
  | {
      readonly kind: 'opened';
      readonly bytes: OutputBytes;
      /** sizes and times of its files: another where one of them was written since */
      readonly stamp: string;
    }
  /** in words for people */
  | { readonly kind: 'missing'; readonly reason: string };

interface Part {
  readonly file: FileLocation;
  /** where it begins in the output */
  readonly start: number;
  readonly end: number;
  readonly stamp: string;
}

/** What is there of an output now: of a file that is shorter than it was said to be, as much as it has. Never rejects. */
export async function openOutput(output: OffloadedOutput, files: FilePort): Promise<OpenedOutput> {
  try {
    // Where it leads to is another file, and its text was never redacted.
    if (!(await areTheirOwn(output, files)))
      return {
        kind: 'missing',
        reason: `${output.path} is no longer the output: a link has taken its place.`,
      };
    const parts = await partsThere(output, files);
    if (parts === undefined)
      return {
        kind: 'missing',
        reason: `${output.path} is no longer there: it was removed, by hand or to make room for newer outputs.`,
      };
    const stamp = parts.map((part) => part.stamp).join(' ');
    return { kind: 'opened', bytes: joined(parts, files), stamp };
  } catch (error) {
    return unreadable(output, error);
  }
}

export function unreadable(output: OffloadedOutput, error: unknown): OpenedOutput & { kind: 'missing' } {
  const why = error instanceof Error ? error.message : String(error);
  return { kind: 'missing', reason: `${output.path} cannot be read: ${why}` };
}

/** No link is on the way to any of its files: none was when they were written. */
async function areTheirOwn({ parts }: OffloadedOutput, files: FilePort): Promise<boolean> {
  const real = await Promise.all(parts.map(({ file }) => files.realPath(file)));
  return parts.every(({ file }, index) => real[index] === file);
}

/** Up to the first that is gone; undefined where this is the very first. */
async function partsThere(output: OffloadedOutput, files: FilePort): Promise<readonly Part[] | undefined> {
  const stats = await Promise.all(output.parts.map(({ file }) => files.stat(file)));
  if (stats[0]?.kind !== 'file') return undefined;
  const parts: Part[] = [];
  let start = 0;
  for (const [index, { file, bytes }] of output.parts.entries()) {
    const stat = stats[index];
    if (stat?.kind !== 'file') break;
    const isOpen = output.isUnfinished === true && index === output.parts.length - 1;
    const end = start + (isOpen ? stat.size : Math.min(bytes, stat.size));
    parts.push({ file, start, end, stamp: `${stat.size}@${stat.modifiedMs}` });
    start = end;
  }
  return parts;
}

function joined(parts: readonly Part[], files: FilePort): OutputBytes {
  const size = parts.at(-1)?.end ?? 0;
  return {
    size,
    async read(start, end) {
      const wanted = { start, end: Math.min(end, size) };
      const pieces: Uint8Array[] = [];
      for (const part of parts)
        if (part.start < wanted.end && part.end > wanted.start)
          pieces.push(await readPart(part, wanted, files));
      return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : concatenated(pieces);
    },
  };
}

async function readPart(
  part: Part,
  wanted: { readonly start: number; readonly end: number },
  files: FilePort,
): Promise<Uint8Array> {
  const start = Math.max(wanted.start, part.start) - part.start;
  const end = Math.min(wanted.end, part.end) - part.start;
  const bytes = await files.read(part.file, { start, end });
  if (bytes.length < end - start) throw new Error('it has become shorter while it was read');
  return bytes;
}

/** For reading from the beginning to the end: the file is asked for more at a time. */
export function readAhead(source: OutputBytes, ahead: number): OutputBytes {
  let from = 0;
  let window: Uint8Array = new Uint8Array();
  return {
    size: source.size,
    async read(start, end) {
      if (start < from || Math.min(end, source.size) > from + window.length) {
        window = await source.read(start, Math.max(end, start + ahead));
        from = start;
      }
      return window.subarray(start - from, end - from);
    },
  };
}

function concatenated(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
