import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_MEMORY_FILE } from '../../src/core/model/memory.ts';
import { createDiskFiles } from '../../src/node/disk-files.ts';
import { draft, MemoryRig } from '../support/memory-rig.ts';

let rig: MemoryRig;

beforeEach(() => {
  rig = new MemoryRig();
  mkdirSync(path.dirname(rig.file), { recursive: true });
});

afterEach(() => rig.end());

describe('a file near the bound of what is read', () => {
  /** So many bytes of prose, in characters of two. */
  const prose = (bytes: number) => `${'ü'.repeat(bytes / 2 - 1)}\n\n`.slice(0, bytes / 2 + 1);

  test('is not made larger than that: the store’s own news stay in the store, and that is said', async () => {
    const memory = await rig.window();
    const before = prose(MAX_MEMORY_FILE - 10);
    rig.write(before);
    await memory.refresh();
    expect(await memory.write(draft('Ships are counted from 1'))).toMatchObject({ kind: 'written' });
    expect(rig.read()).toBe(before);
    const { notices, memories } = await memory.refresh();
    expect(notices.join()).toMatch(/left as it is: with what is new it has 4,000,\d+ bytes/);
    expect(memories).toHaveLength(1);
  });

  test('takes no text of a person that would make it larger: it is refused by its bytes', async () => {
    const memory = await rig.window();
    const { text } = await memory.refresh();
    const tooLarge = prose(MAX_MEMORY_FILE + 10);
    expect(tooLarge.length).toBeLessThan(MAX_MEMORY_FILE);
    await expect(memory.save(tooLarge, text)).rejects.toThrow(/4,000,000 bytes.*Nothing was saved/);
    expect(existsSync(rig.file)).toBe(false);
    // Within the bound itself, but not with the id that its memory is given.
    const nearly = `- one\n${prose(MAX_MEMORY_FILE - 8)}`;
    await expect(memory.save(nearly, text)).rejects.toThrow(/4,000,000 are not read.*Nothing was saved/);
    expect((await memory.refresh()).memories).toEqual([]);
  });
});

describe('a file that is removed', () => {
  test('is not there again by a look: the store speaks', async () => {
    const memory = await rig.window();
    rig.write('- Use httpie\n');
    await memory.write(draft('Ships are counted from 1'));
    rmSync(rig.file);
    for (const window of [memory, await rig.window()]) {
      const { text, memories } = await window.refresh();
      expect(text).toMatch(/Use httpie[^]*counted from 1/);
      expect(memories).toHaveLength(2);
      expect(await window.section()).toContain('counted from 1');
      await window.search('ships', 5);
      await window.propose([draft('Perhaps the tide is high')]);
      await window.refresh();
    }
    expect(existsSync(rig.file)).toBe(false);
  });

  test.each<[string, (memory: Awaited<ReturnType<MemoryRig['window']>>) => Promise<unknown>]>([
    ['a memory that is written', (memory) => memory.write(draft('The tide is high'))],
    ['a memory that is forgotten', (memory) => memory.forget('Ships are counted from 1')],
    ['what is saved in the panel', async (memory) => memory.save((await memory.refresh()).text, '')],
  ])('is written again, whole, with %s', async (_what, change) => {
    const memory = await rig.window();
    rig.write('# Harbour\n\n- Use httpie\n');
    await memory.write(draft('Ships are counted from 1'));
    rmSync(rig.file);
    await memory.refresh();
    await change(memory);
    expect(rig.read()).toContain('# Harbour\n\n- Use httpie');
    await memory.refresh();
    expect(rig.read()).toBe((await memory.refresh()).text);
  });

  test('and written anew by somebody has their lines too: what they do not repeat is not forgotten', async () => {
    const memory = await rig.window();
    rig.write('- Use httpie\n');
    await memory.write(draft('Ships are counted from 1'));
    rmSync(rig.file);
    await memory.refresh();
    rig.write('- Use curl\n');
    const { memories } = await memory.refresh();
    expect(memories.map(({ text }) => text).sort()).toEqual([
      'Ships are counted from 1',
      'Use curl',
      'Use httpie',
    ]);
  });

  test('by git with another branch is not in git’s way, there and back', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: rig.root,
        stdio: 'pipe',
      }).toString();
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'Without a memory');
    git('branch', 'other');
    const memory = await rig.window();
    rig.write('- Use httpie\n');
    await memory.write(draft('Ships are counted from 1'));
    git('add', '.');
    git('commit', '-q', '-m', 'With a memory');
    const committed = rig.read();

    git('checkout', '-q', 'other');
    expect((await memory.refresh()).memories).toHaveLength(2);
    expect(git('status', '--porcelain')).toBe('');
    git('checkout', '-q', 'main');
    const { memories, notices } = await memory.refresh();
    expect(memories).toHaveLength(2);
    expect(notices).toEqual([]);
    expect(rig.read()).toBe(committed);
    expect(git('status', '--porcelain')).toBe('');
  });
});

describe('a file with conflict markers of git', () => {
  const conflict = (mine: string, theirs: string) =>
    `<<<<<<< HEAD\n${mine}=======\n${theirs}>>>>>>> feature\n`;

  test('is left alone until they are resolved; then all of it is merged', async () => {
    const memory = await rig.window();
    rig.write('- one\n- two\n');
    const { text } = await memory.refresh();
    const agreed = rig.read();
    const torn = agreed + conflict('- mine\n', '- theirs\n');
    rig.write(torn);
    await memory.write(draft('learnt meanwhile'));
    expect(rig.read()).toBe(torn);
    const { notices, memories } = await memory.refresh();
    expect(notices.join()).toMatch(/has conflict markers of git: resolve them first/);
    expect(memories.map((memory) => memory.text)).toEqual(['one', 'two', 'learnt meanwhile']);
    expect(await memory.section()).not.toMatch(/mine|HEAD/);
    await expect(memory.save(`${text}- typed\n`, text)).rejects.toThrow(/resolve them first/);
    rig.write(`${agreed}- mine\n- theirs\n`);
    expect((await memory.refresh()).notices).toEqual([]);
    for (const line of ['one', 'two', 'mine', 'theirs', 'learnt meanwhile'])
      expect(rig.read()).toContain(line);
  });

  test('is known by all three in their order, with whatever between them, and by nothing less', async () => {
    const memory = await rig.window();
    const notices = async (text: string) => {
      rig.write(text);
      return (await memory.refresh()).notices.length;
    };
    expect(await notices(`\uFEFF${conflict('', '')}`)).toBe(1);
    expect(await notices('```\n<<<<<<< a\r\n||||||| b\r\n=======\r\n>>>>>>> c\r\n```\n')).toBe(1);
    expect(await notices('A heading\n=======\n\n>>>>>>> quoted deeply\n\n<<<<<<< not a conflict\n')).toBe(0);
    expect(await notices('- one\n  <<<<<<< a\n  =======\n  >>>>>>> b\n')).toBe(0);
  });

  test('does not come from the panel either', async () => {
    const memory = await rig.window();
    await expect(memory.save(conflict('- a\n', '- b\n'), '')).rejects.toThrow(
      /conflict markers.*Nothing was saved/,
    );
    expect(existsSync(rig.file)).toBe(false);
  });
});

describe('a file that is read-only', () => {
  test('is left as it is, with a word about it: the news wait in the store until it may be written', async () => {
    const memory = await rig.window();
    rig.write('- Use httpie\n');
    await memory.refresh();
    const before = rig.read();
    chmodSync(rig.file, 0o444);
    const { ino } = statSync(rig.file);
    expect((await memory.refresh()).notices).toEqual([]);
    expect(await memory.write(draft('Ships are counted from 1'))).toMatchObject({ kind: 'written' });
    expect(rig.read()).toBe(before);
    expect(statSync(rig.file)).toMatchObject({ ino, mode: 0o100444 });
    expect((await memory.refresh()).notices).toEqual([
      '.plimsoll/MEMORY.md is read-only, so it was left as it is.',
    ]);
    expect(await memory.section()).toContain('counted from 1');
    await expect(memory.save('- typed\n', '')).rejects.toThrow(/read-only.*Nothing was saved/);
    chmodSync(rig.file, 0o644);
    expect((await memory.refresh()).notices).toEqual([]);
    expect(rig.read()).toContain('counted from 1');
  });
});

describe('what waits in the store', () => {
  test('costs nothing as long as nothing has changed: the file is not read and merged with every look', async () => {
    const disk = createDiskFiles();
    let reads = 0;
    const read: typeof disk.read = (...args) => {
      reads += 1;
      return disk.read(...args);
    };
    const memory = await rig.window({ files: { ...disk, read } });
    rig.write('- Use httpie\n');
    await memory.refresh();
    rig.isBeingEdited = true;
    await memory.write(draft('Ships are counted from 1'));
    const before = reads;
    for (let look = 0; look < 5; look += 1) expect((await memory.refresh()).notices).toHaveLength(1);
    expect(reads).toBe(before);
    rig.isBeingEdited = false;
    await memory.refresh();
    expect(rig.read()).toContain('counted from 1');
  });
});

describe('a file with nothing in it', () => {
  test.each([
    ['no byte', ''],
    ['blanks and line ends', ' \n\t\r\n\n'],
    ['a byte order mark', '\uFEFF'],
  ])('M12: but %s is as if it were not there: nothing is forgotten', async (_what, nothing) => {
    const memory = await rig.window();
    rig.write('- Use httpie\n');
    await memory.write(draft('Kept in the store'));
    rig.write(nothing);
    expect((await memory.refresh()).memories).toHaveLength(2);
    expect(rig.read()).toBe(nothing);
    await memory.write(draft('And another'));
    for (const text of ['Use httpie', 'Kept in the store', 'And another']) expect(rig.read()).toContain(text);
  });

  test('by the panel is what a person wants: all of it is forgotten', async () => {
    const memory = await rig.window();
    rig.write('- Use httpie\n');
    await memory.write(draft('Kept in the store'));
    const { text } = await memory.refresh();
    await memory.save('', text);
    expect((await memory.refresh()).memories).toEqual([]);
    expect(rig.read()).toBe('');
    await memory.write(draft('Learnt since'));
    expect(rig.read()).toContain('Learnt since');
  });
});
