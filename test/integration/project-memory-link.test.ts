import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { draft, MemoryRig } from '../support/memory-rig.ts';

let rig: MemoryRig;

beforeEach(() => {
  rig = new MemoryRig();
  mkdirSync(path.dirname(rig.file), { recursive: true });
});

afterEach(() => rig.end());

const there = (name: string) => path.join(rig.root, name);

describe('a MEMORY.md that is a link', () => {
  test('into the folder is written through: it stays a link, and what it leads to says all', async () => {
    mkdirSync(there('docs'));
    writeFileSync(there('docs/notes.md'), '- Use httpie\n');
    symlinkSync('../docs/notes.md', rig.file);
    const memory = await rig.window();
    const { memories, notices } = await memory.refresh();
    expect(memories.map(({ text }) => text)).toEqual(['Use httpie']);
    await memory.write(draft('Ships are counted from 1'));
    expect(notices).toEqual([]);
    expect(lstatSync(rig.file).isSymbolicLink()).toBe(true);
    expect(readFileSync(there('docs/notes.md'), 'utf8')).toMatch(/Use httpie[^]*counted from 1/);
    expect(lstatSync(there('docs/notes.md')).isFile()).toBe(true);
  });

  test('is not written while what it leads to is edited in a tab', async () => {
    writeFileSync(there('notes.md'), '- Use httpie\n');
    symlinkSync('../notes.md', rig.file);
    const memory = await rig.window();
    await memory.refresh();
    const before = rig.read();
    rig.editedFile = there('notes.md');
    await memory.write(draft('Ships are counted from 1'));
    expect(rig.read()).toBe(before);
    rig.editedFile = undefined;
    await memory.refresh();
    expect(rig.read()).toContain('counted from 1');
  });

  test('that comes and goes while it leads to nothing is noticed', async () => {
    const memory = await rig.window();
    expect((await memory.refresh()).notices).toEqual([]);
    symlinkSync('../docs/nothing.md', rig.file);
    expect((await memory.refresh()).notices).toHaveLength(1);
    rmSync(rig.file);
    expect((await memory.refresh()).notices).toEqual([]);
  });

  test.each([
    ['the file', () => symlinkSync('../docs/nothing.md', rig.file)],
    [
      'its folder',
      () => {
        rmSync(path.dirname(rig.file), { recursive: true });
        symlinkSync('nowhere', path.dirname(rig.file));
      },
    ],
  ])('that leads to nothing (%s) is left alone, with a word about it', async (_what, link) => {
    const memory = await rig.window();
    link();
    await memory.write(draft('Kept in the store'));
    const { notices } = await memory.refresh();
    expect(notices).toEqual(['.plimsoll/MEMORY.md leads to nothing.']);
    expect(existsSync(there('docs')) || existsSync(there('nowhere'))).toBe(false);
    await expect(memory.save('- typed\n', '')).rejects.toThrow(/leads to nothing. Nothing was saved/);
    expect(await memory.section()).toContain('Kept in the store');
  });

  test.each(['.git/hooks/pre-commit', 'CLAUDE.md'])(
    'to what is never a memory is left alone: %s',
    async (target) => {
      mkdirSync(path.dirname(there(target)), { recursive: true });
      writeFileSync(there(target), '- theirs\n');
      symlinkSync(`../${target}`, rig.file);
      const memory = await rig.window();
      await memory.write(draft('Kept in the store'));
      const { notices } = await memory.refresh();
      expect(notices.join()).toContain(`leads to ${target}`);
      expect(readFileSync(there(target), 'utf8')).toBe('- theirs\n');
    },
  );
});
