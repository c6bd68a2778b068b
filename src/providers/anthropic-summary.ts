import { ModelError } from '../core/model/errors.ts';
import type { SignedSummary } from '../core/model/relief-entry.ts';
import type { ModelInfo } from '../core/model/request.ts';
import type { Usage } from '../core/model/usage.ts';
import type { SummaryAsk, SummaryReply } from '../core/ports/model.ts';
import { betasOf, COMPACTION_BETA } from './anthropic-betas.ts';
import type { Call } from './anthropic-call.ts';
import { errorFromEvent } from './anthropic-errors.ts';
import { PROVIDER } from './anthropic-models.ts';
import type { ServerEvent } from './anthropic-reply.ts';
import { toWireRequest } from './anthropic-wire.ts';
import type { Json } from './json.ts';
import { asNumber, asObject, asText, parseJson } from './json.ts';

/** The conversation as it stands, with the question for a summary instead of an answer. */
export function toSummaryCall({ request, instructions }: SummaryAsk, info: ModelInfo): Call {
  const { diagnostics: _, ...body } = toWireRequest(request, info);
  return {
    body: {
      ...body,
      compaction: { type: 'summarize', instructions: instructions.toWellFormed() },
    },
    betas: [...new Set([COMPACTION_BETA, ...betasOf(request)])],
  };
}

interface Progress {
  model: string;
  block: Json | undefined;
  stopReason: string;
  usage: Json;
}

/**
 * Reads the answer to {@link toSummaryCall}. Only the stop reason `compaction` with a block that holds a text is a
 * summary; the block is kept exactly as it came.
 * @throws ModelError for an error event, an unreadable event, or a stream that ends before its message does
 */
export async function readSummary(events: AsyncIterable<ServerEvent>): Promise<SummaryReply> {
  const progress: Progress = { model: '', block: undefined, stopReason: '', usage: {} };
  for await (const { event, data } of events) {
    if (data === '') continue;
    const parsed = parseJson(data);
    if (event === 'error' || asObject(parsed).type === 'error') throw errorFromEvent(parsed ?? data);
    if (parsed === undefined)
      throw new ModelError('stream_cut', 'The server sent an event that cannot be read.');
    if (asObject(parsed).type === 'message_stop') return toReply(progress);
    note(progress, asObject(parsed));
  }
  throw new ModelError('stream_cut', 'The connection closed before the summary was complete.');
}

function note(progress: Progress, event: Json): void {
  switch (event.type) {
    case 'message_start': {
      const message = asObject(event.message);
      progress.model = asText(message.model);
      progress.usage = asObject(message.usage);
      return;
    }
    case 'content_block_start': {
      const block = asObject(event.content_block);
      if (block.type === 'compaction') progress.block = block;
      return;
    }
    case 'message_delta':
      progress.stopReason = asText(asObject(event.delta).stop_reason) || progress.stopReason;
      progress.usage = { ...progress.usage, ...asObject(event.usage) };
  }
}

function toReply({ model, block, stopReason, usage }: Progress): SummaryReply {
  const text = asText(block?.content);
  const isWritten = stopReason === 'compaction' && text.trim() !== '';
  const summary: SignedSummary | undefined =
    isWritten && block ? { provider: PROVIDER, model, text, block } : undefined;
  const cost = costOf(usage);
  return { ...(summary && { summary }), ...(cost && { usage: cost }) };
}

/** Writing a summary is billed in entries of its own; the usual fields are zero then, since there was no reply. */
function costOf(usage: Json): Usage | undefined {
  const entries = Array.isArray(usage.iterations) ? (usage.iterations as unknown[]).map(asObject) : [];
  const parts = entries.length > 0 ? entries : [usage];
  const sum = (name: string): number => parts.reduce((total, part) => total + (asNumber(part[name]) ?? 0), 0);
  const cost: Usage = {
    input: sum('input_tokens'),
    cacheRead: sum('cache_read_input_tokens'),
    cacheWrite: sum('cache_creation_input_tokens'),
    output: sum('output_tokens'),
  };
  return Object.values(cost).some((tokens) => tokens > 0) ? cost : undefined;
}
