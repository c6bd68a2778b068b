import type { Entry, EntryDraft, EntryId } from '../model/entry.ts';
import type { Clock } from '../ports/clock.ts';
import type { LogStore } from '../ports/log-store.ts';
import { readLog } from './read-log.ts';

export interface TranscriptOptions {
  readonly store: LogStore;
  readonly clock: Clock;
}

/**
 * A session's log: what is in `entries` is on disk. Entries are only ever added, one after the other.
 */
export class Transcript {
  readonly #options: TranscriptOptions;
  readonly #entries: Entry[];
  #tail: Promise<unknown> = Promise.resolve();
  #nextNumber: number;

  private constructor(
    readonly sessionId: string,
    entries: readonly Entry[],
    options: TranscriptOptions,
  ) {
    this.#entries = [...entries];
    this.#options = options;
    this.#nextNumber = 1 + entries.reduce((max, { id }) => Math.max(max, Number(id.slice(1))), 0);
  }

  /** Reads the log as it stands; an unknown session is empty. Bad lines are counted, and stay where they are. */
  static async open(
    sessionId: string,
    options: TranscriptOptions,
  ): Promise<{ transcript: Transcript; badLines: number }> {
    const { entries, badLines } = readLog(await options.store.read(sessionId));
    return { transcript: new Transcript(sessionId, entries, options), badLines };
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /**
   * Numbers, dates and writes the entry; resolves once it is on the disk.
   * @throws the store's error; the entry is then not part of the transcript, and its number is not used again
   */
  append(draft: EntryDraft): Promise<Entry> {
    const written = this.#tail.then(() => this.#write(draft));
    this.#tail = written.catch(() => undefined); // the caller has the error; the next append is not its business
    return written;
  }

  async #write(draft: EntryDraft): Promise<Entry> {
    const id: EntryId = `e${this.#nextNumber}`;
    this.#nextNumber += 1;
    const entry = { id, at: this.#options.clock.now().toISOString(), ...draft } as Entry;
    await this.#options.store.append(this.sessionId, JSON.stringify(entry));
    this.#entries.push(entry);
    return entry;
  }
}
