import { Anthropic } from '@anthropic-ai/sdk';
import { ModelError } from '../core/model/errors.ts';

const ANTHROPIC_URL = 'https://api.anthropic.com';

/** Servers of one's own ask for no key, and the SDK will not send a request without one. */
const NO_KEY_NEEDED = 'no-key';

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

/** A client for one call; making one is cheap, and the key may have changed. */
export async function connect(options: AnthropicModelOptions): Promise<Anthropic> {
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
