import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundText, takeEnd, takeStart } from '../../../src/core/text/bound-text.ts';

const FAMILY = '👨‍👩‍👧‍👦';

describe('P1: cuts', () => {
  it('leave a pair of surrogates whole', () => {
    expect(takeStart(`${'x'.repeat(9)}🎉`, 10)).toBe('x'.repeat(9));
    expect(takeEnd(`🎉${'x'.repeat(9)}`, 10)).toBe('x'.repeat(9));
  });

  it('leave what is shown as one character whole', () => {
    for (let max = 2; max < 2 + FAMILY.length; max++) expect(takeStart(`ab${FAMILY}c`, max)).toBe('ab');
    expect(takeStart(`ab${FAMILY}c`, 2 + FAMILY.length)).toBe(`ab${FAMILY}`);
    expect(takeStart('e\u0301', 1)).toBe('');
  });

  it('give up on a character without end, between code points', () => {
    const endless = `a${'\u0301'.repeat(10_000)}`;
    expect(takeStart(endless, 500)).toHaveLength(500);
  });

  it('heal what was torn before', () => {
    expect(boundText('a\ud83d', 10)).toBe('a\ufffd');
  });

  it('stay within the bound, well-formed, and say what is missing', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '🎉', FAMILY, 'é', '\ud83d', '\n'), maxLength: 300 });
    fc.assert(
      fc.property(text, fc.integer({ min: 100, max: 200 }), (value, max) => {
        const bounded = boundText(value, max);
        expect(bounded.length).toBeLessThanOrEqual(max);
        expect(bounded.isWellFormed()).toBe(true);
        const left = /\[… (\d+) characters left out …\]/.exec(bounded);
        if (value.length <= max) expect(bounded).toBe(value.toWellFormed());
        else expect(bounded.length - left![0].length - 2 + Number(left![1])).toBe(value.length);
      }),
    );
  });
});
