import { describe, expect, it } from 'vitest';
import { TokenTable } from '../../../src/core/context/token-table.ts';
import type { Block, ImageBlock } from '../../../src/core/model/content.ts';
import { text, thinking, toolUse } from '../../support/builders/entries.ts';

/** A token a character. Remembers what it was asked. */
function counterByLength() {
  const asked: string[] = [];
  const count = (texts: readonly string[]) => {
    asked.push(...texts);
    return Promise.resolve(texts.map(({ length }) => length));
  };
  return { count, asked };
}

const image = (bytes: number, width: number, height: number): ImageBlock => ({
  type: 'image',
  mediaType: 'image/png',
  data: 'A'.repeat(bytes),
  width,
  height,
});
const resultOf = (...content: readonly (ImageBlock | { type: 'text'; text: string })[]): Block => ({
  type: 'tool_result',
  toolUseId: 'a',
  content,
  isError: false,
});

describe('the token table', () => {
  it('has an estimate at once, and the count when it is there', async () => {
    const table = new TokenTable();
    const block = text('x'.repeat(1_000));
    expect(table.isCounted(block)).toBe(false);
    expect(table.tokens(block)).toBeGreaterThan(0);
    expect(table.isCounted(block)).toBe(false);
    await table.count([block], counterByLength());
    expect(table.isCounted(block)).toBe(true);
    expect(table.tokens(block)).toBe(1_003);
  });

  it('asks for each item once, and not at all for what has no text', async () => {
    const table = new TokenTable();
    const counter = counterByLength();
    const blocks = [text('one'), toolUse('a', { path: 'b' }), image(10, 100, 100), thinking('', 'signed')];
    await table.count(blocks, counter);
    await table.count([...blocks, text('two')], counter);
    expect(counter.asked).toEqual(['one', 'read_file', '{"path":"b"}', 'two']);
  });

  it('keeps the estimates, known as such, where no tokenizer is up', async () => {
    const table = new TokenTable();
    const block = text('some words of English');
    const before = table.tokens(block);
    await table.count([block], { count: () => Promise.resolve(undefined) });
    expect(table.measure(block)).toEqual({ tokens: before, imageTokens: 0, isCounted: false });
  });

  it('counts schemas and sections with all of their text', async () => {
    const table = new TokenTable();
    const tool = { name: 'n', description: 'dd', inputSchema: { a: 1 } };
    const section = { name: 'base', text: 'four' };
    await table.count([tool, section], counterByLength());
    expect(table.tokens(tool)).toBe(20 + 1 + 2 + '{"a":1}'.length);
    expect(table.tokens(section)).toBe(7);
  });

  it('T6: an image costs by its dimensions, not by its bytes, in a tool result as well', async () => {
    const table = new TokenTable();
    const blocks = [resultOf(image(4_000_000, 1_000, 750)), resultOf(image(130_000, 1_000, 750))];
    await table.count(blocks, counterByLength());
    for (const block of blocks)
      expect(table.measure(block)).toEqual({ tokens: 1_014, imageTokens: 1_000, isCounted: true });
  });
});

describe('reasoning that only the provider can read', () => {
  const hidden = thinking('', 's'.repeat(6_000));
  const reply = [hidden, text('done'), toolUse('a', {}, 'go')] as const;
  const shown = 4 + 3 + (2 + 2 + 18);

  it('costs what its reply was billed beside everything else in it', async () => {
    const table = new TokenTable();
    await table.count(reply, counterByLength());
    table.billReply(reply, 1_500);
    expect(table.measure(hidden)).toEqual({ tokens: 1_500 - shown, imageTokens: 0, isCounted: true });
  });

  it('is estimated by its signature until then', () => {
    const table = new TokenTable();
    expect(table.tokens(hidden)).toBeGreaterThan(500);
    expect(table.isCounted(hidden)).toBe(false);
  });

  it('is known for good only once the rest is counted', async () => {
    const table = new TokenTable();
    table.billReply(reply, 1_500);
    expect(table.isCounted(hidden)).toBe(false);
    await table.count(reply, counterByLength());
    table.billReply(reply, 1_500);
    table.billReply(reply, 9_999);
    expect(table.tokens(hidden)).toBe(1_500 - shown);
  });

  it('is never less than nothing, and is shared where there are several blocks of it', () => {
    const table = new TokenTable();
    table.billReply(reply, 3);
    expect(table.tokens(hidden)).toBe(0);
    const two = [thinking('', 'one'), { type: 'redacted_thinking', data: 'two' }] as const;
    table.billReply(two, 800);
    expect(two.map((block) => table.tokens(block))).toEqual([400, 400]);
  });

  it('is no matter of reasoning that is there to be read', async () => {
    const table = new TokenTable();
    const open = thinking('four');
    await table.count([open], counterByLength());
    table.billReply([open], 1_500);
    expect(table.tokens(open)).toBe(7);
  });
});
