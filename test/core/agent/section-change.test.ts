import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeInLines } from '../../../src/core/agent/section-change.ts';

const lines = fc.array(fc.constantFrom('- a', '- b', '- c', '- c', '  under it', '', '# Title'), {
  maxLength: 8,
});

/** Lines said to be new, and said to be gone. */
function told(change: string): { readonly added: string[]; readonly gone: string[] } {
  const [added = '', gone = ''] = change.split('\nNo longer in it:');
  const listed = (part: string) => part.split('\n').filter((line) => /^(?:- |# | {2})/.test(line));
  return { added: listed(added), gone: listed(gone) };
}

const counted = (all: readonly string[]) => all.filter((line) => line.trim() !== '').sort();

describe('a change of a section', () => {
  it('adds up: what was there, what is new, and what is gone give what there is now', () => {
    fc.assert(
      fc.property(lines, lines, (before, now) => {
        const change = changeInLines(before.join('\n'), now.join('\n'));
        if (change === undefined) {
          expect(counted(now)).toEqual(counted(before));
          return;
        }
        if (change === now.join('\n')) return;
        const { added, gone } = told(change);
        expect(counted([...before, ...added])).toEqual(counted([...now, ...gone]));
      }),
    );
  });

  it('is never longer told than the whole', () => {
    fc.assert(
      fc.property(lines, lines, (before, now) => {
        const whole = now.join('\n');
        expect((changeInLines(before.join('\n'), whole) ?? '').length).toBeLessThanOrEqual(whole.length);
      }),
    );
  });

  it('keeps lines with what they stand under', () => {
    const rest = Array.from({ length: 20 }, (_, index) => `- fact ${index}`).join('\n');
    expect(changeInLines(`- a\n  old\n${rest}`, `- a\n  new\n${rest}`)).toMatch(
      /New in it:\n- a\n {2}new\nNo longer in it:\n- a\n {2}old$/,
    );
  });
});
