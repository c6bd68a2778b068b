import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

it('a bullet comes from names in any script', () => {
  const { spoken } = conversationOf(
    logOf(user('看看 src/表格/潮汐.ts 吧'), user('мойФайл_один'), user('nothing of it')),
  );
  const sources = (bullet: string) =>
    cite([{ title: 'Goal', bullets: [bullet] }], spoken)[0]!.bullets[0]!.sources;
  expect(sources('fixed src/表格/潮汐.ts')).toEqual(['e1']);
  expect(sources('look at мойФайл_один')).toEqual(['e2']);
});

/** What comes to an end within a test's time is linear: tried at every place, these took minutes. */
describe('T15: a long run of anything is looked through in the time that reading takes', () => {
  const LENGTH = 200_000;
  it.each([
    ...['a', 'A', '漢', '1', '=', '_', '$', '.', '/', '-', ' ', '\n', 'é', '🎉', '\ud800', 'a\u0301'],
    ...['aB', 'a1', '1a', 'a.', 'a.1', 'a_', '_1', 'a-', 'aA漢', '/a'],
  ])('%j', (unit) => {
    const run = unit.repeat(LENGTH / unit.length);
    const { spoken } = conversationOf(logOf(user(`${run}!`), user(`!${run}`), user('see src/moon.js')));
    const bullets = ['src/moon.js', `${run.slice(0, 2_000)}?`, run.slice(0, 400)];
    const [section] = cite([{ title: 'Goal', bullets }], spoken);
    expect(section!.bullets[0]!.sources).toEqual(['e3']);
  });

  it('a megabyte is looked at where it begins and where it ends', () => {
    const { spoken } = conversationOf(logOf(user(`src/a.ts ${'漢'.repeat(1_000_000)} src/b.ts`)));
    const [section] = cite([{ title: 'Goal', bullets: ['src/a.ts', 'src/b.ts'] }], spoken);
    expect(section!.bullets.map(({ sources }) => sources)).toEqual([['e1'], ['e1']]);
  });
});

it('of ordinary text the same names tell as if every place were tried', () => {
  const EVERY_PLACE =
    /[\p{L}_$][\p{L}\p{N}_$]*(?:[./:@-][\p{L}\p{N}_$]+)+|\p{L}+(?:_[\p{L}\p{N}]+)+|\p{Ll}+\p{Lu}[\p{L}\p{N}]*|\b\d{2,}\b/gu;
  const words = fc.string({ unit: fc.constantFrom(...'aAbB漢1٣_$./:-é '), maxLength: 14 });
  fc.assert(
    fc.property(words, (said) => {
      const { spoken } = conversationOf(logOf(user(said)));
      const named = (bullet: string) =>
        cite([{ title: 'Goal', bullets: [bullet] }], spoken)[0]!.bullets[0]!.sources.length > 0;
      for (const name of said.match(EVERY_PLACE) ?? []) expect(named(name)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
