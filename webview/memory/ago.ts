const WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const SECOND = 1_000;
const STEPS = [
  { unit: 'year', ms: 365 * 86_400 * SECOND },
  { unit: 'month', ms: 30 * 86_400 * SECOND },
  { unit: 'day', ms: 86_400 * SECOND },
  { unit: 'hour', ms: 3_600 * SECOND },
  { unit: 'minute', ms: 60 * SECOND },
] as const;

/** `just now`, `5 minutes ago`, `yesterday`. Milliseconds since the epoch; a clock that is behind is now. */
export function agoInWords(atMs: number, nowMs: number): string {
  const past = nowMs - atMs;
  const step = STEPS.find(({ ms }) => past >= ms);
  return step === undefined ? 'just now' : WORDS.format(-Math.floor(past / step.ms), step.unit);
}
