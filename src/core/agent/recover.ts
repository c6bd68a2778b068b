import type { Assembled } from '../context/assemble.ts';
import { ModelError } from '../model/errors.ts';
import type { AgentEvent } from '../model/event.ts';
import { assembleStep } from './assemble-step.ts';
import { ContextFullError } from './error-report.ts';
import { makeRoom } from './make-room.ts';
import type { Turn } from './turn-deps.ts';

/** Tries per request, each with a smaller one. */
export const MOST_RECOVERIES = 2;

/** What a refused request is brought down to, of what was sent or may be sent. */
const RECOVER_TO = 0.5;

/**
 * The answer to "too long": learns the limit where the refusal names it, folds to half, and gives the request to try
 * next, which is smaller than the refused one.
 * @throws ContextFullError where nothing can shrink any more, the error itself where it says anything else
 */
export async function* recover(
  turn: Turn,
  refused: Assembled,
  error: unknown,
): AsyncGenerator<AgentEvent, Assembled> {
  if (!(error instanceof ModelError) || error.code !== 'too_long') throw error;
  if (error.learntLimit !== undefined) learn(turn, error.learntLimit);
  const { total } = refused.ledger;
  const now = yield* assembleStep(turn);
  const reach = Math.min(total, now.ledger.budget.tokens ?? total);
  const { entries } = turn.deps.transcript;
  const before = entries.length;
  yield* makeRoom(turn, now, { trigger: 'too_long', target: Math.floor(RECOVER_TO * reach) });
  if (entries.length === before) throw new ContextFullError(now.ledger);
  const smaller = yield* assembleStep(turn);
  if (smaller.ledger.total >= now.ledger.total) throw new ContextFullError(smaller.ledger);
  return smaller;
}

/** A window that the server named once holds from here on, for whatever it said of itself before. */
function learn({ deps, info }: Turn, limit: number): void {
  const known = deps.learntWindows.get(info.id) ?? Number.POSITIVE_INFINITY;
  deps.learntWindows.set(info.id, Math.min(known, limit));
}
