import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateImageTokens, estimateTokens } from '../../../src/core/context/estimate-tokens.ts';
import { lines, messages, noise, only, readModule as read } from '../../support/real-texts.ts';
import { referenceCount } from '../../support/reference-tokenizer.ts';

const SAMPLES: Readonly<Record<string, () => string>> = {
  'English prose': () => read('typescript/LICENSE.txt'),
  'a changelog': () => read('@anthropic-ai/sdk/CHANGELOG.md'),
  TypeScript: () => read('typescript/lib/lib.dom.d.ts'),
  JavaScript: () => read('@anthropic-ai/sdk/client.js'),
  'minified code': () => read('dompurify/dist/purify.min.js', 10_000),
  JSON: () => read('../package-lock.json'),
  'JSON in one line': () => JSON.stringify(JSON.parse(read('../package.json', 1e6))),
  Chinese: () => messages('zh-cn'),
  'Chinese in traditional characters': () => messages('zh-tw'),
  Japanese: () => messages('ja'),
  Korean: () => messages('ko'),
  Russian: () => messages('ru'),
  German: () => messages('de'),
  Polish: () => messages('pl'),
  Turkish: () => messages('tr'),
  'base64 without a break': () => noise(3000).toString('base64'),
  'base64 in lines': () => lines(noise(3000).toString('base64'), 76),
  'hex without a break': () => noise(2000).toString('hex'),
  'a log': () =>
    Array.from(
      { length: 150 },
      (_, i) =>
        `2026-11-1${i % 10}T12:3${i % 6}:1${i % 10}.${100 + i}Z INFO [worker-${i % 7}] took ${i * 13} ms`,
    ).join('\n'),
  'a drawn table': () => '┌────────┬─────┐\n│ name   │ tok │\n└────────┴─────┘\n'.repeat(50),
  emoji: () => '😀 🎉 ✅ 👍🏽 🔥 👨‍👩‍👧‍👦\n'.repeat(50),
};

const ratio = (text: string): number => estimateTokens(text) / referenceCount(text);

describe('the estimate of what no tokenizer has counted', () => {
  it.each(Object.keys(SAMPLES))('is within a quarter of the reference for %s', (name) => {
    const share = ratio(SAMPLES[name]!());
    expect(share).toBeGreaterThan(0.75);
    expect(share).toBeLessThan(1.25);
  });

  it('T8: is within a quarter for 20k Han, 20k Hangul, and code with Chinese comments', () => {
    const han = lines(only(messages('zh-cn', 1e6), 'Han').slice(0, 20_000));
    const hangul = lines(only(messages('ko', 1e6), 'Hangul').slice(0, 20_000));
    const code = Array.from(
      { length: 100 },
      (_, i) =>
        `  // 计算第 ${i} 个元素的平均值，如果为空则返回零\n  const value${i} = average(items[${i}]); // 缓存结果`,
    ).join('\n');
    expect(han.length).toBeGreaterThan(20_000);
    expect(hangul.length).toBeGreaterThan(20_000);
    for (const share of [ratio(han), ratio(hangul), ratio(code)])
      expect(Math.abs(share - 1)).toBeLessThan(0.25);
  });

  it('T15: knows that repeats are cheap, where one token per few characters would be a lie', () => {
    // The reference: 25 tokens for 200 of the letter, 3 for 200 of the sign.
    expect(estimateTokens('a'.repeat(20_000))).toBeLessThan(3000);
    expect(estimateTokens('='.repeat(20_000))).toBeLessThan(1000);
    expect(estimateTokens(' '.repeat(20_000))).toBeLessThan(1000);
  });

  it('says the same of a text that it samples as of the same text in parts', () => {
    const part = read('@anthropic-ai/sdk/client.js', 60_000) + noise(3000).toString('base64');
    const share = estimateTokens(part.repeat(10)) / (estimateTokens(part) * 10);
    expect(Math.abs(share - 1)).toBeLessThan(0.05);
  });

  it('is a whole number that is 0 for nothing only, whatever the text', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = estimateTokens(text);
        expect(Number.isInteger(tokens)).toBe(true);
        expect(tokens > 0).toBe(text !== '');
      }),
    );
  });

  it('grows with the text it is of', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (head, tail) => {
        expect(estimateTokens(`${head}\n\n${tail}`)).toBeGreaterThanOrEqual(estimateTokens(head));
      }),
    );
  });
});

describe('the estimate of an image', () => {
  it('T6: goes by dimensions', () => {
    expect(estimateImageTokens(750, 1000)).toBe(1000);
    expect(estimateImageTokens(200, 200)).toBe(54);
    expect(estimateImageTokens(1, 1)).toBe(1);
  });

  it('T6: is that of the image scaled down to the longest edge the model sees', () => {
    expect(estimateImageTokens(6272, 1568)).toBe(estimateImageTokens(1568, 392));
    expect(estimateImageTokens(8000, 8000)).toBe(1600);
  });

  it('T6: is the most an image can cost where the dimensions are unknown', () => {
    expect(estimateImageTokens(0, 0)).toBe(1600);
    expect(estimateImageTokens(NaN, 10)).toBe(1600);
  });
});
