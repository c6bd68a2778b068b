import fc from 'fast-check';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import { BytePairs, readRanks } from '../../src/node/byte-pairs.ts';
import { noise } from '../support/real-texts.ts';
import { referenceCount } from '../support/reference-tokenizer.ts';

const o200kPairs = new BytePairs(readRanks(o200k.bpe_ranks));

/** A vocabulary of single letters and these tokens, in the order of merging. */
const vocabulary = (...tokens: readonly string[]) =>
  new BytePairs(new Map(['a', 'b', 'c', 'd', ...tokens].map((token, rank) => [token, rank])));

describe('byte pair encoding', () => {
  it('merges the pair of the lowest rank first, wherever it stands', () => {
    // First bc, after which no a is left without its neighbour: a|bc. Lower in rank, ab would have left ab|c|d.
    expect(vocabulary('bc', 'ab', 'cd').count('abcd')).toBe(3);
    expect(vocabulary('ab', 'cd', 'bc').count('abcd')).toBe(2);
  });

  it('merges the leftmost of equals', () => {
    expect(vocabulary('aa').count('aaa')).toBe(2);
    expect(vocabulary('aa', 'aab').count('aaab')).toBe(3);
    expect(vocabulary('aa', 'baa').count('baaa')).toBe(2);
  });

  it('merges what merged before', () => {
    expect(vocabulary('ab', 'abab', 'ababab').count('abababab')).toBe(2);
  });

  it('counts nothing as nothing, and a whole token as one', () => {
    expect(o200kPairs.count('')).toBe(0);
    expect(o200kPairs.count('x')).toBe(1);
    expect(o200kPairs.count(' function')).toBe(1);
  });

  it('is exactly what the reference says, whatever the letters', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'abcxyzéäßжщ漢字仮한글ا𝒳'),
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(letters, (piece) => {
        expect(o200kPairs.count(piece)).toBe(referenceCount(piece));
      }),
    );
    const shouted = noise(600)
      .toString('base64')
      .replaceAll(/[^a-z]/g, '');
    expect(o200kPairs.count(shouted)).toBe(referenceCount(shouted));
  });

  it('T15: takes runs of any length, which take the reference minutes', () => {
    // What the vocabulary allows at best: 8, 64 to 80, and 128 of them a token.
    expect(o200kPairs.count('a'.repeat(20_000))).toBe(2_500);
    expect(o200kPairs.count('='.repeat(20_000))).toBe(312);
    expect(o200kPairs.count(' '.repeat(20_000))).toBe(157);
  });
});
