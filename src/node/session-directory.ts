import { promises as fs } from 'node:fs';
import path from 'node:path';
import { createDiskFiles } from './disk-files.ts';
import { sha256 } from './hash.ts';

/**
 * Which session a workspace had open last, who is writing it, and what was typed and not sent. Small files beside the logs: the editor's own
 * storage can be lost when a window reloads at once.
 */
export class SessionDirectory {
  readonly #files = createDiskFiles();
  readonly #folder: string;
  #held: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The session to bring back, or undefined. @param workspace the roots' locations */
  async lastOf(workspace: readonly string[]): Promise<string | undefined> {
    try {
      const id = (await fs.readFile(this.#pointer(workspace), 'utf8')).trim();
      return id === '' ? undefined : id;
    } catch {
      return undefined; // none yet, or unreadable: then a new session begins, and the old logs are still there
    }
  }

  async setLast(workspace: readonly string[], sessionId: string): Promise<void> {
    await this.#files.write(this.#pointer(workspace), Buffer.from(sessionId));
  }

  /** What was typed in this workspace and not sent; empty where there is nothing. */
  async draftOf(workspace: readonly string[]): Promise<string> {
    try {
      return await fs.readFile(this.#draft(workspace), 'utf8');
    } catch {
      return ''; // none was kept
    }
  }

  async setDraft(workspace: readonly string[], text: string): Promise<void> {
    if (text === '') await fs.rm(this.#draft(workspace), { force: true });
    else await this.#files.write(this.#draft(workspace), Buffer.from(text));
  }

  /** Takes the session for this process; false while another living process has it. Gives up the one held before. */
  async take(sessionId: string): Promise<boolean> {
    if (this.#held === sessionId) return true;
    const lease = this.#lease(sessionId);
    const owner = await ownerOf(lease);
    if (owner !== undefined && owner !== process.pid && isAlive(owner)) return false;
    await this.release();
    await this.#files.write(lease, Buffer.from(String(process.pid)));
    this.#held = sessionId;
    return true;
  }

  async release(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) await fs.rm(this.#lease(held), { force: true });
  }

  #pointer(workspace: readonly string[]): string {
    return path.join(this.#folder, 'last', keyOf(workspace));
  }

  #draft(workspace: readonly string[]): string {
    return path.join(this.#folder, 'drafts', keyOf(workspace));
  }

  #lease(sessionId: string): string {
    return path.join(this.#folder, 'leases', sessionId);
  }
}

/** The same folders in any order are the same workspace. */
function keyOf(workspace: readonly string[]): string {
  return sha256([...workspace].sort().join('\n')).slice(0, 32);
}

async function ownerOf(lease: string): Promise<number | undefined> {
  try {
    const pid = Number(await fs.readFile(lease, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined; // nobody has it
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
