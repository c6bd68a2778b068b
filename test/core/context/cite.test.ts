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

it('a name that stands nearly everywhere tells nothing', () => {
  const everywhere = Array.from({ length: 20 }, (_, n) => [
    read(`c${n}`, 'src/tide.js'),
    result(`c${n}`, n === 7 ? 'src/tide.js says spring_low' : 'same', { target: 'src/tide.js' }),
  ]).flat();
  const { spoken } = conversationOf(logOf(user('go'), ...everywhere));
  const sources = (bullet: string) =>
    cite([{ title: 'Goal', bullets: [bullet] }], spoken)[0]!.bullets[0]!.sources;
  expect(sources('src/tide.js')).toEqual([]);
  expect(sources('spring_low is in src/tide.js')).toEqual(['e17']);
});

it('a bullet names at most three entries, those that share most of its names first', () => {
  const values = [
    'alpha_one',
    'alpha_one beta_two',
    'alpha_one beta_two gamma_three',
    'beta_two gamma_three',
  ];
  const { spoken } = conversationOf(logOf(...values.map(user), user('other_a'), user('other_b')));
  const [section] = cite([{ title: 'Goal', bullets: ['alpha_one beta_two gamma_three'] }], spoken);
  expect(section!.bullets[0]!.sources).toHaveLength(3);
  expect(section!.bullets[0]!.sources[0]).toBe('e3');
});

it('every bullet and section stays, in order, cited or not', () => {
  const sections = [
    { title: 'Goal', bullets: ['src/moon.js', 'nothing of it'] },
    { title: 'Files', bullets: [] },
  ];
  expect(cite(sections, conversationOf(log).spoken)).toEqual([
    {
      title: 'Goal',
      bullets: [
        { text: 'src/moon.js', sources: ['e4', 'e5'] },
        { text: 'nothing of it', sources: [] },
      ],
    },
    { title: 'Files', bullets: [] },
  ]);
});
