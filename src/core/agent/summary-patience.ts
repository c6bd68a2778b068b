import { AbortedError } from '../model/errors.ts';
import type { ModelCallEvent } from '../model/event.ts';
import type { ModelPort } from '../ports/model.ts';
import type { FailedSummary, SummaryOutcome } from './summary-outcome.ts';
import type { Turn } from './turn-deps.ts';
import type { SummaryJob } from './write-summary.ts';
import { writeSummary } from './write-summary.ts';

/** Nobody waits longer for a summary: for its first word, and for all of it. Then code compacts without one. */
const BEGIN_MS = 120_000;
const END_MS = 300_000;

/** {@link writeSummary} within bounds of time: what takes longer has failed, and is given up. @throws AbortedError at once when it is stopped */
export async function* writeInTime(
  turn: Turn,
  job: SummaryJob,
): AsyncGenerator<ModelCallEvent, SummaryOutcome> {
  const { clock, model } = turn.deps;
  const enough = new AbortController();
  const signal = AbortSignal.any([turn.signal, enough.signal]);
  if (turn.signal.aborted) throw new AbortedError();
  const { promise: late, resolve, reject } = withResolvers<FailedSummary>();
  late.catch(() => undefined); // it may be stopped when nobody waits any more
  whenOver(turn.signal, () => reject(new AbortedError()));
  const fail = (reason: string) => resolve({ kind: 'failed', reason });
  whenOver(clock.deadline(END_MS), () => fail('it was not done within five minutes'));
  const heard = watched(model, () => {
    let isSilent = true;
    whenOver(clock.deadline(BEGIN_MS), () => isSilent && fail('the model said nothing for two minutes'));
    return () => (isSilent = false);
  });
  const writing = writeSummary({ ...turn, deps: { ...turn.deps, model: heard }, signal }, job);
  for (;;) {
    const next = await Promise.race([writing.next(), late]);
    if ('kind' in next) {
      enough.abort();
      return next;
    }
    if (next.done === true) return next.value;
    yield next.value;
  }
}

/** The same model; `begin` hears of every call that is made, and what it returns of all that comes back. */
function watched(model: ModelPort, begin: () => () => void): ModelPort {
  const summarize = model.summarize?.bind(model);
  return {
    provider: model.provider,
    resolve: (id, signal) => model.resolve(id, signal),
    async *stream(request, info, signal) {
      const hear = begin();
      try {
        for await (const event of model.stream(request, info, signal)) {
          hear();
          yield event;
        }
      } finally {
        hear(); // a refusal is an answer too
      }
    },
    ...(summarize && { summarize }),
  };
}

function whenOver(deadline: AbortSignal, act: () => void): void {
  deadline.addEventListener('abort', act, { once: true });
}

interface Resolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: Error) => void;
}

function withResolvers<T>(): Resolvers<T> {
  let resolve: Resolvers<T>['resolve'] = () => undefined;
  let reject: Resolvers<T>['reject'] = () => undefined;
  const promise = new Promise<T>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}
