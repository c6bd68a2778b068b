import type { Assembled } from '../context/assemble.ts';
import { reliefHistoryOf } from '../context/relief-history.ts';
import { ModelError } from '../model/errors.ts';
import type { AgentEvent } from '../model/event.ts';
import { assembleNow, assembleStep } from './assemble-step.ts';
import { ContextFullError } from './error-report.ts';
import { makeRoom } from './make-room.ts';
import type { Turn } from './turn-deps.ts';

/** Tries per request, each with a smaller one. */
export const MOST_RECOVERIES = 2;

/** What a refused request is brought down to, of what was sent or may be sent. */
const RECOVER_TO = 0.5;

/** Where less than this share of what was accepted before is refused, its length is not the reason. */
const FAR_BELOW = 0.6;

export interface Refusal {
  readonly error: unknown;
  /** of this request, which has not been made smaller yet */
  readonly isFirst: boolean;
}

/**
 * The answer to "too long": learns the limit where the refusal names it, folds to half, and gives the request to try
 * next, which is smaller than the refused one.
 * @throws ContextFullError where nothing can shrink any more, the error itself where it says anything else or where
 *   folding cannot help
 */
export async function* recover(
  turn: Turn,
  refused: Assembled,
  { error, isFirst }: Refusal,
): AsyncGenerator<AgentEvent, Assembled> {
  if (!(error instanceof ModelError) || error.code !== 'too_long') throw error;
  const { transcript } = turn.deps;
  const accepted = reliefHistoryOf(transcript.entries).accepted.get(turn.info.id) ?? 0;
  // Behind a first fold it is far below in any case: another server may have taken this one's place.
  if (isFirst && refused.ledger.total < FAR_BELOW * accepted) throw error;
  // A limit that was kept before is another one's, or a misunderstanding.
  if (error.learntLimit !== undefined && error.learntLimit >= accepted) learn(turn, error.learntLimit);
  yield* assembleStep(turn);
  // The refusal has shown that what was reported before does not hold.
  const now = assembleNow(turn, { isAfresh: true });
  const { total, budget } = now.ledger;
  const target = Math.floor(RECOVER_TO * Math.min(total, budget.tokens ?? total));
  const before = transcript.entries.length;
  yield* makeRoom(turn, now, { trigger: 'too_long', target });
  if (transcript.entries.length === before) throw new ContextFullError(now.ledger, error);
  yield* assembleStep(turn);
  const smaller = assembleNow(turn, { isAfresh: true });
  if (smaller.ledger.total >= total) throw new ContextFullError(smaller.ledger, error);
  return smaller;
}

/** A window that the server named once holds from here on, for whatever it said of itself before. */
function learn({ deps, info }: Turn, limit: number): void {
  const known = deps.learntWindows.get(info.id) ?? Number.POSITIVE_INFINITY;
  deps.learntWindows.set(info.id, Math.min(known, limit));
}
