import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../../src/core/tools/path-glob.ts';

const accepts = (glob: string, path: string) => compileGlob(glob)(path);

describe('a glob', () => {
  it.each([
    ['*.ts', 'src/a.ts'],
    ['/a.ts', 'a.ts'],
    ['./a.ts', 'a.ts'],
    ['src/', 'src/deep/a.ts'],
    ['src/**', 'src/deep/a.ts'],
    ['**/a.ts', 'a.ts'],
    ['src/**/a.ts', 'src/a.ts'],
    ['src/**/a.ts', 'src/x/y/a.ts'],
    ['*.{ts,tsx}', 'a.tsx'],
    ['{src,test}/**/*.{ts,{m,c}js}', 'test/x/a.cjs'],
    ['{**/x,y}/a', 'p/q/x/a'],
    ['[a-c]?.ts', 'b1.ts'],
    ['[!a]', 'b'],
    ['[]x]', ']'],
    ['a\\*b', 'a*b'],
    ['a[*]b', 'a*b'],
    ['(a+b).$', '(a+b).$'],
    ['a,b}', 'a,b}'],
    ['.*', '.env'],
    ['*', 'a\nb'],
    ['größe?', 'größe🎉'],
  ])('%s accepts %j', (glob, path) => expect(accepts(glob, path)).toBe(true));

  it.each([
    ['*.ts', 'a.tsx'],
    ['/a.ts', 'src/a.ts'],
    ['src/*.ts', 'src/deep/a.ts'],
    ['a*c', 'a/c'],
    ['a?c', 'a/c'],
    ['a[!b]c', 'a/c'],
    ['a\\*b', 'axb'],
    ['!*.ts', 'a.ts'],
    ['src', 'src2/a.ts'],
    ['*.ts', 'a_ts'],
  ])('%s does not accept %j', (glob, path) => expect(accepts(glob, path)).toBe(false));

  it.each(['[z-a]', '{a,b', '(?!'.concat('{')])('%s cannot be read', (glob) =>
    expect(() => compileGlob(glob)).toThrow('The glob cannot be read'),
  );

  it('means what it means to the library of globs that most tools use', () => {
    const parts = ['a', 'b', '*', '?', '/', '.', '[ab]', '[^a]', '{a,b*}', '**/', '/**/'];
    const glob = fc
      .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 6 })
      .map((all) => all.join(''));
    const segment = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 3 });
    const path = fc
      .array(
        // The library takes `*` for at least one character behind a dot; shells do not.
        segment.filter((name) => !name.endsWith('.')),
        { minLength: 1, maxLength: 4 },
      )
      .map((names) => names.join('/'));
    fc.assert(
      fc.property(glob, path, (pattern, file) => {
        // Neither a path with empty names nor a bare `**` at its edges means anything that both agree on.
        fc.pre(!/\/\/|\*\*(?!\/)|[^/]\*\*|^\.?\/|\/$|^\*\*\/$|\.\./.test(pattern));
        const anchored = pattern.includes('/') ? pattern : `**/${pattern}`;
        const reference = picomatch([anchored, `${anchored}/**`], { dot: true });
        expect(`${pattern} ${file} ${accepts(pattern, file)}`).toBe(`${pattern} ${file} ${reference(file)}`);
      }),
      { numRuns: 2_000 },
    );
  });
});
