/** A server that asks for more is not asking for a retry. */
const MOST_MS = 60 * 60_000;

interface HeaderBag {
  get(name: string): string | null;
}

/**
 * How long the server asks to wait, in milliseconds from `now`; undefined where it does not say, or says that no time
 * at all would do: then the caller's own back-off is the politer one.
 */
export function retryAfterMs(headers: HeaderBag | undefined, now = Date.now()): number | undefined {
  const exact = numberIn(headers?.get('retry-after-ms'));
  if (exact !== undefined) return clamp(exact);
  const told = headers?.get('retry-after');
  const seconds = numberIn(told);
  if (seconds !== undefined) return clamp(seconds * 1000);
  const date = Date.parse(told ?? '');
  return Number.isNaN(date) ? undefined : clamp(date - now);
}

function numberIn(text: string | null | undefined): number | undefined {
  return text && /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function clamp(ms: number): number | undefined {
  return ms > 0 ? Math.ceil(Math.min(MOST_MS, ms)) : undefined;
}
