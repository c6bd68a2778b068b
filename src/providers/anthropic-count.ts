import type { Anthropic } from '@anthropic-ai/sdk';
import type { ModelInfo, ModelRequest } from '../core/model/request.ts';
import { betaHeaders, betasOf } from './anthropic-betas.ts';
import type { Line } from './anthropic-call.ts';
import { guarded } from './anthropic-call.ts';
import { connect } from './anthropic-connection.ts';
import { isAbsence, isUnknownModel } from './anthropic-models.ts';
import { toWireRequest } from './anthropic-wire.ts';
import { asNumber, asObject } from './json.ts';

const TIMEOUT_MS = 30_000;

type CountParams = Anthropic.MessageCountTokensParams;

/**
 * The server's own count; undefined where it has no such service, which is then not asked for again.
 * @throws ModelError, or AbortedError when `signal` fires
 */
export async function countTokens(
  line: Line,
  call: { readonly request: ModelRequest; readonly info: ModelInfo },
  signal: AbortSignal,
): Promise<number | undefined> {
  if (!line.facts.countsTokens) return undefined;
  const count = await guarded(signal, async () => {
    const client = await connect(line.options);
    const { max_tokens: _, stream: __, diagnostics: ___, ...params } = toWireRequest(call.request, call.info);
    const headers = betaHeaders(betasOf(call.request));
    const options = { signal, timeout: TIMEOUT_MS, maxRetries: 0, headers };
    return client.messages.countTokens(params as unknown as CountParams, options).catch((error: unknown) => {
      if (isAbsence(error) && !isUnknownModel(error, call.request.model)) return undefined;
      throw error;
    });
  });
  const tokens = asNumber(asObject(count).input_tokens);
  if (tokens === undefined) line.facts.countsTokens = false;
  return tokens;
}
