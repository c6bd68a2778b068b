import { describe, expect, it } from 'vitest';
import { actionOf, covers, inOneLine } from '../../../src/core/context/tool-action.ts';

describe('what a call does', () => {
  it.each([
    ['read_file', { path: 'a.ts' }, { kind: 'read', path: 'a.ts', what: 'read_file a.ts' }],
    ['Read', { file_path: ' a.ts ' }, { kind: 'read', path: 'a.ts', what: 'Read a.ts' }],
    ['edit_file', { path: 'a.ts' }, { kind: 'edit', path: 'a.ts', what: 'edit_file a.ts' }],
    ['write_file', { path: 'a.ts' }, { kind: 'edit', path: 'a.ts', what: 'write_file a.ts' }],
    ['str_replace', { path: 'a.ts' }, { kind: 'edit', path: 'a.ts', what: 'str_replace a.ts' }],
    ['run_command', { command: 'npm\n test' }, { kind: 'command', what: 'run_command `npm test`' }],
    ['shell', { cmd: ['ls', '-l'] }, { kind: 'command', what: 'shell `ls -l`' }],
    ['search', { pattern: 'low', path: 'src' }, { kind: 'search', what: 'search `low` in src' }],
    ['list_files', { path: 'src' }, { kind: 'search', what: 'list_files src' }],
    ['web_fetch', { url: 'x.org' }, { kind: 'other', what: 'web_fetch `x.org`' }],
    ['ask', { question: 'Why?' }, { kind: 'other', what: 'ask Why?' }],
  ])('is told by its name and input: %s %j', (name, input, action) => {
    expect(actionOf(name, input)).toEqual(action);
  });

  it.each([undefined, null, 'text', 7, [], { path: 7 }, { path: ' ' }])(
    'is at least its name, with %j',
    (input) => {
      expect(actionOf('read_file', input)).toMatchObject({ kind: 'other' });
      expect(actionOf('read_file', input).what).toMatch(/^read_file/);
    },
  );

  it.each([
    [{ start_line: 3, end_line: 9 }, 3, 9],
    [{ offset: 3, limit: 10 }, 3, 12],
    [{ limit: 10 }, 1, 10],
    [{ start_line: '4' }, 4, Number.POSITIVE_INFINITY],
    [{ view_range: [2, 5] }, 2, 5],
    [{ end_line: 5 }, 1, 5],
  ])('says which lines of a file it asks for: %j', (range, first, last) => {
    expect(actionOf('read_file', { path: 'a', ...range }).lines).toEqual({ first, last });
  });
});

describe('a later read shows all that an earlier one showed', () => {
  const read = (first?: number, last?: number) =>
    actionOf('read_file', { path: 'a', start_line: first, end_line: last });

  it('where it shows the whole file, or a range around it', () => {
    expect(covers(read(), read(3, 9))).toBe(true);
    expect(covers(read(), read())).toBe(true);
    expect(covers(read(1, 20), read(3, 9))).toBe(true);
    expect(covers(read(3), read(3, 9))).toBe(true);
  });

  it('and not where it begins later, ends earlier, or shows a part of the whole', () => {
    expect(covers(read(4, 20), read(3, 9))).toBe(false);
    expect(covers(read(1, 8), read(3, 9))).toBe(false);
    expect(covers(read(1, 9_999), read())).toBe(false);
  });
});

it('one line is short and whole', () => {
  expect(inOneLine(' a\n\t b ')).toBe('a b');
  expect(inOneLine('abcdef', 4)).toBe('abc…');
  expect(inOneLine('ab😀cd', 4)).toHaveLength(4);
  expect(inOneLine('ab😀cd', 4).isWellFormed()).toBe(true);
});
