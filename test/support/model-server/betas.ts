import type { IncomingHttpHeaders } from 'node:http';

export const COMPACTION_BETA = 'compact-2026-09-04';
export const CLEAR_AT_BETA = 'mid-conversation-system-clear-at-2026-08-21';

export const KNOWN_BETAS: ReadonlySet<string> = new Set([COMPACTION_BETA, CLEAR_AT_BETA]);

/** The names in the `anthropic-beta` header. */
export function betasOf(headers: IncomingHttpHeaders): readonly string[] {
  const header = headers['anthropic-beta'];
  const names = typeof header === 'string' ? header.split(',') : (header ?? []);
  return names.map((name) => name.trim()).filter((name) => name !== '');
}
