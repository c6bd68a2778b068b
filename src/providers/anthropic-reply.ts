import type { AssistantBlock } from '../core/model/content.ts';
import type { CacheMiss, StopReason } from '../core/model/entry.ts';
import { ModelError } from '../core/model/errors.ts';
import type { ModelEvent, ModelMessage } from '../core/model/request.ts';
import type { Usage } from '../core/model/usage.ts';
import { errorFromEvent } from './anthropic-errors.ts';
import type { Json } from './json.ts';
import { asNumber, asObject, asText, parseJson } from './json.ts';

/** One server-sent event, before its data is read. */
export interface ServerEvent {
  readonly event: string | null;
  readonly data: string;
}

type Draft =
  | { readonly type: 'text'; text: string }
  | { readonly type: 'thinking'; thinking: string; signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly startInput: Json;
      json: string;
    };

interface Reply {
  id: string;
  model: string;
  stopReason: StopReason;
  cacheMiss: CacheMiss | undefined;
  readonly drafts: Map<number, Draft>;
  /** blocks already told to the caller, by index */
  readonly finished: Map<number, AssistantBlock>;
  readonly usage: { input: number; cacheRead: number; cacheWrite: number; output: number };
}

const STOP_REASONS: ReadonlySet<string> = new Set<StopReason>([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
]);

/** Stops that may fall in the middle of a block. */
const CUTS: ReadonlySet<StopReason> = new Set([
  'max_tokens',
  'refusal',
  'model_context_window_exceeded',
  'aborted',
]);

/**
 * Folds the events of one streamed reply. Unknown events, blocks and deltas are skipped: servers add kinds over time.
 * A tool call comes out only when its input is whole: of a reply that was cut inside a call, the call is left out.
 * @throws ModelError for an error event, an unreadable event, or a stream that ends before its message does
 */
export async function* readReply(events: AsyncIterable<ServerEvent>): AsyncGenerator<ModelEvent, void> {
  const reply: Reply = {
    id: '',
    model: '',
    stopReason: 'end_turn',
    cacheMiss: undefined,
    drafts: new Map(),
    finished: new Map(),
    usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
  };
  for await (const { event, data } of events) {
    if (data === '' || data.trim() === '[DONE]') continue;
    const parsed = parseJson(data);
    if (event === 'error' || asObject(parsed).type === 'error') throw errorFromEvent(parsed ?? data);
    if (parsed === undefined)
      throw new ModelError(
        'stream_cut',
        `The server sent an event that cannot be read: ${data.slice(0, 200)}`,
      );
    if (asObject(parsed).type === 'message_stop') {
      yield* finishReply(reply);
      return;
    }
    yield* applyEvent(reply, asObject(parsed));
  }
  throw new ModelError('stream_cut', 'The connection closed before the answer was complete.');
}

function applyEvent(reply: Reply, event: Json): readonly ModelEvent[] {
  const index = asNumber(event.index) ?? 0;
  switch (event.type) {
    case 'message_start': {
      const message = asObject(event.message);
      reply.id = asText(message.id);
      reply.model = asText(message.model);
      reply.cacheMiss = cacheMissOf(message);
      mergeUsage(reply, asObject(message.usage));
      return [];
    }
    case 'content_block_start':
      return startBlock(reply, index, asObject(event.content_block));
    case 'content_block_delta':
      return applyDelta(reply.drafts.get(index), asObject(event.delta));
    case 'content_block_stop':
      return stopBlock(reply, index);
    case 'message_delta': {
      const reason = asObject(event.delta).stop_reason;
      if (typeof reason === 'string')
        reply.stopReason = STOP_REASONS.has(reason) ? (reason as StopReason) : 'end_turn';
      mergeUsage(reply, asObject(event.usage));
      return [];
    }
    default:
      return [];
  }
}

function startBlock(reply: Reply, index: number, block: Json): readonly ModelEvent[] {
  const draft = draftOf(block);
  if (draft === undefined) return [];
  reply.drafts.set(index, draft);
  if (draft.type === 'tool_use') return [{ type: 'tool_use_started', toolUseId: draft.id, name: draft.name }];
  if (draft.type === 'text' && draft.text !== '') return [{ type: 'text_delta', text: draft.text }];
  if (draft.type === 'thinking' && draft.thinking !== '')
    return [{ type: 'thinking_delta', text: draft.thinking }];
  return [];
}

function draftOf(block: Json): Draft | undefined {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: asText(block.text) };
    case 'thinking':
      return { type: 'thinking', thinking: asText(block.thinking), signature: asText(block.signature) };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: asText(block.data) };
    case 'tool_use':
      return {
        type: 'tool_use',
        id: asText(block.id),
        name: asText(block.name),
        startInput: asObject(block.input),
        json: '',
      };
    default:
      return undefined;
  }
}

function applyDelta(draft: Draft | undefined, delta: Json): readonly ModelEvent[] {
  if (draft?.type === 'text' && delta.type === 'text_delta') {
    const text = asText(delta.text);
    draft.text += text;
    return [{ type: 'text_delta', text }];
  }
  if (draft?.type === 'thinking' && delta.type === 'thinking_delta') {
    const text = asText(delta.thinking);
    draft.thinking += text;
    return [{ type: 'thinking_delta', text }];
  }
  if (draft?.type === 'thinking' && delta.type === 'signature_delta')
    draft.signature = asText(delta.signature);
  if (draft?.type === 'tool_use' && delta.type === 'input_json_delta')
    draft.json += asText(delta.partial_json);
  return [];
}

/** Tells a block that is certainly whole; what may yet turn out to be cut waits for the stop reason. */
function stopBlock(reply: Reply, index: number): readonly ModelEvent[] {
  const draft = reply.drafts.get(index);
  const block = draft && wholeBlock(draft);
  if (block === undefined) return [];
  reply.finished.set(index, block);
  return [{ type: 'block_finished', block }];
}

function wholeBlock(draft: Draft): AssistantBlock | undefined {
  switch (draft.type) {
    case 'text':
      return draft.text === '' ? undefined : { type: 'text', text: draft.text };
    case 'thinking':
      return draft.signature === '' ? undefined : { ...draft };
    case 'redacted_thinking':
      return draft;
    case 'tool_use': {
      const input = wholeInput(draft);
      return input && { type: 'tool_use', id: draft.id, name: draft.name, input };
    }
  }
}

/** An object cannot be whole JSON and cut at the same time; nothing at all can. */
function wholeInput(draft: Draft & { type: 'tool_use' }): Json | undefined {
  if (draft.json === '') return Object.keys(draft.startInput).length > 0 ? draft.startInput : undefined;
  const parsed = parseJson(draft.json);
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return isObject ? (parsed as Json) : undefined;
}

function* finishReply(reply: Reply): Generator<ModelEvent, void> {
  const blocks: AssistantBlock[] = [];
  const lastIndex = Math.max(-1, ...reply.drafts.keys());
  for (const [index, draft] of [...reply.drafts].sort(([a], [b]) => a - b)) {
    const told = reply.finished.get(index);
    const mayBeCut = CUTS.has(reply.stopReason) && index === lastIndex;
    const block = told ?? wholeBlock(draft) ?? (mayBeCut ? undefined : unusualBlock(draft));
    if (block === undefined) continue;
    if (told === undefined) yield { type: 'block_finished', block };
    blocks.push(block);
  }
  yield { type: 'message', message: toMessage(reply, blocks) };
}

/** What ended in the ordinary way without being whole: a call without input, or with input that is no JSON object. */
function unusualBlock(draft: Draft): AssistantBlock | undefined {
  // Servers that do not sign their thinking take it back unsigned.
  if (draft.type === 'thinking') return draft.thinking === '' ? undefined : { ...draft };
  if (draft.type !== 'tool_use') return undefined;
  // The text itself as input: validation then answers the model with an error it can act on.
  const input = draft.json.trim() === '' ? {} : draft.json;
  return { type: 'tool_use', id: draft.id, name: draft.name, input };
}

function toMessage(reply: Reply, blocks: readonly AssistantBlock[]): ModelMessage {
  const usage: Usage = { ...reply.usage };
  const isReported = Object.values(usage).some((tokens) => tokens > 0);
  const { id, model, stopReason, cacheMiss } = reply;
  return { id, model, blocks, stopReason, ...(isReported && { usage }), ...(cacheMiss && { cacheMiss }) };
}

/** Without a reason nothing was missed, or the server had not found out yet. */
function cacheMissOf(message: Json): CacheMiss | undefined {
  const told = asObject(asObject(message.diagnostics).cache_miss_reason);
  const reason = asText(told.type);
  const missedTokens = asNumber(told.cache_missed_input_tokens);
  return reason === '' ? undefined : { reason, ...(missedTokens !== undefined && { missedTokens }) };
}

/** Counts are cumulative and never shrink; null or a missing field says nothing new. */
function mergeUsage({ usage }: Reply, told: Json): void {
  usage.input = Math.max(usage.input, asNumber(told.input_tokens) ?? 0);
  usage.cacheRead = Math.max(usage.cacheRead, asNumber(told.cache_read_input_tokens) ?? 0);
  usage.cacheWrite = Math.max(usage.cacheWrite, asNumber(told.cache_creation_input_tokens) ?? 0);
  usage.output = Math.max(usage.output, asNumber(told.output_tokens) ?? 0);
}
