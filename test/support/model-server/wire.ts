import * as z from 'zod';

/**
 * The request body as the Messages API takes it: strict, so that a field nobody knows is refused as the real server
 * refuses it. Only what a coding agent sends is known here; other tool kinds and blocks are refused like typing errors.
 */

const cacheControl = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() });
const mark = { cache_control: cacheControl.nullish() };

const text = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  citations: z.null().optional(),
  ...mark,
});

const imageSource = z.strictObject({
  type: z.literal('base64'),
  media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.string(),
});
const image = z.strictObject({ type: z.literal('image'), source: imageSource, ...mark });

const thinking = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });
const redactedThinking = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() });

const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input: z.record(z.string(), z.unknown()),
  caller: z.strictObject({ type: z.literal('direct') }).optional(),
  ...mark,
});

const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image]))]).optional(),
  is_error: z.boolean().optional(),
  ...mark,
});

/** A summary that this server wrote and signed; it comes back as it was given. */
const compaction = z.strictObject({
  type: z.literal('compaction'),
  content: z.string().min(1).nullish(),
  signature: z.string().nullish(),
  tool_changes: z.array(z.unknown()).nullish(),
  ...mark,
});

const block = z.discriminatedUnion('type', [
  text,
  image,
  thinking,
  redactedThinking,
  toolUse,
  toolResult,
  compaction,
]);

const message = z.strictObject({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(block)]),
  clear_at: z.enum(['next_user_message', 'never']).nullish(),
});

const tool = z.strictObject({
  type: z.literal('custom').nullish(),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  strict: z.boolean().optional(),
  eager_input_streaming: z.boolean().nullish(),
  ...mark,
});

const thinkingDisplay = z.enum(['summarized', 'omitted']).nullish();
const thinkingConfig = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int(), display: thinkingDisplay }),
  z.strictObject({ type: z.literal('adaptive'), display: thinkingDisplay }),
  z.strictObject({ type: z.literal('disabled') }),
  z.strictObject({ type: z.literal('between_tools') }),
]);

const oneAtATime = { disable_parallel_tool_use: z.boolean().optional() };
const toolChoice = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auto'), ...oneAtATime }),
  z.strictObject({ type: z.literal('any'), ...oneAtATime }),
  z.strictObject({ type: z.literal('tool'), name: z.string(), ...oneAtATime }),
  z.strictObject({ type: z.literal('none') }),
]);

const outputConfig = z.strictObject({
  effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  format: z.unknown().optional(),
});

const prompt = {
  model: z.string(),
  system: z.union([z.string(), z.array(text)]).optional(),
  messages: z.array(message).min(1),
  tools: z.array(tool).optional(),
  tool_choice: toolChoice.optional(),
  thinking: thinkingConfig.optional(),
  output_config: outputConfig.optional(),
  cache_control: cacheControl.nullish(),
  compaction: z
    .strictObject({ type: z.literal('summarize'), instructions: z.string().max(16_384).nullish() })
    .nullish(),
};

/** Sampling is taken here so that a rule can refuse it in its own words. */
const sampling = {
  temperature: z.unknown().optional(),
  top_p: z.unknown().optional(),
  top_k: z.unknown().optional(),
};

export const messagesBody = z.strictObject({
  ...prompt,
  ...sampling,
  max_tokens: z.int().min(0),
  stream: z.boolean().optional(),
  stop_sequences: z.array(z.string()).optional(),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
  diagnostics: z.strictObject({ previous_message_id: z.string().nullish() }).nullish(),
});

export const countBody = z.strictObject(prompt);

export type CacheControl = z.infer<typeof cacheControl>;
export type Block = z.infer<typeof block>;
export type TextBlock = z.infer<typeof text>;
export type ImageBlock = z.infer<typeof image>;
export type ToolUseBlock = z.infer<typeof toolUse>;
export type ToolResultBlock = z.infer<typeof toolResult>;
export type CompactionBlock = z.infer<typeof compaction>;
export type WireTool = z.infer<typeof tool>;
export type MessagesBody = z.infer<typeof messagesBody>;
/** What both endpoints share; `max_tokens` and the rest are absent when tokens are only counted. */
export type PromptBody = z.infer<typeof countBody> & Partial<MessagesBody>;

/** A message with its content as blocks: a string is shorthand for one text block. */
export interface WireMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: readonly Block[];
  /** shown for the turn it follows only */
  readonly isTurnScoped: boolean;
}

export function messagesOf(body: Pick<PromptBody, 'messages'>): readonly WireMessage[] {
  return body.messages.map(({ role, content, clear_at }) => ({
    role,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    isTurnScoped: clear_at === 'next_user_message',
  }));
}

export function systemOf(body: Pick<PromptBody, 'system'>): readonly TextBlock[] {
  if (body.system === undefined) return [];
  return typeof body.system === 'string' ? [{ type: 'text', text: body.system }] : body.system;
}
