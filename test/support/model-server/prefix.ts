import { createHash } from 'node:crypto';
import type { SummarySeal, SummarySigner } from './summary-seal.ts';
import type { TokenCounter } from './tokens.ts';
import { messagesOf, systemOf } from './wire.ts';
import type { Block, CacheControl, PromptBody, WireMessage, WireTool } from './wire.ts';

export type Part = 'tools' | 'system' | 'messages';

/** One place in the prompt's order tools → system → messages, where a prefix can end. */
export interface Position {
  readonly part: Part;
  /** of everything up to and including this place, cache marks left out */
  readonly hash: string;
  /**
   * Of everything before this place, without any thinking: what a thinking block here may be bound to. The first is
   * the conversation as it stands; behind a signed summary the others are what it stood for.
   */
  readonly bindings: readonly string[];
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
  /** what may be bound to the end, as in {@link Position.bindings} */
  readonly bindings: readonly string[];
  /** of model, tools and system prompt */
  readonly frame: string;
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
  /** stays in the array and is no longer shown */
  readonly isCleared: boolean;
}

function sha256(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

export function isThinking(block: Block | WireTool): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

function messagePieces(
  { message, isCleared }: { readonly message: WireMessage; readonly isCleared: boolean },
  index: number,
  counter: TokenCounter,
): readonly Piece[] {
  const isSaid = (block: Block) => !isThinking(block) && block.type !== 'compaction';
  const firstSaid = message.content.findIndex(isSaid);
  return message.content.map((block, at) => ({
    part: 'messages',
    path: `messages.${index}.content.${at}`,
    message: index,
    role: message.role,
    block,
    tokens: isCleared ? 0 : counter.block(block, at === 0),
    opens: at === 0,
    opensBound: at === firstSaid,
    isCleared,
  }));
}

function pieces(body: PromptBody, counter: TokenCounter): readonly Piece[] {
  const fixed = { message: -1, opens: true, opensBound: true, isCleared: false } as const;
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
  return [...tools, ...system, ...messageListPieces(messagesOf(body), counter)];
}

/** A turn-scoped message is cleared by any later message of the user, results of tools included. */
function messageListPieces(messages: readonly WireMessage[], counter: TokenCounter): readonly Piece[] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  return messages.flatMap((message, at) =>
    messagePieces({ message, isCleared: message.isTurnScoped && at < lastUser }, at, counter),
  );
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

export interface PrefixReader {
  readonly counter: TokenCounter;
  readonly summarySigner: SummarySigner;
}

export function readPrefix(body: PromptBody, { counter, summarySigner }: PrefixReader): Prefix {
  const positions: Position[] = [];
  const walk = { hash: sha256(body.model), bindings: [sha256(body.model)], frame: '', tokens: 0 };
  for (const piece of pieces(body, counter)) {
    const { part, path, message, block } = piece;
    if (part === 'messages' && walk.frame === '') walk.frame = walk.bindings[0] ?? '';
    // What is not shown is no part of what is cached, and still part of what thinking is bound to.
    if (!piece.isCleared)
      walk.hash = sha256(walk.hash, JSON.stringify([part, piece.role, piece.opens, essence(block)]));
    walk.tokens += piece.tokens;
    const mark = 'cache_control' in block ? block.cache_control : undefined;
    const { hash, bindings, tokens } = walk;
    positions.push({ part, hash, bindings, tokens, path, message, block, ...(mark && { mark }) });
    const as = { role: piece.role, opens: piece.opensBound };
    walk.bindings = bindings.map((boundTo) => bindBehind(boundTo, block, as));
    const seal = block.type === 'compaction' ? summarySigner.read(block) : undefined;
    if (seal) walk.bindings.push(...stoodFor(seal, walk.frame, messagesOf(body)));
  }
  return { positions, tokens: walk.tokens, bindings: walk.bindings, frame: walk.frame };
}

/** What kept thinking may be bound to behind a summary: nothing else may have changed, and nothing come between. */
function stoodFor(seal: SummarySeal, frame: string, messages: readonly WireMessage[]): readonly string[] {
  const next = messages[0]?.content.length === 1 ? messages[1] : messages[0];
  const continues = next === undefined || (next.role !== 'system' && next.role !== seal.lastRole);
  return seal.frame === frame && continues ? seal.ends : [];
}
