import { randomBytes } from 'node:crypto';
import { Session } from '../core/agent/session.ts';
import type { SessionDeps, SessionHeader } from '../core/agent/session.ts';
import type { AgentEvent } from '../core/model/event.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { WorkspacePort } from '../core/ports/files.ts';
import type { LogStore } from '../core/ports/log-store.ts';
import { Transcript } from '../core/sessions/transcript.ts';
import type { SessionDirectory } from '../node/session-directory.ts';

/** A window that is closing lets go of its session within moments; longer than this nobody waits for a panel. */
const LEASE_PATIENCE_MS = 3_000;
const LEASE_POLL_MS = 200;

export interface SessionHostOptions {
  readonly deps: SessionDeps;
  readonly store: LogStore;
  readonly clock: Clock;
  readonly directory: SessionDirectory;
  readonly workspace: WorkspacePort;
  readonly product: string;
  readonly onEvent: (event: AgentEvent) => void;
}

/** A session, and what a person should know of how it was opened. */
export interface OpenedSession {
  readonly session: Session;
  readonly notice?: string;
}

/** The session of this window: brings back the last one, begins new ones, and keeps other windows from writing it. */
export class SessionHost {
  readonly #options: SessionHostOptions;
  #current: Session | undefined;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: SessionHostOptions) {
    this.#options = options;
  }

  get current(): Session | undefined {
    return this.#current;
  }

  /** The session this workspace had open last, or a new one. Says what a person should know of how it went. */
  open(): Promise<OpenedSession> {
    return this.#inOrder(() => this.#open());
  }

  /** Stops what runs and begins an empty session, which is also what a reload brings back. */
  newSession(): Promise<Session> {
    void this.#current?.stop(); // at once: what is in front of this may be waiting for the turn to end
    return this.#inOrder(async () => {
      await this.#current?.stop();
      const session = await this.#begin();
      await this.#touch(session);
      return session;
    });
  }

  /** @throws when the message could not be written; nothing was taken then */
  send(text: string): Promise<void> {
    return this.#inOrder(async () => (await this.#begun()).send(text));
  }

  /** Goes on where the session stopped; nothing happens where nothing was said yet. */
  goOn(): Promise<void> {
    return this.#inOrder(async () => this.#current?.goOn());
  }

  /**
   * Makes the current conversation smaller. Outside of the order: what is said meanwhile must not wait for it.
   * @throws when there is nothing to be made smaller
   */
  async compact(focus?: string): Promise<void> {
    const session = await this.#inOrder(() => Promise.resolve(this.#current));
    if (session === undefined || session.entries.length === 0)
      throw new Error('There is nothing to compact yet.');
    await session.compact(focus);
  }

  /** Stops the turn that runs, or a relief that runs between turns. */
  async stop(): Promise<void> {
    if (this.#current?.isRunning === true) await this.#current.stop();
    else this.#current?.cancelRelief();
  }

  /** Ends the running turn and lets go of the session. */
  async close(): Promise<void> {
    await this.#current?.stop();
    await this.#inOrder(() => this.#options.directory.release());
  }

  /** One after the other: what is said is said to the session that is current when its turn comes. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => undefined); // the caller has the error
    return done;
  }

  async #open(): Promise<OpenedSession> {
    const recent = await this.#options.directory.recent(this.#header().workspace);
    if (recent.length === 0) return { session: await this.#begin() };
    const last = await this.#takeFirstFree(recent);
    if (last === undefined) {
      const notice = 'The last session is open in another window, so this is a new one.';
      return { session: await this.#begin(), notice };
    }
    const opened = await this.#read(last);
    if (opened instanceof Error) {
      const notice = `The last session could not be read, so this is a new one; its log stays where it is. ${opened.message}`;
      return { session: await this.#begin(), notice };
    }
    const { transcript, badLines } = opened;
    const session = this.#wire(transcript);
    if (session.entries.length > 0) await session.prepare(this.#header());
    const notice = `${badLines} damaged line(s) of the session's log were passed over; they are still in the file.`;
    return badLines === 0 ? { session } : { session, notice };
  }

  /** A log that cannot be read must not lock anybody out: the error is a value. */
  async #read(sessionId: string): Promise<Awaited<ReturnType<typeof Transcript.open>> | Error> {
    try {
      return await Transcript.open(sessionId, this.#options);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** The current session, with its first line written: nothing is written before something is said. */
  async #begun(): Promise<Session> {
    const session = this.#current ?? (await this.#open()).session;
    await this.#touch(session);
    if (session.entries.length > 0) return session;
    await this.#options.directory.take(session.id);
    await session.prepare(this.#header());
    return session;
  }

  /** At worst a reload brings back another session: no reason to refuse what is being said. */
  async #touch(session: Session): Promise<void> {
    await this.#options.directory.touch(this.#header().workspace, session.id).catch(() => undefined);
  }

  async #begin(): Promise<Session> {
    const id = newSessionId(this.#options.clock.now());
    const { transcript } = await Transcript.open(id, this.#options);
    return this.#wire(transcript);
  }

  #wire(transcript: Transcript): Session {
    const onEvent = (event: AgentEvent) => {
      // A session that was left may still say its last words; they are in its log, and not this panel's business.
      if (this.#current === session) this.#options.onEvent(event);
    };
    const session: Session = new Session(transcript, { deps: this.#options.deps, onEvent });
    this.#current = session;
    return session;
  }

  /**
   * The session used last that no other window has. The very last is waited for: who has it may be this window's former
   * self, about to end.
   */
  async #takeFirstFree([last, ...others]: readonly string[]): Promise<string | undefined> {
    const { directory, clock } = this.#options;
    const giveUpAt = clock.now().getTime() + LEASE_PATIENCE_MS;
    while (last !== undefined && clock.now().getTime() < giveUpAt) {
      if (await directory.take(last)) return last;
      await clock.sleep(LEASE_POLL_MS, new AbortController().signal);
    }
    for (const id of others) if (await directory.take(id)) return id;
    return undefined;
  }

  #header(): SessionHeader {
    return {
      workspace: this.#options.workspace.roots().map(({ location }) => location),
      product: this.#options.product,
    };
  }
}

/** Sorts by time and is a safe file name: `20260301-141530-a1b2c3d4`. */
function newSessionId(now: Date): string {
  const [day = '', time = ''] = now.toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${randomBytes(4).toString('hex')}`;
}
