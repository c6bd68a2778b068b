import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk';
import type { ModelErrorCode } from '../core/model/errors.ts';
import { ModelError } from '../core/model/errors.ts';
import { cutBefore } from '../core/model/cut-text.ts';
import type { Json } from './json.ts';
import { asNumber, asObject, asText } from './json.ts';
import { describeNetworkCause, PROXY_SIGN_IN } from './network-cause.ts';
import { recogniseOverflow } from './overflow.ts';
import { retryAfterMs } from './retry-after.ts';

const MAX_MESSAGE = 1000;

const CODE_BY_TYPE: Readonly<Record<string, ModelErrorCode>> = {
  invalid_request_error: 'invalid_request',
  authentication_error: 'auth',
  billing_error: 'billing',
  permission_error: 'permission',
  not_found_error: 'not_found',
  rate_limit_error: 'rate_limit',
  overloaded_error: 'overloaded',
  api_error: 'server',
  timeout_error: 'server',
  conflict_error: 'server',
};

const CODE_BY_STATUS: Readonly<Record<number, ModelErrorCode>> = {
  401: 'auth',
  402: 'billing',
  403: 'permission',
  404: 'not_found',
  407: 'connection',
  408: 'server',
  409: 'server',
  429: 'rate_limit',
  529: 'overloaded',
};

/** Codes that change what a caller can do about the error: waiting does not lift a spending limit. */
const CODE_BY_ERROR_CODE: Readonly<Record<string, ModelErrorCode>> = {
  contract_spend_limit_reached: 'billing',
  enforced_spend_limit_reached: 'billing',
  organization_on_hold: 'permission',
  region_not_supported: 'permission',
};

/** An answer that was an error, with all that is known of it. */
interface Answer {
  readonly status: number | undefined;
  readonly body: unknown;
  /** the body where it is no JSON */
  readonly rawText: string;
  readonly headers: Headers | undefined;
  readonly cause: unknown;
}

/**
 * Every failure of the SDK as the one error the agent knows. `isStreaming`: the answer had begun, so an unknown
 * failure is a cut stream.
 */
export function toModelError(error: unknown, isStreaming: boolean): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof APIConnectionError) return connectionError(error);
  if (error instanceof APIError) return errorFromApi(error as APIError);
  const told = describeNetworkCause(error) || String(error);
  if (isStreaming)
    return new ModelError('stream_cut', `The connection broke in mid-answer. ${told}`, { cause: error });
  return new ModelError('invalid_request', told, { cause: error });
}

/** The body of an `error` event in mid-stream. */
export function errorFromEvent(body: unknown): ModelError {
  const rawText = typeof body === 'string' ? body : '';
  return errorFromAnswer({ status: undefined, body, rawText, headers: undefined, cause: undefined });
}

function connectionError(error: APIConnectionError): ModelError {
  const fallback =
    error instanceof APIConnectionTimeoutError ? 'The server did not answer in time.' : error.message;
  return new ModelError('connection', describeNetworkCause(error.cause) || fallback, { cause: error });
}

function errorFromApi(error: APIError): ModelError {
  const { status, headers } = error;
  // Without a JSON body the SDK puts "<status> <text>" into the message.
  const rawText = error.error === undefined ? error.message.replace(/^\d+ /, '') : '';
  const hasText = rawText !== '' && rawText !== 'status code (no body)';
  return errorFromAnswer({
    status,
    body: error.error,
    rawText: hasText ? rawText : '',
    headers,
    cause: error,
  });
}

function errorFromAnswer({ status, body, rawText, headers, cause }: Answer): ModelError {
  const root = asObject(body);
  const inner = asObject(root.error);
  const words = wordsOf(root, inner) || plainText(rawText);
  const overflow = recogniseOverflow({
    status,
    text: words,
    kinds: [inner.type, inner.code, asObject(inner.details).error_code, root.type].map(asText),
    window: asNumber(inner.n_ctx) ?? asNumber(root.n_ctx),
  });
  const code = specialCode(status, inner, words) ?? (overflow ? 'too_long' : codeOf(status, inner, words));
  const wait = retryAfterMs(headers);
  const requestId = headers?.get('request-id') ?? (asText(root.request_id) || undefined);
  return new ModelError(code, words || fallbackWords(status), {
    cause,
    ...(status !== undefined && { status }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(requestId !== undefined && { requestId }),
    ...(overflow?.learntLimit !== undefined && { learntLimit: overflow.learntLimit }),
  });
}

/** Refusals that the engine can heal, each by sending the same in another form. */
function specialCode(status: number | undefined, inner: Json, words: string): ModelErrorCode | undefined {
  // Preserved thinking that no longer stands behind what it was signed over.
  if (/bound to a different conversation/i.test(words)) return 'thinking_binding';
  const errorCode = asText(asObject(inner.details).error_code);
  // Without the beta, or on a server that knows nothing of it, only the words name the field or the block.
  const isOfSummary = errorCode.startsWith('compaction_') || /\bcompaction\b/.test(words);
  return status === 400 && isOfSummary ? 'signed_summary' : undefined;
}

function codeOf(status: number | undefined, inner: Json, words: string): ModelErrorCode {
  const known =
    CODE_BY_ERROR_CODE[asText(asObject(inner.details).error_code)] ??
    (/credit balance is too low/i.test(words) ? 'billing' : undefined) ??
    CODE_BY_STATUS[status ?? 0] ??
    CODE_BY_TYPE[asText(inner.type)];
  if (known !== undefined) return known;
  return status === undefined || status >= 500 ? 'server' : 'invalid_request';
}

/** The provider's own words, in the shapes that servers of this API use: `error.message`, `error`, `message`, `detail`. */
function wordsOf(root: Json, inner: Json): string {
  const words = [inner.message, root.error, root.message, root.detail]
    .map(asText)
    .find((text) => text !== '');
  return bounded(words ?? '');
}

/** A gateway's page says what happened in its title. */
function plainText(raw: string): string {
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(raw)?.[1];
  return bounded((title ?? raw.replaceAll(/<[^<>]*>/g, ' ')).replaceAll(/\s+/g, ' ').trim());
}

function bounded(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, cutBefore(text, MAX_MESSAGE))}\u2026` : text;
}

function fallbackWords(status: number | undefined): string {
  if (status === 407) return PROXY_SIGN_IN;
  return status === undefined
    ? 'The server reported an error without saying which.'
    : `The server answered ${status}.`;
}
