/**
 * Turns something that reports through a callback into a generator of what it reports, in order. What `run` throws is
 * thrown after everything reported before it.
 */
export async function* bridge<T>(run: (emit: (item: T) => void) => Promise<void>): AsyncGenerator<T> {
  const waiting: T[] = [];
  let wake: () => void = () => undefined;
  let isRunning = true;
  const finished = run((item) => {
    waiting.push(item);
    wake();
  }).finally(() => {
    isRunning = false;
    wake();
  });
  finished.catch(() => undefined); // awaited below; this only keeps an early failure from being "unhandled"
  while (isRunning || waiting.length > 0) {
    const changed = new Promise<void>((resolve) => (wake = resolve));
    yield* waiting.splice(0);
    if (isRunning && waiting.length === 0) await changed;
  }
  await finished;
}
