import type { Assembled } from '../context/assemble.ts';
import { assemble, countables } from '../context/assemble.ts';
import { linesIn } from '../context/relief.ts';
import { AbortedError } from '../model/errors.ts';
import type { AgentEvent } from '../model/event.ts';
import type { ModelInfo } from '../model/request.ts';
import type { Prompt } from './prompt-step.ts';
import { promptChanges } from './prompt-step.ts';
import type { Turn } from './turn-deps.ts';
import { appendEntry } from './turn-entry.ts';

/** How long a request waits for exact counts; then the estimates serve, and the counts are there the next time. */
const COUNT_PATIENCE_MS = 150;

/** Logs what has changed in the prompt, counts what is new, and assembles what the model would see now. */
export async function* assembleStep(turn: Turn): AsyncGenerator<AgentEvent, Assembled> {
  const { deps, info } = turn;
  const { transcript, world } = deps;
  for (const draft of promptChanges(transcript.entries, await promptNow(turn), world.hash))
    yield* appendEntry(deps, draft);
  const uncounted = deps.tokens.uncounted(countables(transcript.entries, info));
  if (uncounted.length === 0) return assembleNow(turn);
  const counting = deps.tokens.count(uncounted, deps.counter);
  await patiently(turn, counting);
  const assembled = assembleNow(turn);
  if (!isUndecided(assembled)) return assembled;
  await unlessStopped(turn, counting); // an estimate must not make room, or end a turn, that would have fitted
  return assembleNow(turn);
}

/** What was not counted yet may decide what is done. */
function isUndecided({ ledger, added }: Assembled): boolean {
  if (added.uncounted === 0) return false;
  const { evict, prepare, compact, fold } = linesIn(ledger.budget);
  return ledger.total >= Math.min(evict, prepare, compact, fold);
}

export async function promptNow({ deps }: Turn): Promise<Prompt> {
  return { sections: await deps.sections(), tools: deps.tools.schemas };
}

export function isOver({ ledger }: Assembled): boolean {
  return ledger.budget.tokens !== undefined && ledger.total > ledger.budget.tokens;
}

/** With what is known of the tokens now. */
export function assembleNow(turn: Turn, { isAfresh = false } = {}): Assembled {
  const { deps, settings: set } = turn;
  const info = knownOf(turn);
  const learnt = deps.learntWindows.get(info.id);
  const isTooWide = learnt !== undefined && set.window !== undefined && set.window > learnt;
  const settings = isTooWide ? { ...set, window: learnt } : set;
  return assemble(deps.transcript.entries, { info, settings, tokens: deps.tokens, isAfresh });
}

/** What the server says of the model, corrected by what its refusals have taught. */
function knownOf({ deps, info }: Turn): ModelInfo {
  const learnt = deps.learntWindows.get(info.id);
  return {
    ...info,
    ...(learnt !== undefined && { window: Math.min(info.window ?? learnt, learnt) }),
    ...(deps.unsigned.has(info.id) && { traits: { ...info.traits, signedSummaries: false } }),
  };
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
