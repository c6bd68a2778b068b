import type { OffloadedOutput } from '../model/offloaded.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileLocation, FilePort } from '../ports/files.ts';
import type { OutputSink } from '../ports/output-sink.ts';
import { Redactor } from '../text/redact-stream.ts';
import { wholeLines } from './whole-lines.ts';

/** What an output is called: `part` counts from 1, and is 1 where files can be appended to. */
export interface OutputName {
  readonly location: (part: number) => FileLocation;
  readonly label: string;
}

export interface OutputListener {
  /** bytes over which a file is made of it */
  readonly threshold: number;
  /** hears what is in the file by now, a few times a second; must not throw */
  readonly onKept: (output: OffloadedOutput) => void;
}

export interface OutputWriterOptions extends OutputListener {
  readonly files: FilePort;
  readonly clock: Clock;
  /** asked for once, when the first file is made. Rejects where outputs cannot be kept. */
  readonly name: () => Promise<OutputName>;
}

/** Bytes that wait for the disk at most before whoever produces them has to wait too. */
const MOST_WAITING = 1_000_000;
/** A disk that takes longer for a batch is given up: a command must not hang on it. */
const PATIENCE_MS = 10_000;
/** What is kept is told of so often at most. */
const TELL_EVERY_MS = 200;
/** More than a preview begins with, coloured as it may be. */
const BEGINNING_BYTES = 65_536;
const NEWLINE = 0x0a;

interface Part {
  readonly file: string;
  bytes: number;
  isFull: boolean;
}

/**
 * One output on its way to its files. Nothing is written before it is long; then everything is, redacted, in order, in
 * bounded memory. When the disk fails what is kept is kept, and the rest is counted.
 */
export class OutputWriter implements OutputSink {
  readonly #options: OutputWriterOptions;
  readonly #redactor = new Redactor();
  readonly #parts: Part[] = [];
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** bytes on their way to the disk that are not there yet */
  #underWay = 0;
  #seen = 0;
  #beginning: Uint8Array = new Uint8Array();
  #lost = 0;
  /** of these, what came before what is in the parts */
  #lostFirst = 0;
  #newlines = 0;
  #endsLine = true;
  #name: OutputName | undefined;
  #flushing: Promise<void> | undefined;
  #failure: string | undefined;
  #follower: ((bytes: Uint8Array) => void) | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(options: OutputWriterOptions) {
    this.#options = options;
  }

  /** Bytes that came, before redaction. */
  get bytes(): number {
    return this.#seen;
  }

  /** What the first of its files begins with, up to 64 KB. */
  get beginning(): Uint8Array {
    return this.#beginning;
  }

  /** Why something of it could not be kept. */
  get failure(): string | undefined {
    return this.#failure;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#seen += bytes.length;
    // A copy: whoever reads from a pipe may use the buffer again.
    this.#take(this.#redactor.push(bytes.slice()));
    if (this.#seen > this.#options.threshold) void this.#flush();
    if (this.#waitingBytes > MOST_WAITING) await this.#flush();
  }

  end(): void {
    this.#take(this.#redactor.end());
  }

  follow(follower: (bytes: Uint8Array) => void): void {
    this.#follower = follower;
  }

  /** Everything is written, or given up. @returns undefined where nothing of it could be kept */
  async finish(): Promise<OffloadedOutput | undefined> {
    this.end();
    await this.#flush();
    await this.#flush(); // what came while the first was under way
    if (!(await this.#isThere().catch(() => true))) this.#beginAgain();
    return this.#parts.length === 0 ? undefined : this.#output();
  }

  /** All that came, redacted, as long as none of it is in a file; empty after that. */
  takeShort(): Uint8Array {
    this.end();
    return this.#parts.length > 0 ? new Uint8Array() : joined(this.#waiting, this.#waitingBytes);
  }

  /** It turned out not to be needed. */
  async discard(): Promise<void> {
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.#flushing;
    for (const { file } of this.#parts) await this.#options.files.remove(file).catch(() => undefined);
    this.#parts.length = 0;
  }

  #take(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#follower?.(bytes);
    if (this.#failure !== undefined) {
      this.#lost += bytes.length;
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  /** Never rejects. */
  #flush(): Promise<void> {
    this.#flushing ??= this.#writeWaiting().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waitingBytes > 0 && this.#failure === undefined) {
      const batch = joined(this.#waiting, this.#waitingBytes);
      this.#waiting = [];
      this.#waitingBytes = 0;
      this.#underWay = batch.length;
      try {
        await this.#inTime(this.#append(batch));
      } catch (error) {
        this.#giveUp(error);
      }
    }
  }

  #giveUp(error: unknown): void {
    this.#failure = error instanceof Error ? error.message : String(error);
    this.#lost += this.#underWay + this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  async #append(batch: Uint8Array): Promise<void> {
    const { files } = this.#options;
    for (let rest = batch; rest.length > 0;) {
      const part = await this.#openPart();
      const limit = files.appendLimit(part.file) ?? Number.POSITIVE_INFINITY;
      const piece = rest.subarray(0, wholeLines(rest, limit - part.bytes));
      const failure = await files.append(part.file, piece).then(() => undefined, asError);
      await this.#keep(part, failure === undefined ? piece : await this.#begun(part, piece));
      if (failure !== undefined) throw failure;
      if (this.#failure !== undefined) return;
      part.isFull = piece.length < rest.length || part.bytes >= limit - LEAST_ROOM;
      rest = rest.subarray(piece.length);
    }
    this.#tell();
  }

  /** What a failed append has written: a disk that becomes full takes the beginning. */
  async #begun({ file, bytes }: Part, piece: Uint8Array): Promise<Uint8Array> {
    const stat = await this.#options.files.stat(file).catch(() => undefined);
    const written = (stat?.size ?? 0) - bytes;
    return piece.subarray(0, written > 0 && written <= piece.length ? written : 0);
  }

  /** Only what is on the disk is spoken of. What came too late is counted as lost already; no file is left of it alone. */
  async #keep(part: Part, piece: Uint8Array): Promise<void> {
    const isKept = this.#failure === undefined && piece.length > 0;
    const isNew = !this.#parts.includes(part);
    if (!isKept && isNew) await this.#options.files.remove(part.file).catch(() => undefined);
    if (!isKept) return;
    if (isNew) this.#parts.push(part);
    part.bytes += piece.length;
    this.#underWay -= piece.length;
    this.#count(piece);
  }

  /** @throws Error where a link, or another file, has taken the place */
  async #openPart(): Promise<Part> {
    const { files } = this.#options;
    if (this.#parts.length > 0 && !(await this.#isThere())) this.#beginAgain();
    this.#name ??= await this.#options.name();
    const last = this.#parts.at(-1);
    const isNew = last === undefined || last.isFull;
    const part = isNew
      ? { file: this.#name.location(this.#parts.length + 1), bytes: 0, isFull: false }
      : last;
    if ((await files.realPath(part.file)) !== part.file) throw new Error('a link has taken its place');
    if (isNew && (await files.stat(part.file)) !== undefined) throw new Error('a file of its name is there');
    return part;
  }

  /** Somebody may have removed, cut or written what a command is still adding to. */
  async #isThere(): Promise<boolean> {
    const last = this.#parts.at(-1);
    if (last === undefined) return true;
    const size = (await this.#options.files.stat(last.file))?.size ?? -1;
    // What was given up may have been written all the same, behind what is counted.
    return size === last.bytes || (this.#failure !== undefined && size > last.bytes);
  }

  /** What was kept is gone: it is counted as lost, and what comes goes into another file. */
  #beginAgain(): void {
    this.#lost += this.#output().bytes;
    this.#lostFirst = this.#lost;
    this.#parts.length = 0;
    this.#newlines = 0;
    this.#beginning = new Uint8Array();
    this.#endsLine = true;
    this.#name = undefined;
  }

  #tell(): void {
    const now = this.#options.clock.now().getTime();
    if (now - this.#toldAt < TELL_EVERY_MS) return;
    this.#toldAt = now;
    this.#options.onKept(this.#output());
  }

  #count(piece: Uint8Array): void {
    const room = BEGINNING_BYTES - this.#beginning.length;
    if (room > 0) {
      const more = piece.subarray(0, room);
      this.#beginning = joined([this.#beginning, more], this.#beginning.length + more.length);
    }
    for (const byte of piece) if (byte === NEWLINE) this.#newlines += 1;
    this.#endsLine = piece.at(-1) === NEWLINE;
  }

  #output(): OffloadedOutput {
    return {
      path: this.#name?.label ?? '',
      parts: this.#parts.map(({ file, bytes }) => ({ file, bytes })),
      bytes: this.#parts.reduce((sum, { bytes }) => sum + bytes, 0),
      lines: this.#newlines + (this.#endsLine ? 0 : 1),
      ...(this.#lost > 0 && { lostBytes: this.#lost }),
      ...(this.#lostFirst > 0 && { lostFirstBytes: this.#lostFirst }),
    };
  }

  async #inTime(work: Promise<void>): Promise<void> {
    const enough = new AbortController();
    const patience = this.#options.clock.sleep(PATIENCE_MS, enough.signal).then(
      () => Promise.reject(new Error('the disk does not answer')),
      () => undefined,
    );
    work.catch(() => undefined); // it may fail when nobody waits any more
    try {
      await Promise.race([work, patience]);
    } finally {
      enough.abort();
    }
  }
}

/** A part with less room is full: a line, or a character, would be torn for nothing. */
const LEAST_ROOM = 1_000;
function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
