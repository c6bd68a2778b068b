import { expect, it } from 'vitest';
import { cite } from '../../../src/core/context/cite.ts';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import { assistant, logOf, result, text, toolUse, user } from '../../support/builders/entries.ts';

const read = (id: string, path: string) => assistant(text('Next.'), toolUse(id, { path }, 'read_file'));
const log = logOf(
  user('Make the tide table right, and never touch the lighthouse.'), // e1
  read('a', 'src/tide.js'), // e2
  result('a', 'const low = 1;', { target: 'src/tide.js' }), // e3
  read('b', 'src/moon.js'), // e4
  result('b', 'const phase = 4711;', { target: 'src/moon.js' }), // e5
);

const sourcesOf = (bullet: string) =>
  cite([{ title: 'Goal', bullets: [bullet] }], conversationOf(log).spoken)[0]!.bullets[0]!.sources;

it('a bullet comes from where its paths, names and numbers stand', () => {
  expect(sourcesOf('The phase is 4711')).toEqual(['e5']);
});

it('a file leads to where it was read, though its text does not name it', () => {
  expect(sourcesOf('src/tide.js holds low')).toContain('e3');
});

it('words without any name lead to who said them, as they were said', () => {
  expect(sourcesOf('never touch the lighthouse')).toEqual(['e1']);
});

it('what nobody said has no source', () => {
  expect(sourcesOf('The customer prefers spring tides')).toEqual([]);
  expect(sourcesOf('the')).toEqual([]);
});
