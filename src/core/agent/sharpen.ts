import type { Assembled } from '../context/assemble.ts';
import { countedLedger, uncertaintyOf } from '../context/ledger.ts';
import { linesIn } from '../context/relief.ts';
import { AbortedError } from '../model/errors.ts';
import type { Turn } from './turn-deps.ts';

/** Nobody waits longer for a count; then the estimate decides. */
const PATIENCE_MS = 2_000;

/**
 * Puts the provider's own count in place of the estimate where a decision hangs on it: a load line, or the budget, lies
 * within what the estimate may be off by. Where nothing hangs on it, or no count comes, the estimate stands.
 * @throws AbortedError when the turn is stopped
 */
export async function sharpen(turn: Turn, assembled: Assembled): Promise<Assembled> {
  if (turn.deps.model.countTokens === undefined || !isClose(assembled)) return assembled;
  const total = await countInTime(turn, assembled);
  if (turn.signal.aborted) throw new AbortedError();
  if (total === undefined || total <= 0) return assembled;
  return { ...assembled, ledger: countedLedger(assembled.ledger, total) };
}

/** Whether one way of deciding is right by the estimate and another may be by the truth. */
function isClose({ ledger, added }: Assembled): boolean {
  const { evict, prepare, compact, fold } = linesIn(ledger.budget);
  const doubt = uncertaintyOf(ledger, added);
  const marks = [evict, prepare, compact, fold, ledger.budget.tokens ?? Number.POSITIVE_INFINITY];
  return marks.some((mark) => Math.abs(mark - ledger.total) < doubt);
}

async function countInTime(
  { deps, info, signal }: Turn,
  { request }: Assembled,
): Promise<number | undefined> {
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  const counting = deps.model.countTokens?.(request, info, either).catch(() => undefined);
  const patience = deps.clock.sleep(PATIENCE_MS, either).then(
    () => undefined,
    () => undefined,
  );
  const total = await Promise.race([counting, patience]);
  enough.abort();
  return total;
}
