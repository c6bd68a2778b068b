import type { AgentEvent } from '../model/event.ts';
import type { ModelInfo } from '../model/request.ts';
import { retrying } from './model-call.ts';
import type { TurnDeps } from './turn-deps.ts';

/** What is known of the model to use, asked with the patience of any call. */
export function resolveModel(
  deps: TurnDeps,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, ModelInfo> {
  return retrying({ clock: deps.clock, random: deps.random, signal }, async function* () {
    return deps.model.resolve(id, signal);
  });
}
