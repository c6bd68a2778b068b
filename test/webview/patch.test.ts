import { describe, expect, it } from 'vitest';
import { patchLines } from '../../webview/patch.ts';

describe('a patch', () => {
  it('is read as numbered lines, without its file header', () => {
    const patch = [
      '--- a/a.ts',
      '+++ b/a.ts',
      '@@ -3,3 +3,3 @@ function f() {',
      ' same',
      '-old',
      '+new',
      ' end',
      '@@ -20 +20,2 @@',
      ' far',
      '+added',
      '\\ No newline at end of file',
      '',
    ].join('\n');
    expect(patchLines(patch)).toEqual([
      { kind: 'context', number: 3, text: 'same' },
      { kind: 'removed', number: 4, text: 'old' },
      { kind: 'added', number: 4, text: 'new' },
      { kind: 'context', number: 5, text: 'end' },
      { kind: 'gap', text: '' },
      { kind: 'context', number: 20, text: 'far' },
      { kind: 'added', number: 21, text: 'added' },
      { kind: 'gap', text: 'No newline at end of file' },
    ]);
  });

  it('keeps lines that look like headers inside a hunk', () => {
    const lines = patchLines('@@ -1,1 +1,1 @@\n--- x\n+++ y');
    expect(lines.map(({ kind, text }) => [kind, text])).toEqual([
      ['removed', '-- x'],
      ['added', '++ y'],
    ]);
  });

  it('that was cut to a bound is read as far as it goes', () => {
    const lines = patchLines('@@ -1,0 +1,500 @@\n+one\n\\ 499 more lines are not shown\n');
    expect(lines.map(({ kind, text }) => [kind, text])).toEqual([
      ['added', 'one'],
      ['gap', '499 more lines are not shown'],
    ]);
  });

  it('is nothing where there is no hunk', () => {
    expect(patchLines('Binary files differ')).toEqual([]);
  });
});
