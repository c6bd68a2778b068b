import type { AssistantBlock } from '../../src/core/model/content.ts';
import type { ModelError } from '../../src/core/model/errors.ts';
import type { ModelEvent, ModelInfo, ModelMessage, ModelRequest } from '../../src/core/model/request.ts';
import type { ModelPort } from '../../src/core/ports/model.ts';
import { createAnthropicModel } from '../../src/providers/anthropic.ts';

export const INFO: ModelInfo = { id: 'm', displayName: 'M', provider: 'anthropic', thinking: 'none' };

export const noSignal = (): AbortSignal => new AbortController().signal;

export function modelAt(url: string, options: { key?: string; idleTimeoutMs?: number } = {}): ModelPort {
  const { key = 'test-key', idleTimeoutMs } = options;
  const apiKey = (): Promise<string> => Promise.resolve(key);
  return createAnthropicModel({
    apiKey,
    baseUrl: url,
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
  });
}

/** A request that asks one question; a test names only what it is about. */
export function request(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'm',
    maxTokens: 1000,
    system: [{ name: 'base', text: 'You are a test.' }],
    tools: [],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    cacheMarks: { system: false, messages: [] },
    ...changes,
  };
}

export async function collect(stream: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** The events of one call to the server at this address. */
export const callAt = (url: string): Promise<readonly ModelEvent[]> =>
  collect(modelAt(url).stream(request(), INFO, noSignal()));

export function messageOf(events: readonly ModelEvent[]): ModelMessage {
  const messages = events.flatMap((event) => (event.type === 'message' ? [event.message] : []));
  if (messages.length !== 1 || events.at(-1)?.type !== 'message')
    throw new Error('a call ends with exactly one message');
  return messages[0]!;
}

export const finishedBlocks = (events: readonly ModelEvent[]): readonly AssistantBlock[] =>
  events.flatMap((event) => (event.type === 'block_finished' ? [event.block] : []));

/** The failure of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<ModelError> {
  return call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: unknown) => error as ModelError,
  );
}
