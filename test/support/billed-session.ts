import o200k from 'js-tiktoken/ranks/o200k_base';
import { assemble, countables } from '../../src/core/context/assemble.ts';
import { countedPart } from '../../src/core/context/ledger.ts';
import { TokenTable } from '../../src/core/context/token-table.ts';
import type { Block } from '../../src/core/model/content.ts';
import type { Entry, EntryDraft, EntryId, ToolSchema } from '../../src/core/model/entry.ts';
import type { ModelInfo, ModelRequest } from '../../src/core/model/request.ts';
import type { Settings } from '../../src/core/model/settings.ts';
import { DEFAULT_CONTEXT, DEFAULT_MEMORY, DEFAULT_OFFLOAD } from '../../src/core/model/settings.ts';
import type { TokenCounter } from '../../src/core/ports/token-counter.ts';
import { BytePairs, readRanks } from '../../src/node/byte-pairs.ts';
import { createTextCounter } from '../../src/node/text-counter.ts';
import {
  assistant,
  logOf,
  MODEL,
  prompt,
  PROVIDER,
  result,
  text,
  toolUse,
  user,
} from './builders/entries.ts';
import { messages, noise, only, readModule } from './real-texts.ts';

interface Encoding {
  readonly pat_str: string;
  readonly bpe_ranks: string;
}

/** Counts texts of any kind and length by a vocabulary, in this thread. */
export function textCounter(encoding: Encoding = o200k): (text: string) => number {
  const pairs = new BytePairs(readRanks(encoding.bpe_ranks));
  const pattern = new RegExp(encoding.pat_str, 'gu');
  return createTextCounter({ pattern, count: (piece) => pairs.count(piece) });
}

/** A tokenizer port that answers at once. */
export function counterOf(count: (text: string) => number): TokenCounter {
  return { count: (texts) => Promise.resolve(texts.map(count)) };
}

/** What a provider charges for: its own tokens for texts, and its own marks around them. */
export class HiddenBilling {
  readonly #tokens: (text: string) => number;

  constructor(tokens: (text: string) => number) {
    this.#tokens = tokens;
  }

  request({ system, tools, messages: sent }: ModelRequest): number {
    const parts = [
      ...system.map((section) => this.#tokens(section.text)),
      ...tools.map((tool) => this.#tool(tool)),
      ...sent.map(({ content }) => 3 + this.reply(content)),
    ];
    return Math.round(parts.reduce((sum, part) => sum + part, 0));
  }

  reply(blocks: readonly Block[]): number {
    return Math.round(blocks.reduce((sum, block) => sum + this.#block(block), 0));
  }

  #tool({ name, description, inputSchema }: ToolSchema): number {
    return 12 + this.#tokens(name) + this.#tokens(description) + this.#tokens(JSON.stringify(inputSchema));
  }

  #block(block: Block): number {
    switch (block.type) {
      case 'text':
        return this.#tokens(block.text);
      case 'tool_use':
        return 8 + this.#tokens(block.name) + this.#tokens(JSON.stringify(block.input));
      case 'tool_result':
        return 8 + this.reply(block.content);
      case 'image':
        return Math.round((block.width * block.height) / 750);
      case 'thinking':
      case 'redacted_thinking':
        return 0;
    }
  }
}

const info: ModelInfo = {
  id: MODEL,
  displayName: 'Billed',
  provider: PROVIDER,
  window: 1_000_000,
  thinking: 'none',
};
const settings: Settings = {
  model: '',
  maxOutputTokens: 32_000,
  approvalMode: 'ask',
  maxRounds: 200,
  context: DEFAULT_CONTEXT,
  offload: DEFAULT_OFFLOAD,
  memory: DEFAULT_MEMORY,
};

/** What a round of an agent's work reads, the kind changing from one to the next: 2,000 tokens and more of each. */
export const CONTENTS: readonly (readonly [kind: string, text: string])[] = [
  ['English', readModule('typescript/LICENSE.txt', 10_000)],
  ['code', readModule('typescript/lib/lib.dom.d.ts', 14_000)],
  ['Chinese', messages('zh-cn', 6_000)],
  ['base64', noise(4_000).toString('base64')],
  ['Han without a break', only(messages('zh-cn', 1e6), 'Han').slice(4_000, 8_000)],
  ['JSON in one line', JSON.stringify(JSON.parse(readModule('../package-lock.json', 1e6))).slice(0, 9_000)],
  ['Hangul without a break', only(messages('ko', 1e6), 'Hangul').slice(4_000, 8_000)],
  ['minified code', readModule('dompurify/dist/purify.min.js', 9_000)],
  ['a changelog', readModule('@anthropic-ai/sdk/CHANGELOG.md', 8_000)],
];

export interface BilledRound {
  readonly kind: string;
  /** tokens that the request added to what was billed before: as estimated, and as billed */
  readonly estimated: number;
  readonly billed: number;
}

/**
 * A session whose rounds read `contents`, one after the other, billed by a tokenizer that the engine never sees: each
 * request is counted, estimated, and then reported, as in the product.
 */
export async function billedSession(
  billing: HiddenBilling,
  counter: TokenCounter,
  contents = CONTENTS,
): Promise<readonly BilledRound[]> {
  const tokens = new TokenTable();
  const drafts: EntryDraft[] = [];
  const rounds: BilledRound[] = [];
  for (const [kind, content] of contents) {
    if (rounds.length === 0) drafts.push(user(content), prompt());
    else drafts.push(result(`call_${rounds.length}`, content));
    const entries: readonly Entry[] = logOf(...drafts);
    await tokens.count(countables(entries, info), counter);
    const { request, ledger, added } = assemble(entries, { info, settings, tokens });
    const billed = billing.request(request);
    rounds.push({ kind, estimated: ledger.total - added.base, billed: billed - added.base });
    const reply = [text('Let me see the next one.'), toolUse(`call_${rounds.length}`)];
    const usage = { input: billed, cacheRead: 0, cacheWrite: 0, output: billing.reply(reply) };
    const counted = countedPart(added, usage);
    const lastEntryId: EntryId = `e${drafts.length}`;
    const assistantId: EntryId = `e${drafts.length + 1}`;
    drafts.push(assistant(...reply), {
      kind: 'usage',
      assistantId,
      lastEntryId,
      provider: PROVIDER,
      model: MODEL,
      usage,
      estimated: ledger.total,
      ...(counted && { counted }),
      budget: ledger.budget,
    });
  }
  return rounds;
}

/** Share by which the estimate of the added part missed, of every request after so many real usages. */
export function missesAfter(rounds: readonly BilledRound[], usages: number): readonly number[] {
  return rounds.slice(usages).map(({ estimated, billed }) => Math.abs(estimated / billed - 1));
}
