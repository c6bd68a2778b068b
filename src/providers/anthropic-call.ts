import type { Anthropic } from '@anthropic-ai/sdk';
import { APIError } from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/core/streaming';
import { AbortedError, ModelError } from '../core/model/errors.ts';
import { betaHeaders } from './anthropic-betas.ts';
import { connect } from './anthropic-connection.ts';
import type { AnthropicModelOptions } from './anthropic-connection.ts';
import { toModelError } from './anthropic-errors.ts';
import type { ServerEvent } from './anthropic-reply.ts';
import type { WireRequest } from './anthropic-wire.ts';
import { watchBody } from './watch-body.ts';

const IDLE_TIMEOUT_MS = 5 * 60_000;

export interface Call {
  readonly body: WireRequest;
  readonly betas: readonly string[];
}

/** What was learnt of the server while talking to it. */
export interface ServerFacts {
  refusesDiagnostics: boolean;
  countsTokens: boolean;
}

export interface Line {
  readonly options: AnthropicModelOptions;
  readonly facts: ServerFacts;
}

/**
 * The events of one streamed call, unread. It ends when the caller leaves, the signal fires, or nothing comes.
 * @throws ModelError, or AbortedError when `signal` fires
 */
export async function* streamEvents(
  line: Line,
  call: Call,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent, void> {
  // Its own controller, linked for the time of the call: it also ends what a caller left early, and a stalled stream.
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  let isStreaming = false;
  const idle = { timeoutMs: line.options.idleTimeoutMs ?? IDLE_TIMEOUT_MS, isExpired: false };
  try {
    throwIfAborted(signal);
    const client = await connect(line.options);
    throwIfAborted(signal);
    const response = await open(client, { ...line, call }, controller.signal);
    requireEventStream(response);
    isStreaming = true;
    const body = watchBody(response, idle.timeoutMs, () => {
      idle.isExpired = true;
      controller.abort();
    });
    for await (const event of Stream.rawEvents(body, controller)) {
      throwIfAborted(signal);
      yield event;
    }
  } catch (error) {
    throwIfAborted(signal);
    if (idle.isExpired) throw stalled(idle.timeoutMs);
    throw toModelError(error, isStreaming);
  } finally {
    signal.removeEventListener('abort', abort);
    controller.abort();
  }
}

export async function guarded<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  try {
    throwIfAborted(signal);
    return await call();
  } catch (error) {
    throwIfAborted(signal);
    throw toModelError(error, false);
  }
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AbortedError();
}

/** Asking why the cache was missed must cost nobody an answer: a server that refuses the question is not asked again. */
async function open(
  client: Anthropic,
  { call, facts }: Line & { readonly call: Call },
  signal: AbortSignal,
): Promise<Response> {
  const { diagnostics, ...plain } = call.body;
  if (!diagnostics || facts.refusesDiagnostics) return post(client, { ...call, body: plain }, signal);
  try {
    return await post(client, call, signal);
  } catch (error) {
    const isRefused =
      error instanceof APIError && error.status === 400 && /\bdiagnostics\b/.test(error.message);
    if (!isRefused) throw error;
    facts.refusesDiagnostics = true;
    return post(client, { ...call, body: plain }, signal);
  }
}

async function post(client: Anthropic, { body, betas }: Call, signal: AbortSignal): Promise<Response> {
  // The SDK's beta calls go to another address, which not every server has; the body is the same.
  const params = body as unknown as Anthropic.MessageCreateParamsStreaming;
  return client.messages.create(params, { signal, headers: betaHeaders(betas) }).asResponse();
}

function requireEventStream(response: Response): void {
  const type = response.headers.get('content-type') ?? '';
  if (!/json|html/i.test(type)) return;
  throw new ModelError('server', `The server did not answer with an event stream but with ${type}.`, {
    status: response.status,
  });
}

function stalled(timeoutMs: number): ModelError {
  return new ModelError('stream_cut', `The server sent nothing for ${Math.round(timeoutMs / 1000)} s.`);
}
