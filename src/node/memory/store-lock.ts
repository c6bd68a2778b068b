import fs, { promises as disk } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';

/** A lock that was not renewed for so long is nobody's any more: its holder was killed, or hangs. */
const STALE_MS = 4_000;
const RENEW_MS = 1_000;
const FIRST_WAIT_MS = 4;
const LONGEST_WAIT_MS = 60;
/** Two that find a lock stale at once may both take it; the second has done so after so many milliseconds. */
const SETTLE_MS = 60;

/** A lock that is held by this process, as far as it knows. */
export interface HeldLock {
  /** False once others may have taken it: it could not be renewed in time. */
  isHeld(): boolean;
  release(): Promise<void>;
}

/**
 * Takes the lock of a folder, which all processes see; one that was left behind is taken over within seconds. It costs
 * about as much as a flushed line, so that single lines are written without it.
 * @throws an error with the code ELOCKED when others hold it for longer than `patienceMs`, or the system's own
 */
export async function takeLock(folder: string, patienceMs: number): Promise<HeldLock> {
  const begun = performance.now();
  let wait = FIRST_WAIT_MS;
  for (;;) {
    const held = await tryLock(folder);
    const waited = performance.now() - begun;
    if (held !== undefined && (waited < STALE_MS / 2 || (await isStillOurs(folder, held)))) return held;
    if (waited > patienceMs)
      throw Object.assign(new Error(`Another window is busy with the project memory in ${folder}.`), {
        code: 'ELOCKED',
      });
    await sleep(wait * (0.5 + Math.random()));
    wait = Math.min(wait * 1.5, LONGEST_WAIT_MS);
  }
}

function pathOf(folder: string): string {
  return path.join(folder, 'memory.lock');
}

async function tryLock(folder: string): Promise<OwnLock | undefined> {
  const watched = new WatchedFiles();
  try {
    const release = await lock(folder, {
      lockfilePath: pathOf(folder),
      stale: STALE_MS,
      update: RENEW_MS,
      fs: watched.files,
      onCompromised: () => (watched.isLost = true),
    });
    // One that was lost is another's: the library says so by an error, and nothing is to be done.
    return { isHeld: () => watched.isFresh(), release: () => release().catch(() => undefined), watched };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOCKED') return undefined;
    throw error;
  }
}

interface OwnLock extends HeldLock {
  readonly watched: WatchedFiles;
}

/** The file system as the library uses it for one lock: it says when the lock was renewed, and can let go of it. */
class WatchedFiles {
  isLost = false;
  #renewedMs = Date.now();

  readonly files = {
    ...fs,
    utimes: (file: string, ...rest: [Date, Date, (error: Error | null) => void]) => {
      this.#renewedMs = Date.now();
      fs.utimes(file, ...rest);
    },
    rmdir: (folder: string, done: (error: Error | null) => void) => {
      if (this.isLost) done(null);
      else fs.rmdir(folder, done);
    },
  };

  /** A process that was held up, or a machine that slept, may have lost it without having been told. */
  isFresh(): boolean {
    return !this.isLost && Date.now() - this.#renewedMs < STALE_MS * 0.75;
  }
}

/** Gives up one that is another's. */
async function isStillOurs(folder: string, held: OwnLock): Promise<boolean> {
  const before = await birthOf(folder);
  await sleep(SETTLE_MS);
  if (before !== undefined && before === (await birthOf(folder)) && held.isHeld()) return true;
  held.watched.isLost = true;
  await held.release();
  return false;
}

async function birthOf(folder: string): Promise<bigint | undefined> {
  const stats = await disk.stat(pathOf(folder), { bigint: true }).catch(() => undefined); // it is gone
  return stats?.birthtimeNs;
}
