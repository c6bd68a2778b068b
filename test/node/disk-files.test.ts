import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDiskFiles } from '../../src/node/disk-files.ts';
import { spellAsOnDisk } from '../../src/node/real-path.ts';
import { temporaryFolder } from '../support/tool-bench.ts';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const files = createDiskFiles();
const at = (name: string) => `${folder}/${name}`;

it('a file that its owner must not write is told apart, whoever asks', async () => {
  writeFileSync(at('theirs'), 'x');
  expect(await files.stat(at('theirs'))).not.toHaveProperty('isReadOnly');
  chmodSync(at('theirs'), 0o444);
  expect(await files.stat(at('theirs'))).toMatchObject({ kind: 'file', size: 1, isReadOnly: true });
});

describe('writing', () => {
  it('keeps the mode of a file', async () => {
    writeFileSync(at('run.sh'), 'old');
    chmodSync(at('run.sh'), 0o751);
    await files.write(at('run.sh'), Buffer.from('new'));
    expect(statSync(at('run.sh')).mode & 0o777).toBe(0o751);
  });

  it('a hard link stays one', async () => {
    writeFileSync(at('a'), 'old and long');
    linkSync(at('a'), at('b'));
    await files.write(at('a'), Buffer.from('new'));
    expect(readFileSync(at('b'), 'utf8')).toBe('new');
  });

  it.runIf(process.getuid?.() === 0)('keeps the owner of a file', async () => {
    writeFileSync(at('theirs'), 'old');
    chownSync(at('theirs'), 1234, 4321);
    await files.write(at('theirs'), Buffer.from('new'));
    expect(statSync(at('theirs'))).toMatchObject({ uid: 1234, gid: 4321 });
  });

  describe('in place, where a rename will not do', () => {
    beforeEach(() => {
      writeFileSync(at('a'), 'old content');
      linkSync(at('a'), at('b'));
    });
    afterEach(() => void vi.restoreAllMocks());

    it('is whole though each write takes less than it is given', async () => {
      await limitWrites(() => 5);
      for (const content of ['new content that is longer than the old', 'new', '']) {
        await files.write(at('a'), Buffer.from(content));
        expect(readFileSync(at('b'), 'utf8')).toBe(content);
      }
    });

    it('puts the old content back when the disk is full half-way, and says so', async () => {
      let room = 15;
      await limitWrites((position) => Math.max(0, room - position));
      await expect(files.write(at('a'), Buffer.from('new content that is long'))).rejects.toThrow('full');
      expect(readFileSync(at('b'), 'utf8')).toBe('old content');
      room = 0;
      await expect(files.write(at('a'), Buffer.from('new'))).rejects.toThrow('could not be put back');
    });
  });

  it('leaves no draft behind, also when it fails', async () => {
    await files.write(at('f'), Buffer.from('x'));
    mkdirSync(at('dir'));
    await expect(files.write(at('dir'), Buffer.from('x'))).rejects.toThrow('not a regular file');
    await expect(files.write(at('f/below'), Buffer.from('x'))).rejects.toThrow();
    expect(readdirSync(folder).sort()).toEqual(['dir', 'f']);
  });

  it('never shows a file half written', async () => {
    const whole = ['a', 'b'].map((letter) => letter.repeat(200_000));
    await files.write(at('f'), Buffer.from(whole[0]!));
    let isWriting = true;
    const writing = (async () => {
      for (let round = 0; round < 20; round++) await files.write(at('f'), Buffer.from(whole[round % 2]!));
      isWriting = false;
    })();
    while (isWriting) expect(whole).toContain(Buffer.from(await files.read(at('f'))).toString());
    await writing;
  });
});

/** A disk that takes at most so many bytes of a write at a place, and where that is none, is full. */
async function limitWrites(most: (position: number) => number): Promise<void> {
  const probe = await open(at('a'), 'r');
  const prototype = Object.getPrototypeOf(probe) as {
    write(...call: readonly [Uint8Array, number, number, number]): Promise<unknown>;
  };
  await probe.close();
  const write = Reflect.get(prototype, 'write');
  vi.spyOn(prototype, 'write').mockImplementation(function (this: unknown, ...call) {
    const [bytes, offset, length, position] = call;
    const taken = Math.min(length, most(position));
    if (taken > 0) return write.call(this, bytes, offset, taken, position);
    return Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  });
}

describe('Z5: real paths', () => {
  it('follows links; a dangling one leads to where it points, step by step', async () => {
    mkdirSync(at('real/inner'), { recursive: true });
    symlinkSync('real/inner', at('link'));
    symlinkSync('../../gone/file', at('real/inner/dangling'));
    symlinkSync('link/../away', at('crooked'));
    expect(await files.realPath(at('link/new'))).toBe(at('real/inner/new'));
    expect(await files.realPath(at('link/dangling'))).toBe(at('gone/file'));
    // `link/..` is the parent of what the link leads to, not of the link.
    expect(await files.realPath(at('crooked'))).toBe(at('real/away'));
  });

  it('of what is missing begins as the disk spells what is there', async () => {
    // As a disk does on which case does not matter.
    const realpath = (file: string) =>
      file.toLowerCase() === '/ws'
        ? Promise.resolve('/WS')
        : Promise.reject(Object.assign(new Error(file), { code: 'ENOENT' }));
    expect(await spellAsOnDisk('/ws/New/File', realpath)).toBe('/WS/New/File');
  });

  it('refuses a circle', async () => {
    symlinkSync('b', at('a'));
    symlinkSync('a', at('b'));
    await expect(files.realPath(at('a/x'))).rejects.toMatchObject({ code: 'ELOOP' });
  });
});

it('a list says what a link leads to', async () => {
  mkdirSync(at('dir'));
  symlinkSync('dir', at('to-dir'));
  symlinkSync('gone', at('to-nothing'));
  const items = new Map((await files.list(folder)).map((item) => [item.name, item]));
  expect(items.get('to-dir')).toEqual({ name: 'to-dir', kind: 'directory', isSymlink: true });
  expect(items.get('to-nothing')).toEqual({ name: 'to-nothing', kind: 'other', isSymlink: true });
});
