import type {
  AssistantBlock,
  Block,
  RedactedThinkingBlock,
  ResultBlock,
  ThinkingBlock,
} from '../model/content.ts';
import type { PromptSection, ToolSchema } from '../model/entry.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { estimateImageTokens, estimateTokens } from './estimate-tokens.ts';

/** Anything in a request that costs tokens. Identity is the key: these objects never change. */
export type Countable = Block | PromptSection | ToolSchema;

/** What the reference tokenizer says of an item, before calibration. */
export interface Measure {
  /** images included */
  readonly tokens: number;
  /** of its images: they cost by dimensions, whatever the tokenizer */
  readonly imageTokens: number;
  /** counted by the tokenizer or billed by the provider, not estimated */
  readonly isCounted: boolean;
}

/** What a block costs beside its text: role and block markers, ids. Measured on the Messages API's billing. */
const OVERHEAD = {
  text: 3,
  thinking: 3,
  redacted_thinking: 3,
  image: 3,
  tool_use: 18,
  tool_result: 14,
} as const;
const TOOL_OVERHEAD = 20;

/** Characters of a signature per token of the reasoning it holds, encrypted and in base64. A guess until it is billed. */
const SIGNATURE_CHARS_PER_TOKEN = 6;

/**
 * Tokens of blocks by the reference tokenizer: each is counted once, off the event loop, and remembered. What has not
 * been counted yet is estimated from its characters, so a number is always there at once.
 */
export class TokenTable {
  readonly #measures = new WeakMap<Countable, Measure>();

  /** One look-up once the item was seen. */
  measure(item: Countable): Measure {
    const known = this.#measures.get(item);
    if (known !== undefined) return known;
    const texts = textsOf(item);
    const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), fixedTokens(item));
    return this.#remember(item, tokens, texts.length === 0 && !isHiddenThinking(item));
  }

  tokens(item: Countable): number {
    return this.measure(item).tokens;
  }

  /** False as long as its tokens are an estimate. */
  isCounted(item: Countable): boolean {
    return this.#measures.get(item)?.isCounted ?? false;
  }

  /** Those that a tokenizer has still to count. */
  uncounted(items: readonly Countable[]): readonly Countable[] {
    return items.filter((item) => !this.isCounted(item) && !isHiddenThinking(item));
  }

  /** Counts what has not been counted. Without a tokenizer the estimates stand. Never rejects. */
  async count(items: readonly Countable[], counter: TokenCounter): Promise<void> {
    const uncounted = this.uncounted(items);
    if (uncounted.length === 0) return;
    const texts = uncounted.map(textsOf);
    const counts = await counter.count(texts.flat());
    if (counts === undefined) return;
    let next = 0;
    uncounted.forEach((item, index) => {
      const end = next + (texts[index]?.length ?? 0);
      const tokens = counts.slice(next, end).reduce((sum, count) => sum + count, fixedTokens(item));
      next = end;
      this.#remember(item, tokens, true);
    });
  }

  /**
   * Reasoning that only the provider can read has no text to count: it is what a reply was billed beside its other
   * blocks. `tokens` is the reply's output ÷ factor. Once everything else in it is counted, the answer is final.
   */
  billReply(blocks: readonly AssistantBlock[], tokens: number): void {
    if (!blocks.some((block) => isHiddenThinking(block) && !this.isCounted(block))) return;
    const hidden = blocks.filter(isHiddenThinking);
    const shown = blocks.filter((block) => !isHiddenThinking(block));
    const rest = Math.max(0, tokens - shown.reduce((sum, block) => sum + this.tokens(block), 0));
    const isFinal = shown.every((block) => this.isCounted(block));
    for (const block of hidden) this.#remember(block, Math.round(rest / hidden.length), isFinal);
  }

  #remember(item: Countable, tokens: number, isCounted: boolean): Measure {
    const measure = { tokens, imageTokens: imagesOf(item), isCounted };
    this.#measures.set(item, measure);
    return measure;
  }
}

/** Reasoning whose words are kept by the provider: an empty text with a signature that holds it, or redacted data. */
function isHiddenThinking(item: Countable): item is ThinkingBlock | RedactedThinkingBlock {
  if (!('type' in item)) return false;
  return item.type === 'redacted_thinking' || (item.type === 'thinking' && item.thinking === '');
}

/** Tokens that do not depend on text. */
function fixedTokens(item: Countable): number {
  if ('inputSchema' in item) return TOOL_OVERHEAD;
  if (!('type' in item)) return OVERHEAD.text;
  const fixed = OVERHEAD[item.type] + imagesOf(item);
  return isHiddenThinking(item) ? fixed + hiddenTokens(item) : fixed;
}

function hiddenTokens(item: ThinkingBlock | RedactedThinkingBlock): number {
  const held = item.type === 'thinking' ? item.signature : item.data;
  return Math.round(held.length / SIGNATURE_CHARS_PER_TOKEN);
}

function textsOf(item: Countable): readonly string[] {
  if ('inputSchema' in item) return [item.name, item.description, JSON.stringify(item.inputSchema)];
  if (!('type' in item)) return [item.text];
  switch (item.type) {
    case 'text':
      return [item.text];
    case 'thinking':
      return item.thinking === '' ? [] : [item.thinking];
    case 'redacted_thinking':
      return [];
    case 'tool_use':
      return [item.name, JSON.stringify(item.input) ?? ''];
    case 'tool_result':
      return item.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    case 'image':
      return [];
  }
}

function imagesOf(item: Countable): number {
  if (!('type' in item)) return 0;
  if (item.type === 'image') return imageTokens(item);
  return item.type === 'tool_result' ? item.content.reduce((sum, part) => sum + imageTokens(part), 0) : 0;
}

function imageTokens(block: ResultBlock): number {
  return block.type === 'image' ? estimateImageTokens(block.width, block.height) : 0;
}
