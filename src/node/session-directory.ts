import { promises as fs } from 'node:fs';
import path from 'node:path';
import { createDiskFiles } from './disk-files.ts';
import { processStart } from './process-start.ts';
import { expectSessionId, isSessionId } from './session-id.ts';
import { workspaceKey } from './workspace-key.ts';

/** More windows than anybody has open on one workspace. */
const MOST_RECENT = 20;

/**
 * Which sessions a workspace had open last, who is writing it, and what else a window that reloads takes up again. Small
 * files beside the logs: the editor's own storage can be lost when a window reloads at once.
 */
export class SessionDirectory {
  readonly #files = createDiskFiles();
  readonly #folder: string;
  readonly #leases: string;
  #held: Claim | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#leases = path.join(folder, 'leases');
  }

  /** The workspace's latest sessions, last used first. @param workspace the roots' locations */
  async recent(workspace: readonly string[]): Promise<readonly string[]> {
    try {
      return (await fs.readFile(this.#pointer(workspace), 'utf8')).split('\n').filter(isSessionId);
    } catch {
      return []; // none yet, or unreadable, or damaged: then a new session begins, and the old logs are still there
    }
  }

  /** Notes that the session was used now. */
  async touch(workspace: readonly string[], sessionId: string): Promise<void> {
    const known = await this.recent(workspace);
    if (known[0] === sessionId) return;
    const lines = [sessionId, ...known.filter((id) => id !== sessionId)].slice(0, MOST_RECENT);
    await this.#files.write(this.#pointer(workspace), Buffer.from(lines.join('\n')));
  }

  /** What was typed in this workspace and not sent; empty where there is nothing. */
  draftOf(workspace: readonly string[]): Promise<string> {
    return this.#noteOf('drafts', workspace);
  }

  setDraft(workspace: readonly string[], text: string): Promise<void> {
    return this.#setNote('drafts', workspace, text);
  }

  /** Which output was open, in the panel's own words; empty for none. */
  openOutputOf(workspace: readonly string[]): Promise<string> {
    return this.#noteOf('open-outputs', workspace);
  }

  setOpenOutput(workspace: readonly string[], text: string): Promise<void> {
    return this.#setNote('open-outputs', workspace, text);
  }

  /**
   * Takes the session for this process; false while another living process has it. Gives up the one held before.
   *
   * A claim is an empty file that is named after its process. Each puts down its own and only then looks for others,
   * so of two that come at once the later sees the earlier: never do both get it, though it may be neither.
   * @throws RangeError for an id that is no plain name
   */
  async take(sessionId: string): Promise<boolean> {
    if (this.#held?.sessionId === sessionId) return true;
    const claim: Claim = { sessionId: expectSessionId(sessionId), pid: process.pid, start: await ownStart() };
    await fs.mkdir(this.#leases, { recursive: true });
    await fs.writeFile(this.#claim(claim), '');
    if (await this.#isClaimedByAnother(claim)) {
      await fs.rm(this.#claim(claim), { force: true });
      return false;
    }
    await this.release();
    this.#held = claim;
    return true;
  }

  async release(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) await fs.rm(this.#claim(held), { force: true });
  }

  async #isClaimedByAnother(own: Claim): Promise<boolean> {
    const claims = (await fs.readdir(this.#leases)).map(parseClaim);
    for (const claim of claims) {
      if (claim?.sessionId !== own.sessionId || claim.pid === own.pid) continue;
      if (await isRunning(claim)) return true;
      await fs.rm(this.#claim(claim), { force: true });
    }
    return false;
  }

  #pointer(workspace: readonly string[]): string {
    return path.join(this.#folder, 'last', workspaceKey(workspace));
  }

  async #noteOf(kind: Note, workspace: readonly string[]): Promise<string> {
    try {
      return await fs.readFile(this.#note(kind, workspace), 'utf8');
    } catch {
      return ''; // none was kept
    }
  }

  async #setNote(kind: Note, workspace: readonly string[], text: string): Promise<void> {
    const file = this.#note(kind, workspace);
    if (text === '') await fs.rm(file, { force: true });
    else await this.#files.write(file, Buffer.from(text));
  }

  #note(kind: Note, workspace: readonly string[]): string {
    return path.join(this.#folder, kind, workspaceKey(workspace));
  }

  #claim(claim: Claim): string {
    return path.join(this.#leases, nameOf(claim));
  }
}

/** Where it is kept. */
type Note = 'drafts' | 'open-outputs';

/** A process that says it writes the session. */
interface Claim {
  readonly sessionId: string;
  readonly pid: number;
  /** pids are used again, after a restart of the machine at the latest: see {@link processStart} */
  readonly start: number;
}

function nameOf({ sessionId, pid, start }: Claim): string {
  return `${sessionId}.${pid}.${start}`;
}

function parseClaim(name: string): Claim | undefined {
  const [, sessionId, pid, start] = /^([^.]+)\.(\d+)\.(\d+)$/.exec(name) ?? [];
  return sessionId === undefined ? undefined : { sessionId, pid: Number(pid), start: Number(start) };
}

async function isRunning({ pid, start }: Claim): Promise<boolean> {
  const now = await processStart(pid);
  return now !== undefined && (now === start || now === 0 || start === 0);
}

async function ownStart(): Promise<number> {
  return (await processStart(process.pid)) ?? 0;
}
