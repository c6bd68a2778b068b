import type { Anthropic } from '@anthropic-ai/sdk';
import type {
  AssistantBlock,
  Message,
  ResultBlock,
  SystemMessage,
  UserBlock,
} from '../core/model/content.ts';
import { assertNever } from '../core/model/assert-never.ts';
import type { ToolSchema } from '../core/model/entry.ts';
import type { SignedSummary } from '../core/model/relief-entry.ts';
import type { ModelInfo, ModelRequest } from '../core/model/request.ts';

export type WireRequest = Anthropic.Beta.Messages.MessageCreateParamsStreaming;
type WireBlock = Anthropic.Beta.Messages.BetaContentBlockParam;
type WireMessage = Anthropic.Beta.Messages.BetaMessageParam;

const EPHEMERAL = { type: 'ephemeral' } as const;

/** The provider's limit, for the whole request. */
const MOST_MARKS = 4;

/**
 * The border between the conversation and the Messages API. Deterministic: the same request gives the same bytes,
 * which is what keeps the provider's cache and the signatures of its thinking valid.
 *
 * All text leaves well-formed (lone surrogates become U+FFFD), except what the provider signed: thinking goes back
 * byte for byte, and so does a signed summary. No sampling parameters are sent; the API refuses them.
 *
 * Cache marks: the one behind the system prompt first, then the messages from the newest, up to the provider's limit.
 * They count in `request.messages`, whatever stands in front of those.
 */
export function toWireRequest(request: ModelRequest, info: ModelInfo): WireRequest {
  const system = request.system
    .filter((section) => section.text.trim() !== '')
    .map((section): Anthropic.TextBlockParam => ({ type: 'text', text: section.text.toWellFormed() }));
  const tools = [...request.tools].sort(byName).map(toWireTool);
  const { cacheMarks, signedSummary } = request;
  if (cacheMarks.system) mark(system.at(-1) ?? tools.at(-1));
  const messages = request.messages.map(toWireMessage);
  const places = new Set(cacheMarks.messages.map((index) => markable(messages, index)));
  const newest = [...places].sort((a, b) => b - a).slice(0, MOST_MARKS - (cacheMarks.system ? 1 : 0));
  for (const index of newest) markMessage(messages[index]);
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    ...(system.length > 0 && { system }),
    ...(tools.length > 0 && { tools }),
    messages: signedSummary ? [summaryMessage(signedSummary), ...messages] : messages,
    ...(info.thinking === 'adaptive' && { thinking: { type: 'adaptive', display: 'summarized' } }),
    // Only Anthropic's own server describes what its models can do, and only it says why it missed the cache.
    ...(info.traits && { diagnostics: { previous_message_id: request.previousMessageId ?? null } }),
    stream: true,
  };
}

/** A message of its own: what was kept behind it may begin with the assistant as well as with the user. */
function summaryMessage({ block }: SignedSummary): WireMessage {
  return { role: 'assistant', content: [block as unknown as WireBlock] };
}

function byName(a: ToolSchema, b: ToolSchema): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

function toWireTool(tool: ToolSchema): Anthropic.Tool {
  return {
    name: tool.name,
    description: tool.description.toWellFormed(),
    input_schema: wellFormed(tool.inputSchema) as Anthropic.Tool.InputSchema,
  };
}

function toWireMessage(message: Message): WireMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.content.map(toWireUserBlock) };
    case 'assistant':
      return { role: 'assistant', content: message.content.map(toWireAssistantBlock) };
    case 'system':
      return toWireSystemMessage(message);
    default:
      return assertNever(message);
  }
}

function toWireSystemMessage({ content, clearAt }: SystemMessage): WireMessage {
  const text = content.map((block) => ({ type: 'text' as const, text: block.text.toWellFormed() }));
  return { role: 'system', content: text, ...(clearAt && { clear_at: clearAt }) };
}

function toWireUserBlock(block: UserBlock): WireBlock {
  if (block.type !== 'tool_result') return toWireResultBlock(block);
  return {
    type: 'tool_result',
    tool_use_id: block.toolUseId,
    content: block.content.map(toWireResultBlock),
    ...(block.isError && { is_error: true }),
  };
}

function toWireResultBlock(block: ResultBlock): Anthropic.TextBlockParam | Anthropic.ImageBlockParam {
  if (block.type === 'text') return { type: 'text', text: block.text.toWellFormed() };
  return { type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.data } };
}

function toWireAssistantBlock(block: AssistantBlock): WireBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text.toWellFormed() };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: toWireInput(block.input) };
  }
}

/** The API takes objects only; input the model wrote as something else is kept, wrapped. */
function toWireInput(input: unknown): unknown {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject ? wellFormed(input) : { invalid_input: wellFormed(input) };
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key.toWellFormed(), wellFormed(field)]),
  );
}

type Cacheable = WireBlock & { cache_control?: Anthropic.CacheControlEphemeral | null };

function mark(block: Cacheable | Anthropic.Tool | undefined): void {
  if (block !== undefined) block.cache_control = EPHEMERAL;
}

/** What is no longer shown after its turn may not carry a mark: the message before it gets the mark. */
function markable(messages: readonly WireMessage[], index: number): number {
  let place = index;
  while (isTurnScoped(messages[place])) place--;
  return place;
}

function isTurnScoped(message: WireMessage | undefined): boolean {
  return message?.role === 'system' && message.clear_at === 'next_user_message';
}

/** Thinking and empty text cannot carry a mark, so the last block that can gets it. */
function markMessage(message: WireMessage | undefined): void {
  if (message?.content === undefined || typeof message.content === 'string') return;
  const blocks: readonly WireBlock[] = message.content;
  mark(blocks.findLast(isCacheable));
}

function isCacheable(block: WireBlock): block is Cacheable {
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return false;
  return block.type !== 'text' || block.text.trim() !== '';
}
