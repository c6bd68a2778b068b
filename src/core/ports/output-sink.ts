/** Takes a tool's output as it comes: any number of bytes, in bounded memory. */
export interface OutputSink {
  /**
   * Resolves when more may come: whoever produces the bytes waits for it. Never rejects: where they cannot be kept, they
   * are counted.
   */
  write(bytes: Uint8Array): Promise<void>;
}
