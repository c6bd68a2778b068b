import type { Assembled } from '../context/assemble.ts';
import { assemble, countables } from '../context/assemble.ts';
import { AbortedError, ModelError } from '../model/errors.ts';
import type { AgentEvent } from '../model/event.ts';
import { ContextFullError } from './error-report.ts';
import { freshPrompt, promptChanges } from './prompt-step.ts';
import type { Prompt } from './prompt-step.ts';
import type { Turn } from './turn-deps.ts';
import { appendEntry } from './turn-entry.ts';

/** How long a request waits for exact counts; then the estimates serve, and the counts are there the next time. */
const COUNT_PATIENCE_MS = 150;

/**
 * Decides what the model sees next: logs what has changed in the prompt, assembles the view and checks that it fits.
 * @throws ContextFullError when it does not
 */
export async function* prepareRequest(turn: Turn): AsyncGenerator<AgentEvent, Assembled> {
  const { deps, info } = turn;
  const { transcript, world } = deps;
  for (const draft of promptChanges(transcript.entries, await promptNow(turn), world.hash))
    yield* appendEntry(deps, draft);
  const counting = deps.tokens.count(countables(transcript.entries, info), deps.counter);
  await patiently(turn, counting);
  let assembled = assembleNow(turn);
  if (isOver(assembled)) {
    await unlessStopped(turn, counting); // an estimate must not end a turn that would have fitted
    assembled = assembleNow(turn);
  }
  yield { type: 'request_prepared', ledger: assembled.ledger, model: info.displayName };
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

async function promptNow({ deps }: Turn): Promise<Prompt> {
  return { sections: await deps.sections(), tools: deps.tools.schemas };
}

function assembleNow({ deps, info, settings }: Turn): Assembled {
  return assemble(deps.transcript.entries, { info, settings, tokens: deps.tokens });
}

function isOver({ ledger }: Assembled): boolean {
  return ledger.budget.tokens !== undefined && ledger.total > ledger.budget.tokens;
}

/** @throws AbortedError when the turn is stopped first */
function unlessStopped({ signal }: Turn, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new AbortedError());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function patiently({ deps, signal }: Turn, counting: Promise<void>): Promise<void> {
  const enough = new AbortController();
  const patience = deps.clock
    .sleep(COUNT_PATIENCE_MS, AbortSignal.any([signal, enough.signal]))
    .catch(() => undefined);
  await Promise.race([counting, patience]);
  enough.abort();
}
