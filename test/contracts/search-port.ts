import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AbortedError } from '../../src/core/model/errors.ts';
import type { SearchPort, SearchRequest } from '../../src/core/ports/search.ts';
import { temporaryFolder } from '../support/tool-bench.ts';

const TREE: Readonly<Record<string, string>> = {
  '.gitignore': 'ignored/\n*.log\n',
  'a.ts': 'const Needle = 1;\nneedle();\n',
  'src/b.ts': 'x\r\nneedle in CRLF\r\n',
  'src/c.js': 'needle\n',
  'src/deep/d.test.ts': 'needle needle\n',
  'src/.gitignore': 'generated.ts\n!keep.log\n',
  'src/generated.ts': 'needle\n',
  'src/keep.log': 'needle kept\n',
  'out.log': 'needle\n',
  'ignored/x.ts': 'needle\n',
  '.hidden/y.ts': 'needle hidden\n',
  '.git/config': 'needle\n',
  'node_modules/m/index.ts': 'needle\n',
  'binary.bin': 'needle\0\u0001\u0002\n',
  'umlaut.txt': 'größe – needle\n',
};

/** What every {@link SearchPort} holds. */
export function describeSearchPort(name: string, create: () => SearchPort): void {
  describe(`SearchPort: ${name}`, () => {
    let folder: string;
    beforeAll(() => {
      folder = temporaryFolder();
      for (const [file, content] of Object.entries(TREE)) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), content);
      }
      symlinkSync('/', path.join(folder, 'link-to-root'));
      symlinkSync('a.ts', path.join(folder, 'link.ts'));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const request = (more: Partial<SearchRequest>): SearchRequest => ({
      pattern: 'needle',
      directory: folder,
      caseSensitive: true,
      maxMatches: 100,
      signal: new AbortController().signal,
      ...more,
    });
    const search = (more: Partial<SearchRequest>) => create().search(request(more));
    const lines = async (more: Partial<SearchRequest> = {}) =>
      (await search(more)).matches.map((match) => `${match.path}:${match.line}:${match.text}`);

    it('finds lines by file, in the order of the paths; ignored, hidden-away and binary files and links are left out', async () => {
      expect((await lines()).sort()).toEqual([
        '.hidden/y.ts:1:needle hidden',
        'a.ts:2:needle();',
        'src/b.ts:2:needle in CRLF',
        'src/c.js:1:needle',
        'src/deep/d.test.ts:1:needle needle',
        'src/keep.log:1:needle kept',
        'umlaut.txt:1:größe – needle',
      ]);
      expect(await lines()).toEqual(await lines());
    });

    it('matches case where it is asked to', async () => {
      expect(await lines({ caseSensitive: false, glob: 'a.ts' })).toHaveLength(2);
      expect(await lines({ pattern: '^const N' })).toEqual(['a.ts:1:const Needle = 1;']);
    });

    it.each([
      '^const \\w+dle',
      '(?i)CONST',
      '[[:alpha:]]+ Needle\\b',
      '\\bN.*;$',
      '\\x{4e}eedle',
      'Nee(?P<x>d)le',
    ])('the syntax of %s is known', async (pattern) =>
      expect(await lines({ pattern, glob: 'a.ts' })).toEqual(['a.ts:1:const Needle = 1;']),
    );

    it.each(['[z-a]', '{a,b'])('the glob %s is refused', async (glob) => {
      await expect(search({ glob })).rejects.toMatchObject({ code: 'invalid_input' });
    });

    it.each([
      ['*.js', ['src/c.js:1:needle']],
      ['*.{js,txt}', ['src/c.js:1:needle', 'umlaut.txt:1:größe – needle']],
      ['src/*.ts', ['src/b.ts:2:needle in CRLF']],
      ['src/**/*.ts', ['src/b.ts:2:needle in CRLF', 'src/deep/d.test.ts:1:needle needle']],
      ['/a.ts', ['a.ts:2:needle();']],
      ['deep', ['src/deep/d.test.ts:1:needle needle']],
      ['*.log', ['src/keep.log:1:needle kept']],
      ['nothing*', []],
    ])('the glob %s narrows, and brings nothing ignored back', async (glob, expected) => {
      expect((await lines({ glob })).sort()).toEqual(expected);
    });

    it('a glob with ! turns round', async () => {
      const found = await lines({ glob: '!*.ts' });
      expect(found.map((line) => line.split(':')[0]).sort()).toEqual([
        'src/c.js',
        'src/keep.log',
        'umlaut.txt',
      ]);
    });

    it('in a subfolder the ignore files above still count', async () => {
      const found = await lines({ directory: `${folder}/src` });
      expect(found.map((line) => line.split(':')[0]).sort()).toEqual([
        'b.ts',
        'c.js',
        'deep/d.test.ts',
        'keep.log',
      ]);
    });

    it('a single file is searched even if it is ignored', async () => {
      expect(await lines({ file: 'out.log' })).toEqual(['out.log:1:needle']);
      expect(await lines({ directory: `${folder}/src`, file: 'b.ts' })).toEqual(['b.ts:2:needle in CRLF']);
    });

    it('is cut at the number of matches asked for, and says so', async () => {
      expect(await search({ maxMatches: 2 })).toMatchObject({ isCut: true, matches: { length: 2 } });
      expect(await search({ maxMatches: 7 })).toMatchObject({ isCut: false, matches: { length: 7 } });
    });

    it('a long line is shown around the match, in whole characters', async () => {
      writeFileSync(path.join(folder, 'long.txt'), `needle ${'🎉'.repeat(5_000)}\n`);
      const [match] = (await search({ file: 'long.txt' })).matches;
      expect(match?.text.length).toBeLessThan(600);
      expect(match?.text.isWellFormed()).toBe(true);
      rmSync(path.join(folder, 'long.txt'));
    });

    it.each(['(', '[', 'a{2,1}', '*', '(?=needle)', '(?<!x)needle', '(e)\\1'])(
      'the pattern %s is refused',
      async (pattern) => {
        await expect(search({ pattern })).rejects.toMatchObject({ code: 'invalid_input' });
      },
    );

    it('a pattern that looks like an option is a pattern', async () => {
      expect(await lines({ pattern: '--files' })).toEqual([]);
    });

    it('can be stopped', async () => {
      const signal = AbortSignal.abort();
      await expect(search({ signal })).rejects.toBeInstanceOf(AbortedError);
    });
  });
}
