import type { Assembled } from '../context/assemble.ts';
import { ModelError } from '../model/errors.ts';
import type { AgentEvent } from '../model/event.ts';
import { assembleStep, isOver, promptNow } from './assemble-step.ts';
import { ContextFullError } from './error-report.ts';
import { freshPrompt } from './prompt-step.ts';
import { relieve } from './relieve.ts';
import type { Turn } from './turn-deps.ts';
import { appendEntry } from './turn-entry.ts';

/**
 * Decides what the model sees next: logs what has changed in the prompt, assembles the view, relieves it where it
 * crosses a load line, and checks that it fits.
 * @throws ContextFullError when it does not, and nothing more can be left out
 */
export async function* prepareRequest(turn: Turn): AsyncGenerator<AgentEvent, Assembled> {
  const assembled = yield* relieve(turn, yield* assembleStep(turn));
  yield { type: 'request_prepared', ledger: assembled.ledger, model: turn.info.displayName };
  if (isOver(assembled)) throw new ContextFullError(assembled.ledger);
  return assembled;
}

/**
 * The answer to "this reasoning belongs to another conversation": a planned break, behind which it is left out.
 * @throws the error itself where it says anything else
 */
export async function* withoutThinking(turn: Turn, error: unknown): AsyncGenerator<AgentEvent, Assembled> {
  if (!(error instanceof ModelError) || error.code !== 'thinking_binding') throw error;
  yield* appendEntry(turn.deps, freshPrompt(await promptNow(turn), turn.deps.world.hash));
  return yield* prepareRequest(turn);
}
