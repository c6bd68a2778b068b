/** When an image is written anew, whichever comes first. */
export interface CheckpointAt {
  readonly lines: number;
  readonly bytes: number;
}

/** What journals hold that is in no image yet. */
export class JournalSize {
  #lines = 0;
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#lines === 0;
  }

  add(lines: readonly string[]): void {
    this.#lines += lines.length;
    for (const line of lines) this.#bytes += Buffer.byteLength(line);
  }

  isDue({ lines, bytes }: CheckpointAt): boolean {
    return this.#lines >= lines || this.#bytes >= bytes;
  }
}
