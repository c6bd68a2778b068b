import type { Block, ResultBlock } from '../model/content.ts';
import type { PromptSection, ToolSchema } from '../model/entry.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { estimateImageTokens, estimateTokens } from './estimate-tokens.ts';

/** Anything in a request that costs tokens. Identity is the key: these objects never change. */
export type Countable = Block | PromptSection | ToolSchema;

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

/**
 * Tokens of blocks by the reference tokenizer: each is counted once, off the event loop, and remembered. What has not
 * been counted yet is estimated from its characters, so a number is always there at once.
 */
export class TokenTable {
  readonly #counted = new WeakMap<Countable, number>();
  readonly #estimated = new WeakMap<Countable, number>();

  tokens(item: Countable): number {
    const known = this.#counted.get(item) ?? this.#estimated.get(item);
    if (known !== undefined) return known;
    const estimate = fixedTokens(item) + textsOf(item).reduce((sum, text) => sum + estimateTokens(text), 0);
    this.#estimated.set(item, estimate);
    return estimate;
  }

  /** Counts what has not been counted. Without a tokenizer the estimates stand. Never rejects. */
  async count(items: readonly Countable[], counter: TokenCounter): Promise<void> {
    const uncounted = items.filter((item) => !this.#counted.has(item));
    if (uncounted.length === 0) return;
    const texts = uncounted.map(textsOf);
    const counts = await counter.count(texts.flat());
    if (counts === undefined) return;
    let next = 0;
    uncounted.forEach((item, index) => {
      const ownTexts = texts[index] ?? [];
      const own = counts.slice(next, next + ownTexts.length);
      next += ownTexts.length;
      this.#counted.set(
        item,
        own.reduce((sum, count) => sum + count, fixedTokens(item)),
      );
    });
  }
}

/** Tokens that do not depend on text. */
function fixedTokens(item: Countable): number {
  if ('inputSchema' in item) return TOOL_OVERHEAD;
  if (!('type' in item)) return OVERHEAD.text;
  if (item.type === 'tool_result') return OVERHEAD.tool_result + sum(item.content.map(imageTokens));
  return OVERHEAD[item.type] + (item.type === 'image' ? imageTokens(item) : 0);
}

function textsOf(item: Countable): readonly string[] {
  if ('inputSchema' in item) return [item.name, item.description, JSON.stringify(item.inputSchema)];
  if (!('type' in item)) return [item.text];
  switch (item.type) {
    case 'text':
      return [item.text];
    case 'thinking':
      return [item.thinking];
    case 'redacted_thinking':
      return [item.data];
    case 'tool_use':
      return [item.name, JSON.stringify(item.input) ?? ''];
    case 'tool_result':
      return item.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    case 'image':
      return [];
  }
}

function imageTokens(block: ResultBlock): number {
  return block.type === 'image' ? estimateImageTokens(block.width, block.height) : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
