import type { CacheUse } from './prompt-cache.ts';
import type { PlannedReply } from './reply.ts';
import type { ContentBlock, Message, RawMessageStreamEvent, Usage } from './sdk-types.ts';
import type { Block } from './wire.ts';

/** A reply in the words of the wire: as one message, or as the events of a stream. */

export type StreamEvent = RawMessageStreamEvent | { readonly type: 'ping' };

/** An event, or a wait before the next. */
export type Beat =
  | { readonly kind: 'event'; readonly event: StreamEvent }
  | { readonly kind: 'pause'; readonly until: Promise<unknown> | number };

export type UsageMode = 'truthful' | 'zero' | 'none';

export interface WireContext {
  readonly model: string;
  readonly cache: CacheUse;
  readonly diagnostics: Message['diagnostics'];
  readonly usage: UsageMode;
  readonly isCompaction: boolean;
  /** most characters in one delta */
  readonly deltaChars: number;
  /** milliseconds before every delta, until the reply sets its own pace */
  readonly paceMs: number;
}

/** Writing a signed summary is billed apart: no reply was made, so the usual fields are zero. */
function usageOf(reply: PlannedReply, context: WireContext, output: number): Usage {
  const whole = plainUsage(reply, context, output);
  if (!context.isCompaction) return whole;
  const zero = plainUsage(reply, { ...context, usage: 'zero' }, 0);
  return { ...zero, iterations: [{ type: 'compaction', ...whole }] } as Usage;
}

function plainUsage(reply: PlannedReply, { cache, usage }: WireContext, output: number): Usage {
  const tokens = (count: number) => (usage === 'zero' ? 0 : count);
  return {
    input_tokens: tokens(cache.uncached),
    cache_read_input_tokens: tokens(cache.read),
    cache_creation_input_tokens: tokens(cache.written),
    cache_creation: {
      ephemeral_1h_input_tokens: tokens(cache.writtenForAnHour),
      ephemeral_5m_input_tokens: tokens(cache.written - cache.writtenForAnHour),
    },
    output_tokens: tokens(output),
    output_tokens_details: { thinking_tokens: tokens(Math.min(output, reply.thinkingTokens)) },
    inference_geo: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
  };
}

function contentBlock(block: Block): ContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, citations: null };
    case 'tool_use':
      return {
        type: 'tool_use',
        id: block.id,
        name: block.name,
        input: block.input,
        caller: { type: 'direct' },
      };
    case 'thinking':
    case 'redacted_thinking':
      return block;
    case 'compaction':
      // Of the SDK's beta types.
      return block as unknown as ContentBlock;
    case 'image':
    case 'tool_result':
      throw new Error(`a model does not say ${block.type}`);
  }
}

/** `compaction` is of the SDK's beta types. */
function stopReasonOf(reply: PlannedReply): Message['stop_reason'] {
  return reply.stopReason as Message['stop_reason'];
}

/** Without a `usage`, where the server pretends to be one that reports none. */
function withUsage<T extends { usage: unknown }>(value: T, mode: UsageMode): T {
  if (mode !== 'none') return value;
  const { usage: _usage, ...rest } = value;
  return rest as T;
}

function emptyMessage(reply: PlannedReply, context: WireContext): Message {
  const message: Message = {
    id: reply.id,
    type: 'message',
    role: 'assistant',
    model: context.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: context.diagnostics,
    usage: usageOf(reply, context, 1),
  };
  return withUsage(message, context.usage);
}

/** The blocks of a reply, as they are said. */
export function blocksOf(reply: PlannedReply): readonly Block[] {
  return reply.happenings.flatMap((happening) => (happening.kind === 'block' ? [happening.block] : []));
}

export function wholeMessage(reply: PlannedReply, context: WireContext): Message {
  const message: Message = {
    ...emptyMessage(reply, context),
    content: blocksOf(reply).map(contentBlock),
    stop_reason: stopReasonOf(reply),
    usage: usageOf(reply, context, reply.outputTokens),
  };
  return withUsage(message, context.usage);
}

/** Cuts on code points, so that no delta holds half a character. */
function chunks(text: string, size: number): readonly string[] {
  const characters = [...text];
  const starts = Array.from({ length: Math.ceil(characters.length / size) }, (_, index) => index * size);
  return starts.map((start) => characters.slice(start, start + size).join(''));
}

type Deltas = readonly (RawMessageStreamEvent & { type: 'content_block_delta' })['delta'][];

function deltasOf(block: ContentBlock, json: string | undefined, size: number): Deltas {
  switch (block.type) {
    case 'text':
      return chunks(block.text, size).map((text) => ({ type: 'text_delta', text }));
    case 'thinking':
      return [
        ...chunks(block.thinking, size).map((thinking) => ({ type: 'thinking_delta', thinking }) as const),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'tool_use':
      return ['', ...chunks(json ?? JSON.stringify(block.input), size)].map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      }));
    default:
      return [];
  }
}

function opening(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return { ...block, text: '' };
    case 'thinking':
      return { ...block, thinking: '', signature: '' };
    case 'tool_use':
      return { ...block, input: {} };
    default:
      return block;
  }
}

function event(streamed: StreamEvent): Beat {
  return { kind: 'event', event: streamed };
}

function* blockBeats(
  block: { readonly said: Block; readonly json: string | undefined; readonly index: number },
  pace: { readonly size: number; readonly ms: number },
): Generator<Beat> {
  const { index } = block;
  const content = contentBlock(block.said);
  yield event({ type: 'content_block_start', index, content_block: opening(content) });
  if (index === 0) yield event({ type: 'ping' });
  for (const delta of deltasOf(content, block.json, pace.size)) {
    if (pace.ms > 0) yield { kind: 'pause', until: pace.ms };
    yield event({ type: 'content_block_delta', index, delta });
  }
  yield event({ type: 'content_block_stop', index });
}

/** The stream of a reply, in the exact order of the real one. */
export function* streamBeats(reply: PlannedReply, context: WireContext): Generator<Beat> {
  yield event({ type: 'message_start', message: emptyMessage(reply, context) });
  let index = 0;
  let ms = context.paceMs;
  for (const happening of reply.happenings) {
    if (happening.kind === 'pause') yield happening;
    if (happening.kind === 'pace') ms = happening.ms;
    if (happening.kind !== 'block') continue;
    const { block: said, json } = happening;
    yield* blockBeats({ said, json, index: index++ }, { size: context.deltaChars, ms });
  }
  yield event({
    type: 'message_delta',
    delta: { stop_reason: stopReasonOf(reply), stop_sequence: null, stop_details: null, container: null },
    ...withUsage({ usage: usageOf(reply, context, reply.outputTokens) }, context.usage),
  });
  yield event({ type: 'message_stop' });
}
