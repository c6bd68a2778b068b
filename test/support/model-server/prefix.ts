import { createHash } from 'node:crypto';
import type { TokenCounter } from './tokens.ts';
import { messagesOf, systemOf } from './wire.ts';
import type { Block, CacheControl, PromptBody, WireMessage, WireTool } from './wire.ts';

export type Part = 'tools' | 'system' | 'messages';

/** One place in the prompt's order tools → system → messages, where a prefix can end. */
export interface Position {
  readonly part: Part;
  /** of everything up to and including this place, cache marks left out */
  readonly hash: string;
  /** of everything before this place, without any thinking: what a thinking block here is bound to */
  readonly boundTo: string;
  /** tokens of everything up to and including this place */
  readonly tokens: number;
  /** as error messages name it: `messages.2.content.0` */
  readonly path: string;
  /** index into `messages`; -1 for tools and system */
  readonly message: number;
  readonly block: Block | WireTool;
  readonly mark?: CacheControl;
}

/** The prompt as the places where a prefix can end, and what the reply's thinking will be bound to. */
export interface Prefix {
  readonly positions: readonly Position[];
  readonly tokens: number;
  readonly boundTo: string;
}

interface Piece {
  readonly part: Part;
  readonly path: string;
  readonly message: number;
  readonly role: string;
  readonly block: Block | WireTool;
  readonly tokens: number;
  readonly opens: boolean;
  /** it is the first of its message that is not thinking, which may be left out */
  readonly opensBound: boolean;
}

function sha256(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

export function isThinking(block: Block | WireTool): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

function messagePieces(message: WireMessage, index: number, counter: TokenCounter): readonly Piece[] {
  const firstSaid = message.content.findIndex((block) => !isThinking(block));
  return message.content.map((block, at) => ({
    part: 'messages',
    path: `messages.${index}.content.${at}`,
    message: index,
    role: message.role,
    block,
    tokens: counter.block(block, at === 0),
    opens: at === 0,
    opensBound: at === firstSaid,
  }));
}

function pieces(body: PromptBody, counter: TokenCounter): readonly Piece[] {
  const fixed = { message: -1, opens: true, opensBound: true } as const;
  const tools = (body.tools ?? []).map<Piece>((block, index) => ({
    ...fixed,
    part: 'tools',
    path: `tools.${index}`,
    role: 'tool',
    block,
    tokens: counter.tool(block),
  }));
  const system = systemOf(body).map<Piece>((block, index) => ({
    ...fixed,
    part: 'system',
    path: `system.${index}`,
    role: 'system prompt',
    block,
    tokens: counter.block(block, index === 0),
  }));
  return [
    ...tools,
    ...system,
    ...messagesOf(body).flatMap((message, at) => messagePieces(message, at, counter)),
  ];
}

/** A block without what does not count as the conversation: cache marks, and fields that only the reply carries. */
function essence(block: Block | WireTool): object {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'tool_use')
    return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
  return { ...block, cache_control: undefined };
}

/** What thinking that follows `block` is bound to. */
export function bindBehind(
  boundTo: string,
  block: Block | WireTool,
  as: { role: string; opens: boolean },
): string {
  return isThinking(block) ? boundTo : sha256(boundTo, JSON.stringify([as.role, as.opens, essence(block)]));
}

export function readPrefix(body: PromptBody, counter: TokenCounter): Prefix {
  const positions: Position[] = [];
  let hash = sha256(body.model);
  let boundTo = hash;
  let tokens = 0;
  for (const { part, path, message, role, block, opens, opensBound, ...piece } of pieces(body, counter)) {
    hash = sha256(hash, JSON.stringify([part, role, opens, essence(block)]));
    tokens += piece.tokens;
    const mark = 'cache_control' in block ? block.cache_control : undefined;
    positions.push({ part, hash, boundTo, tokens, path, message, block, ...(mark && { mark }) });
    boundTo = bindBehind(boundTo, block, { role, opens: opensBound });
  }
  return { positions, tokens, boundTo };
}
