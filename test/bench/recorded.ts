import type { Block, Message } from '../../src/core/model/content.ts';
import type { ModelRequest } from '../../src/core/model/request.ts';

/** A recorded session, in the form of the Messages API. */
export type RecordedBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: 'tool_result';
      readonly tool_use_id: string;
      readonly content: string;
      readonly is_error?: boolean;
    };

export interface RecordedMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly RecordedBlock[];
}

export interface RecordedTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
}

/** Of some recordings only the names of the tools are known. */
export function toTool(tool: RecordedTool | string): RecordedTool {
  if (typeof tool !== 'string') return tool;
  return { name: tool, description: `The ${tool} tool.`, input_schema: { type: 'object' } };
}

export interface RecordedRequest {
  readonly system: readonly { readonly type: 'text'; readonly text: string }[];
  readonly messages: readonly RecordedMessage[];
  readonly tools?: readonly RecordedTool[];
}

/** A request in the form the ruler measures; in the recordings nobody but user and assistant speaks. */
export function toRecorded({ system, signedSummary, messages }: ModelRequest): RecordedRequest {
  const recorded = messages.map(toMessage);
  return {
    system: system.map(({ text }) => ({ type: 'text', text })),
    messages: signedSummary
      ? [{ role: 'user', content: [{ type: 'text', text: signedSummary.text }] }, ...recorded]
      : recorded,
  };
}

export function toRecordedTools(request: ModelRequest): readonly RecordedTool[] {
  return request.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
}

const known = new WeakMap<Block, RecordedBlock>();

function toMessage(message: Message): RecordedMessage {
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  return { role, content: message.content.map(toBlock) };
}

function toBlock(block: Block): RecordedBlock {
  const found = known.get(block);
  if (found !== undefined) return found;
  const made = Object.freeze(convert(block));
  known.set(block, made);
  return made;
}

function convert(block: Block): RecordedBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: block.toolUseId,
        content: block.content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n'),
        ...(block.isError && { is_error: true }),
      };
    case 'thinking':
    case 'redacted_thinking':
    case 'image':
      return { type: 'text', text: `[${block.type}]` };
  }
}
