import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBoundedCounter } from '../../src/node/bounded-count.ts';
import { inGroups, sampleText } from '../../src/node/text-sample.ts';

/** Words, spaces and signs, each a piece; a token per four characters. Remembers what it was made to read. */
function fakeTokenizer() {
  const read: string[] = [];
  const pattern = /\s+|[^\s\p{L}\p{N}]+|[\p{L}\p{N}]+/gu;
  const count = (piece: string): number => {
    read.push(piece);
    return Math.ceil(piece.length / 4);
  };
  return { pattern, count, read };
}

/** What an exact tokenizer of quadratic time would have to do for it. */
const workOf = (pieces: readonly string[]): number =>
  pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece) ** 2, 0);

describe('counting with bounded work', () => {
  it('is exact for text made of words, and reads each piece once', () => {
    const tokenizer = fakeTokenizer();
    const count = createBoundedCounter(tokenizer);
    expect(count(['const a = a + a;', 'a', ''])).toEqual([13, 1, 0]);
    expect(tokenizer.read).toEqual([...new Set(tokenizer.read)]);
  });

  it('T15: never hands the tokenizer a long run', () => {
    const tokenizer = fakeTokenizer();
    const runs = [
      'a'.repeat(20_000),
      '='.repeat(20_000),
      ' '.repeat(20_000),
      'ab'.repeat(10_000),
      '漢字'.repeat(9999),
    ];
    const counts = createBoundedCounter(tokenizer)(runs);
    expect(Math.max(...tokenizer.read.map((piece) => piece.length))).toBeLessThanOrEqual(128);
    counts.forEach((tokens, index) => expect(tokens).toBeCloseTo(runs[index]!.length / 4, -2));
  });

  it('T15: spends a bounded amount of work on any text, and estimates the rest from what it read', () => {
    const tokenizer = fakeTokenizer();
    const distinct = Array.from({ length: 30_000 }, (_, i) =>
      String.fromCodePoint(0x4e00 + (i % 20_000)).repeat(3),
    );
    const words = distinct.map((word, i) => word + 'x'.repeat(36) + i).join(' ');
    const [tokens] = createBoundedCounter(tokenizer)([words]);
    expect(workOf(tokenizer.read)).toBeLessThan(6_000_000);
    const exact = fakeTokenizer();
    const pieces = words.match(exact.pattern)!.map(exact.count);
    expect(Math.abs(tokens! / pieces.reduce((sum, n) => sum + n) - 1)).toBeLessThan(0.05);
  });

  it('P1: cuts chunks between characters', () => {
    const tokenizer = { ...fakeTokenizer(), pattern: /.+/gsu };
    createBoundedCounter(tokenizer)([`x${'🎉'.repeat(5000)}${'👍'.repeat(5000)}`]);
    expect(tokenizer.read.length).toBeGreaterThan(1);
    for (const piece of tokenizer.read) expect(piece.isWellFormed()).toBe(true);
  });
});

describe('a sample of a text', () => {
  it('is the text itself up to a size', () => {
    const text = 'x'.repeat(256 * 1024);
    expect(sampleText(text)).toEqual({ parts: [text], scale: 1 });
  });

  it('of a long text is bounded, reaches both ends, and scales back to the whole', () => {
    const text = `start${'x'.repeat(20_000_000)}end`;
    const { parts, scale } = sampleText(text);
    const chars = parts.join('').length;
    expect(chars).toBeLessThanOrEqual(256 * 1024);
    expect(parts[0]).toMatch(/^start/);
    expect(parts.at(-1)).toMatch(/end$/);
    expect(chars * scale).toBeCloseTo(text.length);
  });
});

describe('groups of texts', () => {
  it('keep every text in order, each group within the bound unless it is one long text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 40 })), fc.integer({ min: 5, max: 60 }), (texts, max) => {
        const groups = inGroups(texts, max);
        expect(groups.flat()).toEqual(texts);
        for (const group of groups) {
          expect(group.length === 1 || group.join('').length + group.length <= max).toBe(true);
        }
      }),
    );
  });
});
