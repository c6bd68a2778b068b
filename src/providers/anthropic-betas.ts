import type { ModelRequest } from '../core/model/request.ts';

/** Asking for a signed summary, and every later request that carries one. */
export const COMPACTION_BETA = 'compact-2026-09-04';

/** `clear_at` on a `system` message. */
const CLEAR_AT_BETA = 'mid-conversation-system-clear-at-2026-08-21';

export type BetaHeaders = Readonly<Record<string, string>>;

/** The header for these betas; none where none is used, since servers refuse names that they do not know. */
export function betaHeaders(betas: readonly string[]): BetaHeaders {
  return betas.length > 0 ? { 'anthropic-beta': betas.join(',') } : {};
}

export function betasOf(request: ModelRequest): readonly string[] {
  const clears = request.messages.some((message) => message.role === 'system' && message.clearAt);
  return [...(request.signedSummary ? [COMPACTION_BETA] : []), ...(clears ? [CLEAR_AT_BETA] : [])];
}
