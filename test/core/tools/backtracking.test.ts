import { describe, expect, it } from 'vitest';
import { judgeBacktracking } from '../../../src/core/tools/backtracking.ts';

describe('an expression that could take for ever is known by its look', () => {
  it.each(['(a+)+$', '(a|a)*$', '((a+))+$', '(?:x(a*)y)+', '([a-z]+)*!', '(a|aa)+b', '(a{1,}){2,}'])(
    '%s',
    (pattern) => {
      expect(judgeBacktracking(pattern).isExponential).toBe(true);
    },
  );

  it.each(['foo.*bar', '(foo|bar)baz', 'a+(b+)', '(abc)+', '\\(a+\\)+', '[(a+)]+', 'f\\(', '(?:a|b) c*'])(
    '%s is harmless',
    (pattern) => expect(judgeBacktracking(pattern).isExponential).toBe(false),
  );

  it('its repetitions are counted', () => {
    expect(judgeBacktracking('.*a.+b\\s{2,}[x*]c{3}').degree).toBe(3);
  });
});
