import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inGroups, sampleText } from '../../src/node/text-sample.ts';

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
