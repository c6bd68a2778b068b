/** Keeps the first and the last bytes of a stream of any length in bounded memory. */
export class OutputKeeper {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  #head: Buffer[] = [];
  #headLength = 0;
  #tail: Buffer[] = [];
  #tailLength = 0;
  #total = 0;

  constructor(keepBytes: number) {
    this.#headBytes = Math.ceil(keepBytes / 2);
    this.#tailBytes = Math.floor(keepBytes / 2);
  }

  /** Bytes in memory now, of however many came: the two kept parts, and a few tails' worth of what is not trimmed yet. */
  get heldBytes(): number {
    return [...this.#head, ...this.#tail].reduce((sum, part) => sum + part.length, 0);
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    const forHead = chunk.subarray(0, this.#headBytes - this.#headLength);
    if (forHead.length > 0) {
      this.#head.push(forHead);
      this.#headLength += forHead.length;
    }
    const forTail = chunk.subarray(forHead.length);
    if (forTail.length === 0) return;
    this.#tail.push(forTail);
    this.#tailLength += forTail.length;
    if (this.#tailLength > 4 * this.#tailBytes + (1 << 20)) this.#trimTail();
  }

  /** What was kept, decoded as UTF-8; with nothing dropped it is all in `head`. */
  finish(): { head: string; tail: string; totalBytes: number; droppedBytes: number } {
    this.#trimTail();
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    const droppedBytes = this.#total - head.length - tail.length;
    if (droppedBytes === 0)
      return { head: decode(Buffer.concat([head, tail])), tail: '', totalBytes: this.#total, droppedBytes };
    const headEnd = lastCharacterEnd(head);
    const tailStart = firstCharacterStart(tail);
    return {
      head: decode(head.subarray(0, headEnd)),
      tail: decode(tail.subarray(tailStart)),
      totalBytes: this.#total,
      droppedBytes: droppedBytes + (head.length - headEnd) + tailStart,
    };
  }

  #trimTail(): void {
    const tail = Buffer.concat(this.#tail);
    // A copy, so that a small tail does not hold the memory of large chunks.
    const kept = Buffer.from(tail.subarray(Math.max(0, tail.length - this.#tailBytes)));
    this.#tail = [kept];
    this.#tailLength = kept.length;
  }
}

function decode(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function firstCharacterStart(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return start;
}

/** End of the last character that is whole. */
function lastCharacterEnd(bytes: Buffer): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start >= 0 && start + length > bytes.length ? start : bytes.length;
}
