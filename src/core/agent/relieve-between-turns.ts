import type { AgentEvent } from '../model/event.ts';
import { assembleStep } from './assemble-step.ts';
import { relieve } from './relieve.ts';
import { resolveModel } from './resolve-model.ts';
import type { TurnDeps } from './turn-deps.ts';

/** Carries out the compaction that the person asked for while nothing else runs. */
export async function* relieveBetweenTurns(deps: TurnDeps, signal: AbortSignal): AsyncGenerator<AgentEvent> {
  const settings = deps.settings();
  const info = yield* resolveModel(deps, settings.model, signal);
  const turn = { deps, info, settings, signal };
  yield* relieve(turn, yield* assembleStep(turn));
}
