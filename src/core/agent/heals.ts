import type { Assembled } from '../context/assemble.ts';
import type { ModelErrorCode } from '../model/errors.ts';
import { ModelError } from '../model/errors.ts';
import type { AgentEvent } from '../model/event.ts';
import { promptNow } from './assemble-step.ts';
import { ContextFullError } from './error-report.ts';
import { prepareRequest } from './prepare-request.ts';
import { freshPrompt } from './prompt-step.ts';
import { MOST_RECOVERIES, recover } from './recover.ts';
import type { Turn } from './turn-deps.ts';
import { appendEntry } from './turn-entry.ts';

/** How a refused request is made acceptable, each way a bounded number of times. */
export class Heals {
  readonly #used = new Map<ModelErrorCode, number>();

  /**
   * The request to try instead of the refused one.
   * @throws the error itself where there is no other request, or there was one already; ContextFullError where nothing
   *   can shrink any more
   */
  async *next(turn: Turn, refused: Assembled, error: unknown): AsyncGenerator<AgentEvent, Assembled> {
    if (!(error instanceof ModelError)) throw error;
    const used = this.#used.get(error.code) ?? 0;
    this.#used.set(error.code, used + 1);
    switch (error.code) {
      case 'too_long':
        if (used >= MOST_RECOVERIES) throw new ContextFullError(refused.ledger, error);
        return yield* recover(turn, refused, { error, isFirst: used === 0 });
      case 'thinking_binding':
        if (used > 0) throw error;
        return yield* withoutThinking(turn);
      case 'signed_summary':
        if (used > 0) throw error;
        return yield* withoutSignedSummary(turn);
      default:
        throw error;
    }
  }
}

/** "This reasoning belongs to another conversation": a planned break, behind which it is left out. */
async function* withoutThinking(turn: Turn): AsyncGenerator<AgentEvent, Assembled> {
  yield* appendEntry(turn.deps, freshPrompt(await promptNow(turn), turn.deps.world.hash));
  return yield* prepareRequest(turn);
}

/** A signed summary that is not taken: a planned break, behind which its words stand in its place. */
async function* withoutSignedSummary(turn: Turn): AsyncGenerator<AgentEvent, Assembled> {
  turn.deps.unsigned.add(turn.info.id);
  return yield* withoutThinking(turn);
}
