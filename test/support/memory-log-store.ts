import type { LogStore } from '../../src/core/ports/log-store.ts';

/** Logs in memory, for tests of what is above the disk. */
export class MemoryLogStore implements LogStore {
  readonly #logs = new Map<string, string[]>();
  /** thrown by the next append instead of writing */
  failNext: Error | undefined;

  /** The lines themselves, to be damaged. */
  lines(sessionId: string): string[] {
    const known = this.#logs.get(sessionId) ?? [];
    this.#logs.set(sessionId, known);
    return known;
  }

  read(sessionId: string): Promise<readonly string[]> {
    return Promise.resolve([...this.lines(sessionId)]);
  }

  async append(sessionId: string, line: string): Promise<void> {
    await Promise.resolve(); // a disk does not answer at once
    const failure = this.failNext;
    this.failNext = undefined;
    if (failure) throw failure;
    this.lines(sessionId).push(line);
  }
}
