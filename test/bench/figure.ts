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
