import { monitorEventLoopDelay } from 'node:perf_hooks';

/** One measurement beside what it is measured against, both taken in the same run. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly reference: { readonly what: string; readonly value: number };
  /** what must hold; absent where the figure is only watched */
  readonly bar?: { readonly text: string; readonly holds: boolean };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Milliseconds of the processor that `work` takes, worker threads included: what else the machine does is no matter. */
export async function cpuTimed(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

const MOST_RUNS = 10;

/**
 * Milliseconds for which `work` holds up the event loop at the longest. Other programs of the machine may block a run;
 * what the work itself does, it does in every run: so the least of several, and no more runs once the bar holds.
 */
export async function longestBlock(work: () => Promise<unknown>, bar: number): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < MOST_RUNS && least >= bar; run += 1) {
    const monitor = monitorEventLoopDelay({ resolution: 1 });
    monitor.enable();
    await work();
    monitor.disable();
    least = Math.min(least, monitor.max / 1e6);
  }
  return least;
}
