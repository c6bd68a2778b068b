import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FilePort } from '../../src/core/ports/files.ts';

/** An implementation to hold against the contract. */
export interface FilePortSubject {
  readonly files: FilePort;
  /** an empty folder, by its real location */
  readonly folder: string;
  dispose(): void;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);

/** What every {@link FilePort} holds. */
export function describeFilePort(name: string, open: () => FilePortSubject): void {
  describe(`FilePort: ${name}`, () => {
    let subject: FilePortSubject;
    beforeEach(() => (subject = open()));
    afterEach(() => subject.dispose());
    const at = (file: string) => `${subject.folder}/${file}`;

    it('writes whole files, with their folders, and reads them back', async () => {
      const { files } = subject;
      await files.write(at('a/b/c.txt'), bytes('one'));
      expect(text(await files.read(at('a/b/c.txt')))).toBe('one');
      await files.write(at('a/b/c.txt'), bytes('2'));
      expect(text(await files.read(at('a/b/c.txt')))).toBe('2');
      expect((await files.list(at('a/b'))).map((item) => item.name)).toEqual(['c.txt']);
    });

    it('reads ranges, cut at the end of the file', async () => {
      const { files } = subject;
      await files.write(at('f'), bytes('0123456789'));
      expect(text(await files.read(at('f'), { start: 2, end: 5 }))).toBe('234');
      expect(text(await files.read(at('f'), { start: 8, end: 50 }))).toBe('89');
      expect(text(await files.read(at('f'), { start: 10, end: 12 }))).toBe('');
    });

    it('says what is there, and undefined for what is not', async () => {
      const { files } = subject;
      await files.write(at('dir/f'), bytes('abc'));
      expect(await files.stat(at('dir/f'))).toEqual({
        kind: 'file',
        size: 3,
        modifiedMs: expect.closeTo(Date.now(), -5) as number,
      });
      expect(await files.stat(at('dir'))).toMatchObject({ kind: 'directory' });
      expect(await files.stat(at('nothing'))).toBeUndefined();
      expect(await files.stat(at('dir/f/below-a-file'))).toBeUndefined();
    });

    it('lists names and kinds', async () => {
      const { files } = subject;
      await files.write(at('dir/f'), bytes(''));
      await files.write(at('g'), bytes(''));
      const items = [...(await files.list(subject.folder))].sort((a, b) => (a.name < b.name ? -1 : 1));
      expect(items).toEqual([
        { name: 'dir', kind: 'directory', isSymlink: false },
        { name: 'g', kind: 'file', isSymlink: false },
      ]);
    });

    it('knows the real path of what is there and of what is not yet', async () => {
      const { files } = subject;
      await files.write(at('dir/f'), bytes(''));
      for (const file of ['dir/f', 'dir', 'dir/new', 'new/er/file'])
        expect(await files.realPath(at(file))).toBe(at(file));
    });

    it('appends, and creates what is not there with its folders', async () => {
      const { files } = subject;
      await files.append(at('a/b/log'), bytes('one'));
      await files.append(at('a/b/log'), bytes(', two'));
      expect(text(await files.read(at('a/b/log')))).toBe('one, two');
      await expect(files.append(at('a'), bytes('a folder'))).rejects.toThrow();
    });

    it('removes files, and folders with all that is in them; what is not there is no matter', async () => {
      const { files } = subject;
      await files.write(at('dir/sub/f'), bytes('1'));
      await files.write(at('g'), bytes('2'));
      await files.remove(at('dir'));
      await files.remove(at('g'));
      await files.remove(at('nothing'));
      expect(await files.list(subject.folder)).toEqual([]);
    });

    it('rejects the reading of nothing', async () => {
      await expect(subject.files.read(at('nothing'))).rejects.toThrow();
      await expect(subject.files.list(at('nothing'))).rejects.toThrow();
    });
  });
}
