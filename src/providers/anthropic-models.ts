import type { Anthropic } from '@anthropic-ai/sdk';
import { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import { ModelError } from '../core/model/errors.ts';
import type { ModelInfo } from '../core/model/request.ts';
import type { Json } from './json.ts';
import { COMPACTION_BETA, betaHeaders } from './anthropic-betas.ts';
import { traitsOf } from './anthropic-traits.ts';
import { asNumber, asObject, asText } from './json.ts';

export const PROVIDER = 'anthropic';

const TIMEOUT_MS = 30_000;

/** What other clients append to an id to ask for another window (`[1m]`); no server knows it as part of the id. */
const WINDOW_SUFFIX = /\[[^[\]]*\]$/;

/** Where the server has no Models API. */
const ABSENT = Symbol('no Models API');

/**
 * The model with this id as the server's Models API describes it, or with an empty id the newest active one.
 * Where the server has no such API a configured id stands as it is, with unknown limits.
 * @throws ModelError('not_found') for an id the server does not know, or an empty id where it lists nothing;
 *   the SDK's errors else
 */
export async function describeModel(client: Anthropic, id: string, signal: AbortSignal): Promise<ModelInfo> {
  if (id === '') return newestModel(client, signal);
  const found = await retrieve(client, id, signal);
  if (found !== ABSENT) return found;
  const bare = id.replace(WINDOW_SUFFIX, '');
  const foundBare = bare === id || bare === '' ? ABSENT : await retrieve(client, bare, signal);
  return foundBare === ABSENT ? unknownModel(id) : foundBare;
}

type Options = Parameters<Anthropic['models']['list']>[1];

function options(signal: AbortSignal, betas: readonly string[]): Options {
  return { signal, timeout: TIMEOUT_MS, maxRetries: 0, headers: betaHeaders(betas) };
}

/** Asks for all that can be told: some capabilities are told only to those who name the beta they belong to. */
async function askingForAll<T>(ask: (betas: readonly string[]) => Promise<T>): Promise<T> {
  try {
    return await ask([COMPACTION_BETA]);
  } catch (error) {
    // A server that does not know the beta.
    if (error instanceof APIError && error.status === 400) return ask([]);
    throw error;
  }
}

async function retrieve(
  client: Anthropic,
  id: string,
  signal: AbortSignal,
): Promise<ModelInfo | typeof ABSENT> {
  try {
    const answer = asObject(
      await askingForAll(async (betas) => client.models.retrieve(id, {}, options(signal, betas))),
    );
    return asText(answer.id) === '' ? ABSENT : toModelInfo(answer);
  } catch (error) {
    if (isUnknownModel(error, id) && !WINDOW_SUFFIX.test(id)) throw error;
    if (isAbsence(error)) return ABSENT;
    throw error;
  }
}

async function newestModel(client: Anthropic, signal: AbortSignal): Promise<ModelInfo> {
  const models = (await list(client, signal)).map(asObject).filter((model) => asText(model.id) !== '');
  const active = models.filter((model) => (asText(model.lifecycle) || 'active') === 'active');
  const newest = newestOf(active.length > 0 ? active : models);
  if (newest !== undefined) return toModelInfo(newest);
  throw new ModelError(
    'not_found',
    'The server does not list its models, so there is no newest one. Set plimsoll.model to the id of the model to use.',
  );
}

async function list(client: Anthropic, signal: AbortSignal): Promise<readonly unknown[]> {
  try {
    // The newest come first, so that one page is enough.
    const answer = asObject(
      await askingForAll(async (betas) => client.models.list({ limit: 100 }, options(signal, betas))),
    );
    return Array.isArray(answer.data) ? (answer.data as unknown[]) : [];
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** The first of the youngest: lists without dates keep the server's order. */
function newestOf(models: readonly Json[]): Json | undefined {
  const released = (model: Json): number => Date.parse(asText(model.created_at)) || 0;
  return models.reduce<Json | undefined>(
    (best, model) => (best === undefined || released(model) > released(best) ? model : best),
    undefined,
  );
}

/** The server answered, and not as the Models API: no such path, no such method, or a page instead of JSON. */
export function isAbsence(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return false;
  const { status } = error as APIError;
  return status === 404 || status === 405 || status === 501;
}

/** A Models API that names the id it does not know, as against a server that does not know the path. */
export function isUnknownModel(error: unknown, id: string): boolean {
  if (!(error instanceof APIError) || error.status !== 404 || error.type !== 'not_found_error') return false;
  const words = error.apiMessage ?? '';
  return words.includes(id) && !words.includes('/v1/models');
}

function toModelInfo(model: Json): ModelInfo {
  const id = asText(model.id);
  // `max_model_len` is what vLLM calls it.
  const window = positive(model.max_input_tokens) ?? positive(model.max_model_len);
  const maxOutput = positive(model.max_tokens);
  const types = asObject(asObject(asObject(model.capabilities).thinking).types);
  const traits = traitsOf(model);
  return {
    id,
    displayName: asText(model.display_name) || id,
    provider: PROVIDER,
    ...(window !== undefined && { window }),
    ...(maxOutput !== undefined && { maxOutput }),
    thinking: asObject(types.adaptive).supported === true ? 'adaptive' : 'none',
    ...(traits && { traits }),
  };
}

function unknownModel(id: string): ModelInfo {
  return { id, displayName: id, provider: PROVIDER, thinking: 'none' };
}

function positive(value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number > 0 ? Math.floor(number) : undefined;
}
