import { symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toolBench } from '../../support/tool-bench.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => (bench = toolBench()));
afterEach(() => bench.dispose());

const list = (input: object = {}) => bench.text('list_files', input);

describe('what is listed', () => {
  it('is sorted; ignored things, .git and node_modules are left out, links are not entered', async () => {
    bench.put('ws/.gitignore', '*.log\n/build/\n');
    bench.put('ws/b.txt', '');
    bench.put('ws/x.log', '');
    bench.put('ws/build/out.js', '');
    bench.put('ws/src/a.ts', '');
    bench.put('ws/src/.gitignore', 'gen/\n!keep.log\n');
    bench.put('ws/src/gen/g.ts', '');
    bench.put('ws/src/keep.log', '');
    bench.put('ws/src/build/really.ts', '');
    bench.put('ws/node_modules/m/index.js', '');
    bench.put('ws/.git/config', '');
    symlinkSync('/', `${bench.ws}/everything`);
    expect(await list()).toMatchInlineSnapshot(`
      ".gitignore
      b.txt
      everything/… (link)
      src/
      src/.gitignore
      src/a.ts
      src/build/
      src/build/really.ts
      src/keep.log"
    `);
  });

  it('in a subfolder the rules above it count as well', async () => {
    bench.put('ws/.gitignore', '*.log\nsrc/gen\n');
    bench.put('ws/src/x.log', '');
    bench.put('ws/src/gen/g.ts', '');
    bench.put('ws/src/a.ts', '');
    expect(await list({ path: 'src' })).toBe('a.ts');
  });

  it('goes down as deep as asked, and marks what it did not look into', async () => {
    bench.put('ws/a/b/c/d/e', '');
    expect(await list({ depth: 1 })).toBe('a/…');
    expect(await list()).toBe('a/\na/b/\na/b/c/…');
    expect(await list({ depth: 9 })).toContain('a/b/c/d/e');
  });

  it('is bounded, and says so', async () => {
    for (let index = 0; index < 1_010; index++) bench.put(`ws/${String(index).padStart(4, '0')}`, '');
    const lines = (await list()).split('\n');
    expect(lines).toHaveLength(1_001);
    expect(lines.at(-2)).toBe('0999');
    expect(lines.at(-1)).toBe('[cut after 1000 entries; list a subfolder, or use a smaller depth]');
  });

  it('of several roots all are listed, by name', async () => {
    bench.dispose();
    bench = toolBench({ roots: ['one', 'two'] });
    bench.put('two/x', '');
    expect(await list()).toBe('one/\n(nothing that is not ignored)\ntwo/\nx');
  });

  it('a file is not a folder, and a folder has to be there', async () => {
    bench.put('ws/f', '');
    expect(await bench.refusal('list_files', { path: 'f' })).toMatchObject({ code: 'invalid_input' });
    expect(await bench.refusal('list_files', { path: 'g' })).toMatchObject({ code: 'not_found' });
  });
});
