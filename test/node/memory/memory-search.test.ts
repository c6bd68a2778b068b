import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemoryStore } from '../../../src/core/ports/memory-store.ts';
import { queryWords, wordsOf } from '../../../src/node/memory/memory-words.ts';
import { openMemoryStore } from '../../../src/node/memory/open-memory-store.ts';
import { WordIndex } from '../../../src/node/memory/word-index.ts';
import { put } from '../../support/builders/memories.ts';
import { loadTestSql } from '../../support/load-test-sql.ts';
import { temporaryFolder } from '../../support/tool-bench.ts';

const TEXTS = {
  camel: 'The parser is parseMemoryFile, and XMLHttpRequest is not used.',
  snake: 'Set max_output_tokens before each run.',
  path: 'Hashes are made in src/node/hash.ts only.',
  chinese: '数据库迁移由人工完成',
  japanese: 'テストはコピーで実行する',
  korean: '데이터베이스를 직접 옮긴다',
  thai: 'ฐานข้อมูลถูกย้ายด้วยมือ',
  russian: 'База данных переносится вручную.',
  german: 'Die Größe des Cafés ist begrenzt.',
  arabic: 'قاعدة البيانات تنقل يدويا',
  english: 'Decisions are written down when they were taken.',
  version: 'Node 20.19 is the oldest that works.',
  street: 'Die Straße ist gesperrt.',
  capitals: 'SPASS UND FUSSBALL',
  rocket: 'Ships go out on Fridays 🚀, never 👩🏽‍💻 alone.',
  heart: 'The client likes ❤️ and 🇫🇷.',
  contraction: "We don't rebase.",
  typographic: 'It can’t be undone.',
  plainly: 'It wont start without a licence.',
  elision: "Ici, l'équipage décide.",
  wide: 'ＫＡＦＫＡ runs on ｐｏｒｔ ９０９２.',
  scandinavian: 'Søren works in Łódź.',
  greek: 'Ο καφές στον δρόμο.',
  turkish: 'Kapı KIRIK.',
};

describe('a search', () => {
  let folder: string;
  let store: MemoryStore;
  beforeAll(async () => {
    folder = temporaryFolder();
    store = await openMemoryStore({ folder, name: 'p', loadSql: loadTestSql });
    await store.write(Object.entries(TEXTS).map(([id, text]) => put(id, text)));
  });
  afterAll(async () => {
    await store.dispose();
    rmSync(folder, { recursive: true });
  });
  const best = (query: string) => store.search(query, 3)[0]?.memory.id;

  it.each([
    ['parts of a camelCase name', 'memory file', 'camel'],
    ['a camelCase name as it is', 'parseMemoryFile', 'camel'],
    ['a camelCase name in small letters', 'parsememoryfile', 'camel'],
    ['a part of a name in capitals', 'http', 'camel'],
    ['a snake_case name as it is', 'max_output_tokens', 'snake'],
    ['a part of a snake_case name', 'tokens', 'snake'],
    ['a path', 'src/node/hash.ts', 'path'],
    ['the end of a path', 'hash.ts', 'path'],
    ['a Chinese word', '迁移', 'chinese'],
    ['one Chinese character at the end of the text', '成', 'chinese'],
    ['a Japanese word', 'コピー', 'japanese'],
    ['a Korean word with another ending', '데이터베이스는', 'korean'],
    ['a Thai word', 'ข้อมูล', 'thai'],
    ['a Russian word', 'ДАННЫХ', 'russian'],
    ['a word without its marks', 'cafes', 'german'],
    ['a word with marks that are characters of their own', 'Gro\u0308ße'.normalize('NFD'), 'german'],
    ['an Arabic word', 'البيانات', 'arabic'],
    ['an English word in another form', 'decision', 'english'],
    ['a number', '20.19', 'version'],
    ['the beginning of the last word', 'where is the pars', 'camel'],
    ['the beginning of a Russian word', 'перен', 'russian'],
    ['a picture', '🚀', 'rocket'],
    ['one picture of several joined to one', '💻', 'rocket'],
    ['a picture in another tone', '👩🏿', 'rocket'],
    ['a picture without how it is to be drawn', '❤', 'heart'],
    ['a flag', '🇫🇷', 'heart'],
    ['ß written in capitals', 'STRASSE', 'street'],
    ['ß written as ss', 'strasse', 'street'],
    ['a capital ẞ', 'STRAẞE', 'street'],
    ['ß where capitals stand', 'Spaß', 'capitals'],
    ['a contraction as it is', "don't", 'contraction'],
    ['a contraction with a typographic apostrophe', 'don’t', 'contraction'],
    ['a contraction without its apostrophe', 'dont', 'contraction'],
    ['a typographic contraction by a plain apostrophe', "can't", 'typographic'],
    ['a typographic contraction without its apostrophe', 'cant', 'typographic'],
    ['a word without its apostrophe by the contraction', 'won’t', 'plainly'],
    ['a word behind an article', 'équipage', 'elision'],
    ['the beginning of a word behind an article', "l'équi", 'elision'],
    ['a word with marks where it has none, and the other way round', 'Ìcí', 'elision'],
    ['plain letters where full-width ones stand', 'kafka', 'wide'],
    ['full-width letters', 'ｐｏｒｓ ｐｏｒｔ', 'wide'],
    ['full-width letters where plain ones stand', 'ｒｅｂａｓｅ', 'contraction'],
    ['a full-width number', '９０９２', 'wide'],
    ['letters that have no mark to leave out', 'soren lodz', 'scandinavian'],
    ['a Greek word in capitals', 'ΚΑΦΕΣ', 'greek'],
    ['a Turkish word in capitals', 'KAPI', 'turkish'],
  ])('finds by %s', (_, query, id) => {
    expect(best(query)).toBe(id);
  });

  it('takes only the last word as a beginning, and none where a space follows', () => {
    expect(store.search('pars zzz', 3)).toEqual([]);
    expect(store.search('pars ', 3)).toEqual([]);
  });

  it('does not take the letter behind an apostrophe as a beginning', () => {
    const found = store.search("zzz't", 9).map(({ memory }) => memory.id);
    expect(found.sort()).toEqual(['contraction', 'typographic']);
  });

  it.each([
    '',
    ' ',
    '"',
    "'",
    '*',
    'a*',
    '"unclosed phrase',
    'NEAR/3',
    'x NEAR y',
    'a AND NOT (b OR',
    '-parser',
    'text:parser',
    "'; DROP TABLE memories; --",
    '\0',
    '\ud83d',
    '🎉👩‍👩‍👧',
    '%_%',
    '^$.*+?()[]{}|\\',
    '\u202e\u200b',
  ])('takes any query: %j', (query) => {
    expect(() => store.search(query, 3)).not.toThrow();
    expect(store.all()).toHaveLength(Object.keys(TEXTS).length);
  });

  it.each([
    ['words', 'parser '.repeat(15_000)],
    ['one word', 'a'.repeat(100_000)],
    ['different words', Array.from({ length: 15_000 }, (_, n) => `w${n}`).join(' ')],
    ['points', 'a.'.repeat(50_000)],
    ['apostrophes', "a'".repeat(50_000)],
    ['contractions', "don't ".repeat(17_000)],
    ['characters', '数'.repeat(100_000)],
    ['emoji', '🎉'.repeat(50_000)],
    ['capitals', 'A'.repeat(99_999) + 'b'],
    ['marks', 'a' + '\u0301'.repeat(100_000)],
  ])(
    'takes 100 kB of %s, in time that grows with it: squared it would not come to an end here',
    (_, query) => {
      expect(store.search(query, 10).length).toBeLessThanOrEqual(10);
    },
  );

  it('never throws, and gives no more than was asked for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(5), (query, limit) => {
        expect(store.search(query, limit).length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('puts the important before others that match as well', async () => {
    await store.write([
      put('low', 'Zebras eat grass.', { importance: 1 }),
      put('high', 'Zebras eat grass.', { importance: 5 }),
    ]);
    expect(store.search('zebras', 2).map(({ memory }) => memory.id)).toEqual(['high', 'low']);
  });

  it('puts what matches better before what is important', async () => {
    await store.write([
      put('both', 'Lions hunt gazelles.', { importance: 1 }),
      put('one', 'Lions sleep in the shade.', { importance: 5 }),
    ]);
    expect(best('lions gazelles')).toBe('both');
  });
});

describe('the words of a text', () => {
  it('are whole names and their parts', () => {
    expect(wordsOf('getUserID2 of my_app')).toEqual([
      'getuserid2',
      'get',
      'user',
      'id',
      '2',
      'of',
      'my_app',
      'my',
      'app',
    ]);
  });

  it('of a contraction are its parts too', () => {
    expect(wordsOf('don’t')).toEqual(['dont', 'don', 't']);
  });

  it('are taken in time that grows with the text, whatever it is', () => {
    // Squared, it would not come to an end here.
    for (const unit of ['a', 'A', 'a.', '_', '\u0301', '数', '1', 'aB', '-', "a'", '🚀', 'ß'])
      expect(wordsOf(unit.repeat(200_000)).length, unit).toBeLessThanOrEqual(600_000);
  });

  it('are found by each other: a text by itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (text) => {
        const words = new Set(wordsOf(text));
        for (const word of queryWords(text).words) expect(words).toContain(word);
      }),
    );
  });
});

describe('the index of words', () => {
  it('after any additions and removals answers as one that was made of what is left', () => {
    const text = fc.array(fc.constantFrom('tab', 'space', 'tabs', 'spacebar', '数据', '据'), {
      maxLength: 5,
    });
    const step = fc.tuple(fc.nat(5), text);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const index = new WordIndex();
        const left = new Map<string, string>();
        for (const [number, words] of steps) {
          const id = `m${number}`;
          const before = left.get(id);
          if (before !== undefined) index.remove(id, before);
          left.delete(id);
          if (words.length === 0) continue;
          left.set(id, words.join(' '));
          index.add(id, words.join(' '));
        }
        const fresh = new WordIndex();
        for (const [id, kept] of left) fresh.add(id, kept);
        for (const query of ['tab', 'spa', 'tab space', '数', '据'])
          expect(index.search(query, 9, () => 1)).toEqual(fresh.search(query, 9, () => 1));
      }),
    );
  });
});
