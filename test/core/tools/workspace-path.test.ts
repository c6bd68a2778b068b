import { renameSync, symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { FilePort } from '../../../src/core/ports/files.ts';
import { resolvePath } from '../../../src/core/tools/workspace-path.ts';
import { toolBench } from '../../support/tool-bench.ts';
import type { ToolBench, ToolBenchOptions } from '../../support/tool-bench.ts';

let bench: ToolBench;
const open = (options?: ToolBenchOptions) => (bench = toolBench(options));
afterEach(() => bench.dispose());

const resolve = (path: string) => resolvePath(path, bench.context);

describe('Z5: what is inside is judged by real path', () => {
  it('a plain path is inside, and is called by its place in the root', async () => {
    open().put('ws/src/a.ts', '');
    expect(await resolve('./src/../src//a.ts')).toMatchObject({
      location: `${bench.ws}/src/a.ts`,
      label: 'src/a.ts',
      inside: 'src/a.ts',
      root: { name: 'ws' },
    });
    expect((await resolve(`${bench.ws}/src/a.ts`)).label).toBe('src/a.ts');
    expect((await resolve('.')).inside).toBe('');
  });

  it('a sibling that begins with the same letters is outside', async () => {
    open().put('ws-evil/x', '');
    const file = await resolve('../ws-evil/x');
    expect(file).toEqual({ location: `${bench.base}/ws-evil/x`, label: `${bench.base}/ws-evil/x` });
  });

  it('a link that leads outside is outside, also in the middle of a path and for a file that is not there yet', async () => {
    open().put('secret/key', '');
    symlinkSync('/', `${bench.ws}/root`);
    symlinkSync(`${bench.base}/secret`, `${bench.ws}/docs`);
    expect((await resolve('root')).root).toBeUndefined();
    expect((await resolve('docs/key')).location).toBe(`${bench.base}/secret/key`);
    expect((await resolve('docs/new/file')).location).toBe(`${bench.base}/secret/new/file`);
    expect((await resolve('docs/new/file')).root).toBeUndefined();
  });

  it('a dangling link is where it points to', async () => {
    open();
    symlinkSync(`${bench.base}/nothing-yet`, `${bench.ws}/innocent.txt`);
    symlinkSync('../chain', `${bench.ws}/first`);
    symlinkSync('elsewhere', `${bench.base}/chain`);
    expect(await resolve('innocent.txt')).toMatchObject({ location: `${bench.base}/nothing-yet` });
    expect((await resolve('innocent.txt')).root).toBeUndefined();
    expect((await resolve('first')).location).toBe(`${bench.base}/elsewhere`);
  });

  it('a link inside that stays inside is inside; a root may itself be a link', async () => {
    open({ roots: ['real'] }).put('real/a', '');
    symlinkSync('a', `${bench.ws}/b`);
    expect((await resolve('b')).inside).toBe('a');
    symlinkSync(bench.ws, `${bench.base}/alias`);
    const workspace = {
      roots: () => [{ name: 'alias', location: `${bench.base}/alias` }],
      isTrusted: () => true,
    };
    expect(await resolvePath('a', { ...bench.context, workspace })).toMatchObject({
      inside: 'a',
      root: { name: 'alias' },
    });
  });

  it('links in a circle are refused, not followed for ever', async () => {
    open();
    symlinkSync('b', `${bench.ws}/a`);
    symlinkSync('a', `${bench.ws}/b`);
    await expect(resolve('a')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    'a\0b',
    'a\nb',
    '\u001b[2J',
    '',
    '  ',
    '~/.ssh/id_rsa',
    'a\ud800',
    'file:///etc/passwd',
    'C:\\Windows',
    '\\\\host\\share',
  ])('refuses %j', async (path) => {
    open();
    await expect(resolve(path)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('whatever the path, what is called inside really is below the root', async () => {
    open().put('ws/dir/file', '');
    bench.put('ws-evil/x', '');
    symlinkSync('/', `${bench.ws}/up`);
    symlinkSync('dir', `${bench.ws}/in`);
    const segment = fc.constantFrom('..', '.', 'dir', 'file', 'in', 'up', 'ws', 'ws-evil', 'x', '', 'new');
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 8 }), async (segments) => {
        const path = segments.join('/');
        fc.pre(path.trim() !== '');
        const file = await resolve(path);
        expect(file.root !== undefined).toBe(
          file.location === bench.ws || file.location.startsWith(`${bench.ws}/`),
        );
        expect(await bench.context.files.realPath(file.location)).toBe(file.location);
      }),
    );
  });
});

describe('X7: several roots, or none', () => {
  it('a path that exists in two roots is refused with both places', async () => {
    open({ roots: ['a', 'b'] }).put('a/same.txt', '');
    bench.put('b/same.txt', '');
    await expect(resolve('same.txt')).rejects.toMatchObject({
      code: 'ambiguous',
      message: expect.stringMatching(/a\/same\.txt, .*b\/same\.txt/) as string,
    });
  });

  it('a root is named by its name, or by the absolute path', async () => {
    open({ roots: ['a', 'b'] }).put('a/same.txt', '');
    bench.put('b/same.txt', '');
    expect((await resolve('b/same.txt')).location).toBe(`${bench.base}/b/same.txt`);
    expect((await resolve(`${bench.base}/a/same.txt`)).label).toBe('a/same.txt');
    expect((await resolve('b/new.txt')).root?.name).toBe('b');
  });

  it('a path in only one root means that one; one in none is not guessed', async () => {
    open({ roots: ['a', 'b'] }).put('b/only.txt', '');
    expect((await resolve('only.txt')).label).toBe('b/only.txt');
    await expect(resolve('new.txt')).rejects.toMatchObject({
      code: 'ambiguous',
      message: expect.stringContaining('(a, b)') as string,
    });
  });

  it('a root whose name is also a folder in another root is not guessed either', async () => {
    open({ roots: ['web', 'api'] }).put('web/api/x.ts', '');
    bench.put('api/x.ts', '');
    await expect(resolve('api/x.ts')).rejects.toMatchObject({ code: 'ambiguous' });
  });

  it('a command has to name its folder', async () => {
    open({ roots: ['a', 'b'] });
    expect(await bench.refusal('run_command', { command: 'pwd' })).toMatchObject({
      code: 'ambiguous',
      message: 'Several folders are open, so cwd must say which one: a, b.',
    });
    expect(await bench.text('run_command', { command: 'pwd', cwd: 'b' })).toContain(`${bench.base}/b\n`);
  });

  it('no folder open: relative paths are refused, absolute ones are outside', async () => {
    open({ roots: [] });
    await expect(resolve('a.txt')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await bench.refusal('list_files', {})).toMatchObject({ code: 'unavailable' });
    expect(await bench.refusal('run_command', { command: 'ls' })).toMatchObject({ code: 'unavailable' });
    expect((await resolve(bench.base)).root).toBeUndefined();
  });
});

describe('Z5: paths on Windows, by name', () => {
  const windows = (path: string) => {
    const files = {
      ...bench.context.files,
      realPath: (file: string) => Promise.resolve(file),
    } satisfies FilePort;
    const workspace = { roots: () => [{ name: 'ws', location: 'c:/ws' }], isTrusted: () => true };
    return resolvePath(path, { files, workspace });
  };

  it('either slash works, and siblings are outside', async () => {
    open();
    expect((await windows('src\\a.ts')).location).toBe('c:/ws/src/a.ts');
    expect((await windows('..\\ws-evil\\x')).root).toBeUndefined();
    expect((await windows('D:\\x')).root).toBeUndefined();
  });

  it.each([
    'c:x',
    '\\x',
    '\\\\host\\share\\x',
    '//host/share/x',
    '\\\\?\\C:\\x',
    '\\\\.\\PhysicalDrive0',
    '.git::$INDEX_ALLOCATION',
    'file.txt:stream',
    '.git.',
    '.git ',
    '.. \\x',
    '.. .\\x',
    '...\\x',
    ' ',
    'src\\NUL.txt',
    'com1',
  ])('refuses %j', async (path) => {
    open();
    await expect(windows(path)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

it('Z5: a link put in the way after consent stops the call', async () => {
  open().put('ws/dir/a.txt', 'mine\n');
  bench.put('other/a.txt', 'theirs\n');
  await bench.call('read_file', { path: 'dir/a.txt' });
  const edit = await bench.prepare('edit_file', { path: 'dir/a.txt', old_text: 'mine', new_text: 'ours' });
  const read = await bench.prepare('read_file', { path: 'dir/a.txt' });
  renameSync(`${bench.ws}/dir`, `${bench.ws}/moved`);
  symlinkSync(`${bench.base}/other`, `${bench.ws}/dir`);
  await expect(edit.execute()).rejects.toMatchObject({ code: 'outside_workspace' });
  await expect(read.execute()).rejects.toMatchObject({ code: 'outside_workspace' });
  expect(bench.bytes('other/a.txt').toString()).toBe('theirs\n');
});
