import type { Anthropic } from '@anthropic-ai/sdk';
import type { AssistantBlock, Message, ResultBlock, UserBlock } from '../core/model/content.ts';
import type { ToolSchema } from '../core/model/entry.ts';
import type { ModelInfo, ModelRequest } from '../core/model/request.ts';

type WireRequest = Anthropic.MessageCreateParamsStreaming;
type WireBlock = Anthropic.ContentBlockParam;
type WireMessage = Anthropic.MessageParam;

const EPHEMERAL = { type: 'ephemeral' } as const;

/**
 * The border between the conversation and the Messages API. Deterministic: the same request gives the same bytes,
 * which is what keeps the provider's cache and the signatures of its thinking valid.
 *
 * All text leaves well-formed (lone surrogates become U+FFFD), except what the provider signed: thinking goes back
 * byte for byte. No sampling parameters are sent; the API refuses them.
 */
export function toWireRequest(request: ModelRequest, info: ModelInfo): WireRequest {
  const system = request.system
    .filter((section) => section.text.trim() !== '')
    .map((section): Anthropic.TextBlockParam => ({ type: 'text', text: section.text.toWellFormed() }));
  const tools = [...request.tools].sort(byName).map(toWireTool);
  if (request.cacheMarks.system) mark(system.at(-1) ?? tools.at(-1));
  const messages = request.messages.map(toWireMessage);
  for (const index of request.cacheMarks.messages) markMessage(messages[index]);
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    ...(system.length > 0 && { system }),
    ...(tools.length > 0 && { tools }),
    messages,
    ...(info.thinking === 'adaptive' && { thinking: { type: 'adaptive', display: 'summarized' } }),
    stream: true,
  };
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
  return message.role === 'user'
    ? { role: 'user', content: message.content.map(toWireUserBlock) }
    : { role: 'assistant', content: message.content.map(toWireAssistantBlock) };
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

type Cacheable = Exclude<WireBlock, Anthropic.ThinkingBlockParam | Anthropic.RedactedThinkingBlockParam>;

function mark(block: Cacheable | Anthropic.Tool | undefined): void {
  if (block !== undefined) block.cache_control = EPHEMERAL;
}

/** Thinking and empty text cannot carry a mark, so the last block that can gets it. */
function markMessage(message: WireMessage | undefined): void {
  if (message === undefined || typeof message.content === 'string') return;
  const blocks: readonly WireBlock[] = message.content;
  mark(blocks.findLast(isCacheable));
}

function isCacheable(block: WireBlock): block is Cacheable {
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return false;
  return block.type !== 'text' || block.text.trim() !== '';
}
