import type { AssistantBlock } from '../model/content.ts';
import { AbortedError, ModelError } from '../model/errors.ts';
import type { ModelCallEvent } from '../model/event.ts';
import type { ModelInfo, ModelMessage, ModelRequest } from '../model/request.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelPort } from '../ports/model.ts';
import { MAX_RETRIES, retryDelay } from './retry.ts';

export interface ModelCall {
  readonly model: ModelPort;
  readonly info: ModelInfo;
  readonly request: ModelRequest;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** in [0, 1) */
  readonly random: () => number;
}

/** What a call came to: the whole reply, or what was there when the person stopped it. */
export type Reply =
  | { readonly kind: 'complete'; readonly message: ModelMessage }
  | { readonly kind: 'stopped'; readonly blocks: readonly AssistantBlock[] };

/**
 * Makes one model call, again after a passing failure. What a failed try had streamed is void.
 * @throws ModelError when it is not worth trying again
 */
export async function* callModel(call: ModelCall): AsyncGenerator<ModelCallEvent, Reply> {
  try {
    return yield* retrying(call, () => streamOnce(call));
  } catch (error) {
    if (error instanceof AbortedError || call.signal.aborted) return { kind: 'stopped', blocks: [] };
    throw error;
  }
}

/**
 * Tries again after a passing failure, a bounded number of times, and tells how long it waits.
 * @throws ModelError when it is not worth trying again, AbortedError when it is stopped
 */
export async function* retrying<T>(
  { clock, signal, random }: Pick<ModelCall, 'clock' | 'signal' | 'random'>,
  once: () => AsyncGenerator<ModelCallEvent, T>,
): AsyncGenerator<ModelCallEvent, T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return yield* once();
    } catch (error) {
      if (error instanceof AbortedError || signal.aborted) throw new AbortedError();
      yield { type: 'stream_discarded' };
      const delayMs = error instanceof ModelError ? retryDelay(error, attempt, random()) : undefined;
      if (delayMs === undefined) throw error;
      const reason = (error as ModelError).message;
      yield { type: 'retry_scheduled', attempt, of: MAX_RETRIES, delayMs, reason };
      await clock.sleep(delayMs, signal);
    }
  }
}

async function* streamOnce({
  model,
  info,
  request,
  signal,
}: ModelCall): AsyncGenerator<ModelCallEvent, Reply> {
  const finished: AssistantBlock[] = [];
  let openText = '';
  try {
    for await (const event of model.stream(request, info, signal)) {
      switch (event.type) {
        case 'message':
          return { kind: 'complete', message: event.message };
        case 'block_finished':
          finished.push(event.block);
          openText = '';
          break;
        case 'text_delta':
          openText += event.text;
          yield event;
          break;
        case 'thinking_delta':
        case 'tool_use_started':
          yield event;
      }
    }
  } catch (error) {
    if (!(error instanceof AbortedError) && !signal.aborted) throw error;
    return { kind: 'stopped', blocks: partialReply(finished, openText) };
  }
  throw new ModelError('stream_cut', 'the stream ended without a message');
}

/**
 * What can be kept of a reply that was stopped: finished blocks and the text so far. Calls are left out: they were
 * never run, and nobody asked for them to be.
 */
function partialReply(finished: readonly AssistantBlock[], openText: string): readonly AssistantBlock[] {
  const said = finished.filter((block) => block.type !== 'tool_use');
  return openText.trim() === '' ? said : [...said, { type: 'text', text: openText }];
}
