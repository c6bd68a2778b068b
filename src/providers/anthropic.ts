import type { ModelEvent, ModelInfo, ModelRequest } from '../core/model/request.ts';
import type { ModelPort } from '../core/ports/model.ts';
import { betasOf } from './anthropic-betas.ts';
import type { Call, Line } from './anthropic-call.ts';
import { guarded, streamEvents, throwIfAborted } from './anthropic-call.ts';
import type { AnthropicModelOptions } from './anthropic-connection.ts';
import { connect } from './anthropic-connection.ts';
import { countTokens } from './anthropic-count.ts';
import { describeModel, PROVIDER } from './anthropic-models.ts';
import { readReply } from './anthropic-reply.ts';
import { readSummary, toSummaryCall } from './anthropic-summary.ts';
import { toWireRequest } from './anthropic-wire.ts';

export type { AnthropicModelOptions } from './anthropic-connection.ts';

/**
 * Models behind the Messages API. Address and credentials come from the options alone: the process environment must
 * not redirect a key. The agent retries, visibly; nothing here does.
 */
export function createAnthropicModel(options: AnthropicModelOptions): Required<ModelPort> {
  const resolved = new Map<string, ModelInfo>();
  const line: Line = { options, facts: { refusesDiagnostics: false, countsTokens: true } };
  return {
    provider: PROVIDER,
    async resolve(id, signal) {
      const known = resolved.get(id);
      if (known !== undefined) return known;
      const info = await guarded(signal, async () => describeModel(await connect(options), id, signal));
      resolved.set(id, info);
      return info;
    },
    stream: (request, info, signal) => streamReply(line, toCall(request, info), signal),
    summarize: async (ask, info, signal) => readSummary(streamEvents(line, toSummaryCall(ask, info), signal)),
    countTokens: (request, info, signal) => countTokens(line, { request, info }, signal),
  };
}

function toCall(request: ModelRequest, info: ModelInfo): Call {
  return { body: toWireRequest(request, info), betas: betasOf(request) };
}

async function* streamReply(line: Line, call: Call, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
  for await (const event of readReply(streamEvents(line, call, signal))) {
    throwIfAborted(signal);
    yield event;
  }
}
