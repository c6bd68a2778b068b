const NUMBER = new Intl.NumberFormat('en-US');

export function formatCount(count: number): string {
  return NUMBER.format(Math.round(count));
}

/** `950`, `12.3k`, `166k`, `1.2M`: for narrow places. */
export function formatShortCount(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  if (count < 99_950) return `${trimZero((count / 1_000).toFixed(1))}k`;
  if (count < 999_500) return `${Math.round(count / 1_000)}k`;
  return `${trimZero((count / 1_000_000).toFixed(1))}M`;
}

/** `0.4 s`, `12 s`, `2 min 5 s`. Milliseconds in. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `950 B`, `12.3 kB`, `5.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${Math.round(bytes)} B`;
  if (bytes < 999_950) return `${trimZero((bytes / 1_000).toFixed(1))} kB`;
  if (bytes < 999_950_000) return `${trimZero((bytes / 1_000_000).toFixed(1))} MB`;
  return `${trimZero((bytes / 1_000_000_000).toFixed(1))} GB`;
}

export function formatPercent(share: number): string {
  const percent = share * 100;
  return percent > 0 && percent < 1 ? '<1%' : `${Math.round(percent)}%`;
}

export function plural(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;
}

function trimZero(decimal: string): string {
  return decimal.replace(/\.0$/, '');
}
