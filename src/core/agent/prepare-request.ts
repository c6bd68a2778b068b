import type { Assembled } from '../context/assemble.ts';
import { isTooLarge } from '../context/budget.ts';
import type { AgentEvent } from '../model/event.ts';
import { assembleStep, isOver } from './assemble-step.ts';
import { ContextFullError } from './error-report.ts';
import { relieve } from './relieve.ts';
import { sharpen } from './sharpen.ts';
import type { Turn } from './turn-deps.ts';

/**
 * Decides what the model sees next: logs what has changed in the prompt, assembles the view, has it counted where an
 * estimate cannot decide, relieves it where it crosses a load line, and checks that it fits.
 * @throws ContextFullError when it does not, and nothing more can be left out
 */
export async function* prepareRequest(turn: Turn): AsyncGenerator<AgentEvent, Assembled> {
  const relieved = yield* relieve(turn, await sharpen(turn, yield* assembleStep(turn)));
  // What a relief has left is an estimate again: it must not end a turn that would have fitted.
  const assembled = isOver(relieved) ? await sharpen(turn, relieved) : relieved;
  yield { type: 'request_prepared', ledger: assembled.ledger, model: turn.info.displayName };
  if (isTooLarge(assembled.ledger.total, assembled.ledger.budget))
    throw new ContextFullError(assembled.ledger);
  return assembled;
}
