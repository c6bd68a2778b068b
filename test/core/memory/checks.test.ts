import { describe, expect, it } from 'vitest';
import { isNearlySame, objectionToEdit, objectionToText, sameText } from '../../../src/core/memory/checks.ts';
import { MAX_MEMORY_CHARS } from '../../../src/core/model/memory.ts';
import { SECRETS } from '../../support/secrets.ts';

const PLACEHOLDERS = [
  '[... rest unchanged ...]',
  '[...rest of the file unchanged...]',
  '[… the other entries stay the same …]',
  '<same as before>',
  '<rest of memories unchanged>',
  '[Previous content unchanged]',
  '{{ remaining entries }}',
  '// ... existing code ...',
  '# ... rest of the notes ...',
  '<!-- ... other memories unchanged ... -->',
  '/* ... remaining lines ... */',
  '... (rest unchanged)',
  '...',
  '…',
  '- ...',
  '(unchanged)',
  '[unchanged]',
  '[omitted]',
  'TODO: fill in',
  'TODO: fill this in later.',
  'TODO',
  '[insert convention here]',
];

const HONEST = [
  'Use pnpm, never npm.',
  'The REST API is unchanged since v2; see docs/rest.md.',
  'Leave the rest of the file as it is when you edit generated code.',
  'TODO comments need an issue number.',
  'TODO: fill in the changelog before a release',
  'Run `npm test -- ...args` for one file.',
  'The array is typed as [first, ...rest]',
  'const { a, ...other } = options; is our way to leave a out',
  'Map<string, Existing> holds what is there',
  '<Trans> is used for every text that is shown',
  'Paths are written <root>/<name>, existing ones are kept.',
  'Wait... the build is slow because of the cache.',
  'We say "same as before" in commit messages',
  'See [the rest of the docs](docs/rest.md)',
];

describe('Z1, M1: what must not be remembered', () => {
  it.each(PLACEHOLDERS)('%s', (text) => {
    expect(objectionToText(text)).toMatch(/stands for a text that is not there/);
    expect(objectionToText(`Use pnpm.\n${text}`)).toMatch(/stands for a text that is not there/);
    expect(objectionToEdit('- a\n', `- a\n${text}\n`)).toMatch(/stands for a text that is not there/);
    expect(objectionToEdit(`- a\n${text}\n`, `- a\n- b\n${text}\n`)).toBeUndefined();
  });

  it.each(HONEST)('but: %s', (text) => {
    expect(objectionToText(text)).toBeUndefined();
  });

  it.each(Object.entries(SECRETS))('%s', (_, { text }) => {
    expect(objectionToText(text)).toMatch(/holds a secret/);
    expect(objectionToEdit('', text)).toMatch(/puts a secret/);
    expect(objectionToEdit(text, `${text}\nmore`)).toBeUndefined();
  });

  it('nothing, and more than has room', () => {
    expect(objectionToText(' \n\t')).toBe('There is no text to remember.');
    expect(objectionToText('x'.repeat(MAX_MEMORY_CHARS))).toBeUndefined();
    expect(objectionToText('x'.repeat(MAX_MEMORY_CHARS + 1))).toMatch(/at most 1000 characters/);
  });

  it('a file of which the greater part would be gone', () => {
    const memories = (count: number) => Array.from({ length: count }, (_, at) => `- memory ${at}\n`).join('');
    expect(objectionToEdit(memories(10), memories(4))).toBe(
      'It would leave 4 of 10 memories. To forget some, use memory_forget for each of them; to change some, edit only these.',
    );
    expect(objectionToEdit(memories(10), memories(5))).toBeUndefined();
    expect(objectionToEdit(memories(5), '')).toBeUndefined();
    expect(objectionToEdit(memories(6), '')).toMatch(/0 of 6 memories/);
    expect(objectionToEdit('prose\n'.repeat(8), 'prose\n')).toMatch(/1 of 8 lines/);
    expect(objectionToEdit(memories(3), memories(9))).toBeUndefined();
  });

  it('is decided in linear time', () => {
    for (const unit of [
      '[',
      '[...',
      '[rest ',
      '. ',
      '... rest ',
      '// ... ',
      '<same ',
      'x',
      '[... rest unchanged ',
      'TODO this ',
    ]) {
      // Squared, they would not come to an end here.
      const objections = [
        objectionToText(unit.repeat(1_000 / unit.length)),
        objectionToEdit('', unit.repeat(100_000 / unit.length)),
        objectionToEdit('', `${unit.repeat(900 / unit.length)}\n`.repeat(100)),
      ];
      for (const objection of objections) expect(['string', 'undefined']).toContain(typeof objection);
    }
  });
});

describe('two texts', () => {
  it('are the same but for case, spaces and punctuation at their ends', () => {
    expect(sameText('Use pnpm.', '  use   PNPM!')).toBe(true);
    expect(sameText('「pnpm を使う。」', 'pnpm を使う')).toBe(true);
    expect(sameText('use pnpm', 'use npm')).toBe(false);
    expect(sameText('!!!', '???')).toBe(false);
    expect(sameText('a.b', 'ab')).toBe(false);
  });

  it.each([
    [
      'Always run the whole test suite before a commit.',
      'Always run the whole test suite before each a commit',
      true,
    ],
    [
      'Run the tests with vitest before you commit anything here',
      'run the tests with vitest before you commit anything',
      true,
    ],
    ['use pnpm here', 'use pnpm now', false],
    [
      'Keep every line of code below 100 characters in width',
      'Keep every line of code below 120 characters in width',
      false,
    ],
    [
      'You should always commit the lock file of this project',
      'You should not always commit the lock file of this project',
      false,
    ],
    [
      'We do commit the generated files in src to the branch',
      "We don't commit the generated files in src to the branch",
      false,
    ],
    [
      'In this project we always use pnpm rather than npm for installing all of the packages',
      'In this project we always use npm rather than pnpm for installing all of the packages',
      false,
    ],
    [
      'The entry point of the whole server program is src/main.ts today',
      'The entry point of the whole server program is src/app.ts today',
      false,
    ],
    [
      'The default branch that all of us work on here is called main',
      'The tests of the payment service need a running database',
      false,
    ],
  ])('%s | %s: nearly the same: %s', (a, b, expected) => {
    expect(isNearlySame(a, b)).toBe(expected);
    expect(isNearlySame(b, a)).toBe(expected);
  });
});
