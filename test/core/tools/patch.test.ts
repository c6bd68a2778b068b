import { applyPatch, parsePatch, reversePatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { makePatch } from '../../../src/core/tools/patch.ts';

const lines = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${text(index)}\n`).join('');

describe('a patch', () => {
  it.each([
    ['CRLF', 'one\r\ntwo\r\nthree\r\n', 'one\r\nzwei\r\nthree\r\n'],
    ['a blank line at the end of its context', 'x\ntwo\nb\nc\n\nmore\n', 'x\nzwei\nb\nc\n\nmore\n'],
    ['blanks at the end of its context', 'a\nb  \n', 'z\nb  \n'],
    ['blanks as the change itself', 'a\nb\n', 'a\nb  \n'],
    ['no newline at the end', 'a\nb', 'a\nc'],
  ])('leads from before to after and back: %s', (_, before, after) => {
    const { patch } = makePatch({ label: 'f', before, after });
    const [parsed] = parsePatch(patch);
    expect(applyPatch(before, parsed!)).toBe(after);
    expect(applyPatch(after, reversePatch(parsed!))).toBe(before);
  });

  it('counts what is added and removed', () => {
    const { patch, added, removed } = makePatch({ label: 'f', before: 'a\nb\n', after: 'a\nc\nd' });
    expect({ added, removed }).toEqual({ added: 2, removed: 1 });
    expect(patch).toContain('\\ No newline at end of file');
  });

  it.each([300, 1_000, 5_000])(
    'of %i new lines shows at most 400, and says how many are missing',
    (count) => {
      const { patch, added } = makePatch({
        label: 'f',
        after: lines(count, (index) => `line ${index}`),
        isNew: true,
      });
      const shown = patch.split('\n').filter((line) => /^\+line/.test(line)).length;
      const left = Number(/^\\ (\d+) more lines are not shown$/m.exec(patch)?.[1] ?? 0);
      expect(patch).toMatch(/^--- \/dev\/null\n\+\+\+ b\/f\n@@ /);
      expect(added).toBe(count);
      expect(shown).toBeLessThanOrEqual(400);
      expect(shown + left).toBe(count);
    },
  );

  it('P1: is bounded in characters, without tearing any', () => {
    const { patch } = makePatch({ label: 'f', after: lines(300, () => `x${'🎉'.repeat(5_000)}`) });
    expect(patch.length).toBeLessThanOrEqual(40_100);
    expect(patch.isWellFormed()).toBe(true);
  });

  it('of two texts that have nothing in common is their whole stretch, in bounded time', () => {
    const same = 'same\n';
    const { patch, added, removed } = makePatch({
      label: 'f',
      before: same + lines(20_000, (index) => `old ${index}`) + same,
      after: same + lines(30_000, (index) => `new ${index}`) + same,
    });
    expect({ added, removed }).toEqual({ added: 30_000, removed: 20_000 });
    const shown = patch.split('\n');
    expect(shown.slice(0, 4)).toEqual(['--- a/f', '+++ b/f', '@@ -2,20000 +2,30000 @@', '-old 0']);
    expect(shown).toContain('\\ 19800 more lines are not shown');
    expect(shown).toContain('+new 0');
    expect(shown).toContain('\\ 29800 more lines are not shown');
  });
});
