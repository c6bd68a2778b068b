import { Anthropic } from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/core/streaming';
import { AbortedError, ModelError } from '../core/model/errors.ts';
import type { ModelEvent, ModelInfo } from '../core/model/request.ts';
import type { ModelPort } from '../core/ports/model.ts';
import { toModelError } from './anthropic-errors.ts';
import { describeModel, PROVIDER } from './anthropic-models.ts';
import { readReply } from './anthropic-reply.ts';
import { toWireRequest } from './anthropic-wire.ts';
import { watchBody } from './watch-body.ts';

const ANTHROPIC_URL = 'https://api.anthropic.com';

/** Servers of one's own ask for no key, and the SDK will not send a request without one. */
const NO_KEY_NEEDED = 'no-key';

const IDLE_TIMEOUT_MS = 5 * 60_000;

/** Reading a long prompt takes a local server minutes before its first byte. */
const FIRST_BYTE_TIMEOUT_MS = 10 * 60_000;

export interface AnthropicModelOptions {
  /** Read at every call, so that a new key holds at once. */
  readonly apiKey: () => Promise<string | undefined>;
  /** http(s) address of another server that speaks the Messages API, with or without `/v1`; then a key is optional */
  readonly baseUrl: string | undefined;
  /** default: the global one at the time of the call, which the editor replaces by one that knows its proxy */
  readonly fetch?: typeof globalThis.fetch;
  /** a stream that sends nothing for so long, not even a ping, is given up; default 5 minutes */
  readonly idleTimeoutMs?: number;
}

/**
 * Models behind the Messages API. Address and credentials come from the options alone: the process environment must
 * not redirect a key. The agent retries, visibly; nothing here does.
 */
export function createAnthropicModel(options: AnthropicModelOptions): ModelPort {
  const resolved = new Map<string, ModelInfo>();
  return {
    provider: PROVIDER,
    async resolve(id, signal) {
      const known = resolved.get(id);
      if (known !== undefined) return known;
      const info = await guarded(signal, async () => describeModel(await connect(options), id, signal));
      resolved.set(id, info);
      return info;
    },
    stream: (request, info, signal) => streamReply(options, toWireRequest(request, info), signal),
  };
}

type Call = Anthropic.MessageCreateParamsStreaming;

async function* streamReply(
  options: AnthropicModelOptions,
  call: Call,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  // Its own controller, linked for the time of the call: it also ends what a caller left early, and a stalled stream.
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  let isStreaming = false;
  const idle = { timeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS, isExpired: false };
  try {
    throwIfAborted(signal);
    const client = await connect(options);
    throwIfAborted(signal);
    const response = await client.messages.create(call, { signal: controller.signal }).asResponse();
    requireEventStream(response);
    isStreaming = true;
    const body = watchBody(response, idle.timeoutMs, () => {
      idle.isExpired = true;
      controller.abort();
    });
    for await (const event of readReply(Stream.rawEvents(body, controller))) {
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

async function guarded<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  try {
    throwIfAborted(signal);
    return await call();
  } catch (error) {
    throwIfAborted(signal);
    throw toModelError(error, false);
  }
}

/** A client for one call; making one is cheap, and the key may have changed. */
async function connect(options: AnthropicModelOptions): Promise<Anthropic> {
  const baseURL = serverUrl(options.baseUrl);
  const key = (await options.apiKey())?.trim();
  if (!key && baseURL === ANTHROPIC_URL)
    throw new ModelError('no_key', 'There is no API key. Run "Plimsoll: Set API Key".');
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new ModelError('auth', 'The API key holds characters that no key has. Set it again.');
  return new Anthropic({
    apiKey: key || NO_KEY_NEEDED,
    authToken: null,
    baseURL,
    webhookKey: null,
    maxRetries: 0,
    timeout: FIRST_BYTE_TIMEOUT_MS,
    // Its log would carry the conversation, and its traces the headers.
    logLevel: 'off',
    openTelemetry: false,
    fetch: keepingCause(options.fetch ?? ((input, init) => globalThis.fetch(input, init))),
  });
}

function serverUrl(baseUrl: string | undefined): string {
  const told = baseUrl?.trim();
  if (!told) return ANTHROPIC_URL;
  if (!/^https?:\/\/[^/]/i.test(told) || !URL.canParse(told))
    throw new ModelError('invalid_request', `The server's address is not an http(s) URL: ${told}`);
  return told.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
}

/** The SDK drops the cause of what it takes for a timeout; two layers down it does not look. */
function keepingCause(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') throw error;
      throw new Error('request failed', { cause: new Error('network failure', { cause: error }) });
    }
  };
}

function requireEventStream(response: Response): void {
  const type = response.headers.get('content-type') ?? '';
  if (!/json|html/i.test(type)) return;
  throw new ModelError('server', `The server did not answer with an event stream but with ${type}.`, {
    status: response.status,
  });
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AbortedError();
}

function stalled(timeoutMs: number): ModelError {
  return new ModelError('stream_cut', `The server sent nothing for ${Math.round(timeoutMs / 1000)} s.`);
}
