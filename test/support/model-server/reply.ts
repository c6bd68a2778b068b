import { randomBytes } from 'node:crypto';
import { bindBehind, isThinking } from './prefix.ts';
import { lastLink } from './rules/thinking.ts';
import { summaryOf } from './rules/compaction.ts';
import type { CheckedRequest } from './rules/rule.ts';
import { fill, quote } from './scenario.ts';
import type { Part } from './scenario.ts';
import type { ScenarioRequest } from './conversation.ts';
import type { StopReason } from './sdk-types.ts';
import { callMark } from './summary-seal.ts';
import { linkTo } from './thinking.ts';
import type { TokenCounter } from './tokens.ts';
import type { Block, ToolUseBlock } from './wire.ts';

type Said = Exclude<Block, { type: 'tool_result' | 'image' }>;

/** What happens in a reply, in order. */
export type Happening =
  | {
      readonly kind: 'block';
      readonly block: Said;
      /** of a call, when it is cut off */ readonly json?: string;
    }
  | { readonly kind: 'pause'; readonly until: Promise<unknown> | number }
  | { readonly kind: 'pace'; readonly ms: number };

export interface PlannedReply {
  readonly id: string;
  readonly happenings: readonly Happening[];
  readonly stopReason: StopReason;
  readonly outputTokens: number;
  readonly thinkingTokens: number;
}

/** The reply to a request for a signed summary: the block alone, or nothing where it did not end as a summary ends. */
export function planSummary(parts: readonly Part[], context: ReplyContext): PlannedReply {
  const { request, conversation } = context;
  const told = planReply(parts, context);
  const blocks = told.happenings.flatMap((happening) =>
    happening.kind === 'block' ? [happening.block] : [],
  );
  const content = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  const waits = told.happenings.filter(({ kind }) => kind !== 'block');
  const isWhole = told.stopReason === 'end_turn' && content.trim() !== '';
  // A scenario may say that the summary failed after all: then the block comes without one.
  if (!isWhole && told.stopReason !== 'compaction') return { ...told, happenings: waits };
  const calls = request.messages.flatMap((message) =>
    message.content.flatMap((block) => (block.type === 'tool_use' ? [callMark(block.id)] : [])),
  );
  const signature = request.summarySigner.sign(content, {
    frame: request.prefix.frame,
    ends: request.profile.bindsThinking ? [...request.prefix.bindings] : [],
    lastRole: request.messages.at(-1)?.role ?? 'user',
    answers: conversation.answers,
    turns: conversation.turn + 1,
    calls: [...(summaryOf(request)?.calls ?? []), ...calls],
  });
  const block: Said = isWhole
    ? { type: 'compaction', content, signature, tool_changes: [] }
    : { type: 'compaction', content: null };
  return { ...told, happenings: [...waits, { kind: 'block', block }], stopReason: 'compaction' };
}

export interface ReplyContext {
  readonly request: CheckedRequest;
  readonly conversation: ScenarioRequest;
  readonly counter: TokenCounter;
}

function newId(kind: 'msg' | 'toolu'): string {
  return `${kind}_01${randomBytes(16).toString('base64url').replace(/[-_]/g, 'x')}`;
}

/** Makes the reply as the request's limits and settings allow it. @throws ScenarioError when a fact is missing */
export function planReply(parts: readonly Part[], context: ReplyContext): PlannedReply {
  const { request, counter } = context;
  const planner = new Planner(context);
  for (const part of parts) {
    if (planner.stopReason !== undefined) break;
    planner.add(part);
  }
  const { happenings } = planner;
  const blocks = happenings.flatMap((happening) => (happening.kind === 'block' ? [happening.block] : []));
  const count = (some: readonly Block[]) => some.reduce((sum, block) => sum + counter.block(block, false), 0);
  const callsTool = blocks.some(({ type }) => type === 'tool_use');
  return {
    id: newId('msg'),
    happenings,
    stopReason:
      request.body.max_tokens === 0
        ? 'max_tokens'
        : (planner.stopReason ?? (callsTool ? 'tool_use' : 'end_turn')),
    outputTokens: Math.max(1, count(blocks)),
    thinkingTokens: count(blocks.filter(isThinking)),
  };
}

class Planner {
  readonly happenings: Happening[] = [];
  stopReason: StopReason | undefined;
  readonly #context: ReplyContext;
  #boundTo: string;
  #after: string;
  #hasSaid = false;
  #left: number;

  constructor(context: ReplyContext) {
    const { request } = context;
    this.#context = context;
    this.#boundTo = request.prefix.bindings[0] ?? '';
    this.#after = lastLink(request);
    this.#left = allowance(request);
  }

  add(part: Part): void {
    const { conversation } = this.#context;
    switch (part.kind) {
      case 'text':
        return this.#say({ type: 'text', text: quote(part.text, conversation) });
      case 'thinking':
        return this.#think((seal) => {
          const thought = this.#isOmitted() ? '' : quote(part.text, conversation);
          return { type: 'thinking', thinking: thought, signature: seal(thought) };
        });
      case 'redacted_thinking':
        return this.#think((seal) => ({ type: 'redacted_thinking', data: seal('') }));
      case 'tool_use':
        return this.#call(part);
      case 'stop':
        this.stopReason = part.reason;
        return;
      case 'fail':
        throw new Error('a failure is no part of a reply');
      case 'pause':
      case 'pace':
        this.happenings.push(part);
    }
  }

  #isOmitted(): boolean {
    const thinking = this.#context.request.body.thinking;
    return thinking !== undefined && 'display' in thinking && thinking.display === 'omitted';
  }

  #think(make: (seal: (text: string) => string) => Said): void {
    const { body, signer } = this.#context.request;
    if (body.thinking?.type !== 'adaptive' && body.thinking?.type !== 'enabled') return;
    const block = make((text) =>
      signer.sign(text, { model: body.model, boundTo: this.#boundTo, after: this.#after }),
    );
    if (block.type === 'thinking') this.#after = linkTo(block.signature);
    if (block.type === 'redacted_thinking') this.#after = linkTo(block.data);
    this.#push(block);
  }

  #call(part: Extract<Part, { kind: 'tool_use' }>): void {
    const input = fill(part.input, this.#context.conversation) as ToolUseBlock['input'];
    const block: Said = { type: 'tool_use', id: newId('toolu'), name: part.name, input };
    if (part.cutAfter === undefined) return this.#say(block);
    this.happenings.push({ kind: 'block', block, json: JSON.stringify(input).slice(0, part.cutAfter) });
    this.stopReason = 'max_tokens';
  }

  #say(block: Said): void {
    this.#push(block);
    this.#boundTo = bindBehind(this.#boundTo, block, { role: 'assistant', opens: !this.#hasSaid });
    this.#hasSaid = true;
  }

  /** A block that does not fit is cut where the room ends, and the reply with it. */
  #push(block: Said): void {
    const tokens = this.#context.counter.block(block, false);
    if (tokens > this.#left) {
      this.#pushCut(block, this.#left / tokens);
      this.stopReason = isWindowFull(this.#context.request) ? 'model_context_window_exceeded' : 'max_tokens';
      return;
    }
    this.#left -= tokens;
    this.happenings.push({ kind: 'block', block });
  }

  #pushCut(block: Said, share: number): void {
    const cut = (whole: string) =>
      whole.slice(0, Math.floor(whole.length * share)).replace(/\p{Surrogate}$/u, '');
    if (block.type === 'text' && cut(block.text).trim() !== '')
      this.happenings.push({ kind: 'block', block: { ...block, text: cut(block.text) } });
    if (block.type === 'tool_use')
      this.happenings.push({ kind: 'block', block, json: cut(JSON.stringify(block.input)) });
  }
}

function room({ prefix, profile }: CheckedRequest): number {
  return Math.max(0, profile.window - prefix.tokens);
}

function isWindowFull(request: CheckedRequest): boolean {
  return room(request) < (request.body.max_tokens ?? 0);
}

function allowance(request: CheckedRequest): number {
  return Math.min(request.body.max_tokens ?? 0, room(request));
}
