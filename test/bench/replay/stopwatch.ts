import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options: { type: 'minor' }) => void;

/** Milliseconds of the processor, without what is done while it is paused. */
export class Stopwatch {
  #begun = 0;
  #skipped = 0;
  #isPaused = false;

  /** What the benchmark itself has left behind is cleared away first: each round pays for its own garbage only. */
  start(): void {
    collectGarbage({ type: 'minor' });
    this.#skipped = 0;
    this.#begun = now();
  }

  stop(): number {
    return Math.max(0, now() - this.#begun - this.#skipped) / 1_000;
  }

  /** What `work` gives; while it runs, whether it answers now or later, the watch stands still. */
  pause<T>(work: () => T): T {
    if (this.#isPaused) return work();
    this.#isPaused = true;
    const begun = now();
    const goOn = () => {
      this.#isPaused = false;
      this.#skipped += now() - begun;
    };
    const made = work();
    if (made instanceof Promise) void made.then(goOn, goOn);
    else goOn();
    return made;
  }
}

/** Microseconds of the processor. */
function now(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
