import o200k from 'js-tiktoken/ranks/o200k_base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BytePairs, readRanks } from '../../src/node/byte-pairs.ts';
import { createTextCounter } from '../../src/node/text-counter.ts';
import { lines, messages, noise, only, readModule } from '../support/real-texts.ts';
import { referenceCount } from '../support/reference-tokenizer.ts';

const pairs = new BytePairs(readRanks(o200k.bpe_ranks));
const count = createTextCounter({
  pattern: new RegExp(o200k.pat_str, 'gu'),
  count: (piece) => pairs.count(piece),
});

/** Words, spaces and signs, each a piece; a token per four characters. Remembers what it was made to read. */
function fakeTokenizer() {
  const read: string[] = [];
  const pattern = /\s+|[^\s\p{L}\p{N}]+|[\p{L}\p{N}]+/gu;
  const countPiece = (piece: string): number => {
    read.push(piece);
    return Math.ceil(piece.length / 4);
  };
  return { pattern, count: countPiece, read };
}

const TEXTS: Readonly<Record<string, () => string>> = {
  'English prose': () => readModule('typescript/LICENSE.txt'),
  'a changelog': () => readModule('@anthropic-ai/sdk/CHANGELOG.md', 60_000),
  code: () => readModule('typescript/lib/lib.dom.d.ts', 100_000),
  'minified code': () => readModule('dompurify/dist/purify.min.js'),
  Chinese: () => messages('zh-cn'),
  Japanese: () => messages('ja'),
  Korean: () => messages('ko'),
  Russian: () => messages('ru'),
  'base64 in lines': () => lines(noise(3_000).toString('base64'), 76),
  'emoji of several characters': () => '😀 🎉 ✅ 👍🏽 🔥 👨‍👩‍👧‍👦\n'.repeat(50),
};

describe('counting a text', () => {
  it.each(Object.keys(TEXTS))('is exact for %s', (name) => {
    const text = TEXTS[name]!();
    expect(count(text)).toBe(referenceCount(text));
  });

  it('is exact for any short text, broken Unicode included', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 60 }),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        expect(count(text)).toBe(referenceCount(text));
      }),
    );
  });

  it('T8: is within one in a thousand for scripts without spaces, which it must cut somewhere', () => {
    const short = (script: string, language: string) => only(messages(language, 1e6), script).slice(0, 400);
    for (const text of [short('Han', 'zh-cn'), short('Hangul', 'ko')]) {
      expect(count(text)).toBe(referenceCount(text));
      // A word over and over is as much as one of it, but where the pieces meet.
      const parts = text.repeat(200);
      expect(Math.abs(count(parts) / (200 * pairs.count(text)) - 1)).toBeLessThan(0.005);
      expect(Math.abs(count(parts) / pairs.count(parts) - 1)).toBeLessThan(0.001);
    }
  });

  it('counts a long line at spaces only, so that no word is counted in two parts', () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `word${index % 97}`);
    const tokenizer = fakeTokenizer();
    createTextCounter(tokenizer)(words.join(' '));
    for (const piece of tokenizer.read) expect(piece).toMatch(/^(word\d+| )$/);
  });

  it('reads each piece once', () => {
    const tokenizer = fakeTokenizer();
    const counted = createTextCounter(tokenizer);
    expect([counted('const a = a + a;'), counted('a'), counted('')]).toEqual([13, 1, 0]);
    expect(tokenizer.read).toEqual([...new Set(tokenizer.read)]);
  });

  it('T15: hands no piece on that is longer than a slice, and reads equal ones once', () => {
    const tokenizer = fakeTokenizer();
    expect(createTextCounter(tokenizer)('a'.repeat(1_000_000))).toBe(250_000);
    expect(tokenizer.read.map((piece) => piece.length)).toEqual([16_384, 1_000_000 % 16_384]);
  });

  it('P1: cuts between characters', () => {
    const tokenizer = { ...fakeTokenizer(), pattern: /.+/gsu };
    createTextCounter(tokenizer)(`x${'🎉'.repeat(10_000)}${'👍'.repeat(10_000)}`);
    expect(tokenizer.read.length).toBeGreaterThan(1);
    for (const piece of tokenizer.read) expect(piece.isWellFormed()).toBe(true);
  });
});
