import type { StoreFiles } from './store-files.ts';
import { takeLock } from './store-lock.ts';
import type { HeldLock } from './store-lock.ts';

/** What needs the lock of a store, one after the other in this process too. */
export class StoreTurns {
  readonly #files: StoreFiles;
  #last: Promise<unknown> = Promise.resolve();
  #isDue = false;

  constructor(files: StoreFiles) {
    this.#files = files;
  }

  /** @throws what `work` throws, or what taking the lock does */
  take<T>(patienceMs: number, work: (lock: HeldLock) => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      const lock = await this.#lock(patienceMs);
      return work(lock).finally(() => lock.release());
    });
    this.#last = done.catch(() => undefined); // the caller has the error
    return done;
  }

  /** Once for all who ask until it is done. @param work never throws */
  soon(work: () => Promise<void>): void {
    if (this.#isDue) return;
    this.#isDue = true;
    void work().finally(() => (this.#isDue = false));
  }

  async settled(): Promise<void> {
    await this.#last;
  }

  async #lock(patienceMs: number): Promise<HeldLock> {
    try {
      await this.#files.make();
      return await takeLock(this.#files.folder, patienceMs);
    } catch (error) {
      if (!isReadOnly(error)) throw error;
      // Nobody can write here, so there is nothing to be alone for; what is read can be read.
      return { isHeld: () => false, release: () => Promise.resolve() };
    }
  }
}

function isReadOnly(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM';
}
