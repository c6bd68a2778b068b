/** Takes a tool's output as it comes: any number of bytes, in bounded memory. */
export interface OutputSink {
  /**
   * Resolves when more may come: whoever produces the bytes waits for it. Never rejects: where they cannot be kept, they
   * are counted.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Nothing more comes: what was held back to look at goes on. */
  end(): void;
  /** Hears from now on what is kept: the same bytes in order, without known secrets, and late by what is held back. */
  follow(follower: (bytes: Uint8Array) => void): void;
}
