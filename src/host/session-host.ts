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

/** The session of this window: brings back the last one, begins new ones, and keeps other windows from writing it. */
export class SessionHost {
  readonly #options: SessionHostOptions;
  #current: Session | undefined;
  #isBegun = false;

  constructor(options: SessionHostOptions) {
    this.#options = options;
  }

  get current(): Session | undefined {
    return this.#current;
  }

  /** The session this workspace had open last, or a new one. Says what a person should know of how it went. */
  async open(): Promise<{ readonly session: Session; readonly notice?: string }> {
    const last = await this.#options.directory.lastOf(this.#header().workspace);
    if (last === undefined) return { session: await this.#begin() };
    if (!(await this.#takePatiently(last))) {
      return {
        session: await this.#begin(),
        notice: 'The last session is open in another window, so this is a new one.',
      };
    }
    const { transcript, badLines } = await Transcript.open(last, this.#options);
    const session = this.#wire(transcript);
    this.#isBegun = session.entries.length > 0;
    if (this.#isBegun) await session.prepare(this.#header());
    return badLines === 0
      ? { session }
      : {
          session,
          notice: `${badLines} damaged line(s) of the session's log were passed over; they are still in the file.`,
        };
  }

  /** Stops what runs and begins an empty session. Nothing is written before something is said. */
  async newSession(): Promise<Session> {
    await this.#current?.stop();
    return this.#begin();
  }

  /** @throws when the message could not be written; nothing was taken then */
  async send(text: string): Promise<void> {
    const session = this.#current ?? (await this.open()).session;
    if (!this.#isBegun) {
      const header = this.#header();
      await this.#options.directory.take(session.id);
      await session.prepare(header);
      await this.#options.directory.setLast(header.workspace, session.id);
      this.#isBegun = true;
    }
    await session.send(text);
  }

  /** Ends the running turn and lets go of the session. */
  async close(): Promise<void> {
    await this.#current?.stop();
    await this.#options.directory.release();
  }

  async #begin(): Promise<Session> {
    this.#isBegun = false;
    const { transcript } = await Transcript.open(newSessionId(this.#options.clock.now()), this.#options);
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

  async #takePatiently(sessionId: string): Promise<boolean> {
    const { directory, clock } = this.#options;
    const giveUpAt = clock.now().getTime() + LEASE_PATIENCE_MS;
    for (;;) {
      if (await directory.take(sessionId)) return true;
      if (clock.now().getTime() >= giveUpAt) return false;
      await clock.sleep(LEASE_POLL_MS, new AbortController().signal);
    }
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
