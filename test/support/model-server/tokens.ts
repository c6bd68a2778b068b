import type { Block, ImageBlock, TextBlock, WireTool } from './wire.ts';

/** Tokens of a text. Must be deterministic, and linear in the text's length whatever the text is. */
export type TokenizeText = (text: string) => number;

const WORDS =
  /\p{Script=Han}|\p{Script=Hangul}|[\p{Script=Hiragana}\p{Script=Katakana}]|\p{L}+|\d{1,3}|[^\s\p{L}\d]+|\s*\n+|[^\S\n]{2,}/gu;
const LETTERS_PER_TOKEN = 5;
const MARKS_PER_TOKEN = 2;

function tokensOfWord(word: string): number {
  if (/^\s/.test(word)) return 1;
  return /^\p{L}/u.test(word)
    ? Math.ceil(word.length / LETTERS_PER_TOKEN)
    : Math.ceil(word.length / MARKS_PER_TOKEN);
}

/**
 * The server's own tokenizer, which no client knows: words of up to five letters, pairs of signs, one ideograph each.
 * A client has to learn its factor from the usage it reports, as with a real model.
 */
function countText(text: string): number {
  let tokens = 0;
  for (const [word] of text.matchAll(WORDS)) tokens += tokensOfWord(word);
  return tokens;
}

const MESSAGE_OVERHEAD = 3;
const TOOL_OVERHEAD = 12;
const TOOL_BLOCK_OVERHEAD = 8;
const PIXELS_PER_TOKEN = 750;
const UNKNOWN_IMAGE = 1_600;

/** A PNG's size stands in its header; other formats cost a fixed amount. */
function countImage({ source }: ImageBlock): number {
  if (source.media_type !== 'image/png') return UNKNOWN_IMAGE;
  const header = Buffer.from(source.data.slice(0, 48), 'base64');
  if (header.length < 24) return UNKNOWN_IMAGE;
  return Math.ceil((header.readUInt32BE(16) * header.readUInt32BE(20)) / PIXELS_PER_TOKEN);
}

/** Counts the parts of a prompt; equal texts are counted once. */
export class TokenCounter {
  readonly #cache = new Map<string, number>();
  readonly #tokenize: TokenizeText;

  constructor(tokenize: TokenizeText = countText) {
    this.#tokenize = tokenize;
  }

  text(text: string): number {
    const known = this.#cache.get(text);
    if (known !== undefined) return known;
    const tokens = this.#tokenize(text);
    if (this.#cache.size > 20_000) this.#cache.clear();
    this.#cache.set(text, tokens);
    return tokens;
  }

  tool(tool: WireTool): number {
    return (
      TOOL_OVERHEAD +
      this.text(tool.name) +
      this.text(tool.description ?? '') +
      this.text(JSON.stringify(tool.input_schema))
    );
  }

  /** A block of a message; the first of a message carries the message's own cost. */
  block(block: Block | TextBlock, isFirst: boolean): number {
    return this.#content(block) + (isFirst ? MESSAGE_OVERHEAD : 0);
  }

  #content(block: Block): number {
    switch (block.type) {
      case 'text':
        return this.text(block.text);
      case 'image':
        return countImage(block);
      case 'thinking':
        return this.text(block.thinking);
      case 'redacted_thinking':
        return this.text(block.data.slice(0, 200));
      case 'tool_use':
        return TOOL_BLOCK_OVERHEAD + this.text(block.name) + this.text(JSON.stringify(block.input));
      case 'tool_result':
        return TOOL_BLOCK_OVERHEAD + this.#result(block.content);
      case 'compaction':
        return this.text(block.content ?? '');
    }
  }

  #result(content: string | readonly (TextBlock | ImageBlock)[] | undefined): number {
    if (content === undefined) return 0;
    if (typeof content === 'string') return this.text(content);
    return content.reduce((sum, block) => sum + this.#content(block), 0);
  }
}
