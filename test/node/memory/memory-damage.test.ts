import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MemoryStore } from '../../../src/core/ports/memory-store.ts';
import { openMemoryStore } from '../../../src/node/memory/open-memory-store.ts';
import { forget, put } from '../../support/builders/memories.ts';
import { loadTestSql } from '../../support/load-test-sql.ts';
import { temporaryFolder } from '../../support/tool-bench.ts';

let folder: string;
const opened: MemoryStore[] = [];
beforeEach(() => (folder = path.join(temporaryFolder(), 'memory')));
afterEach(async () => {
  for (const store of opened.splice(0)) await store.dispose();
  rmSync(path.dirname(folder), { recursive: true, force: true });
});

const at = (name: string) => path.join(folder, name);
const open = async (checkpointLines = 1_000) => {
  const store = await openMemoryStore({ folder, name: 'p', loadSql: loadTestSql, checkpointLines });
  opened.push(store);
  return store;
};
const ids = (store: MemoryStore) =>
  store
    .all()
    .map(({ id }) => id)
    .sort();
const names = () => readdirSync(folder).sort();
const everything = () =>
  names()
    .map((name) => readFileSync(at(name), 'latin1'))
    .join('\n');
const damaged = () => names().filter((name) => name.includes('.damaged-'));

/** A store with one memory in its image and another in its journal. */
async function imageAndJournal(): Promise<void> {
  const first = await open();
  await first.write([put('image', 'From the image.')]);
  await first.dispose();
  const second = await open();
  await second.write([put('journal', 'From the journal.')]);
}

describe('the files of a store', () => {
  it.skipIf(process.platform === 'win32')('Z1: are for their owner alone', async () => {
    await imageAndJournal();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(names()).toEqual(['memory.jsonl', 'memory.sqlite', 'memory.sqlite.bak']);
    for (const name of names()) expect(statSync(at(name)).mode & 0o777, name).toBe(0o600);
  });

  it('M10: have no word of what was forgotten once the store was opened again', async () => {
    const store = await open();
    await store.write([put('m1', 'The zanzibar secret.'), put('m2', 'Kept.')]);
    await store.dispose();
    const second = await open();
    await second.write([put('m3', 'Another quokka secret.')]);
    await second.write([forget('m1'), forget('m3')]);
    expect(second.forgotten('m3')?.text).toContain('quokka');
    await open();
    expect(everything()).not.toMatch(/zanzibar|quokka/);
    expect(everything()).toContain('Kept.');
    // The window that forgot can still bring it back.
    await second.write([{ kind: 'restore', id: 'm3' }]);
    expect(ids(await open())).toEqual(['m2', 'm3']);
  });

  it('are a line that was flushed for every write, and images now and then', async () => {
    const store = await open(3);
    for (const id of ['a', 'b']) await store.write([put(id, 'Text.')]);
    expect(readFileSync(at('memory.jsonl'), 'utf8').split('\n').filter(Boolean)).toHaveLength(2);
    expect(existsSync(at('memory.sqlite'))).toBe(false);
    await store.write([put('c', 'Text.')]);
    await store.exclusively(() => Promise.resolve());
    expect(names().filter((name) => name !== 'memory.lock')).toEqual(['memory.sqlite', 'memory.sqlite.bak']);
    expect(readFileSync(at('memory.sqlite'))).toEqual(readFileSync(at('memory.sqlite.bak')));
  });

  it('are not made where nothing is written', async () => {
    await (await open()).dispose();
    expect(existsSync(folder)).toBe(false);
  });
});

describe('a store whose files are damaged', () => {
  it.each([
    ['is no database', () => Buffer.from('this is no database, but it is quite long'.repeat(500))],
    ['is empty', () => Buffer.alloc(0)],
    ['was cut off', (image: Buffer) => image.subarray(0, image.length / 2)],
    [
      'has garbage in its midst',
      (image: Buffer) => Buffer.concat([image.subarray(0, 4096), Buffer.alloc(image.length - 4096, 0xa5)]),
    ],
    [
      'is another program’s database',
      (image: Buffer) => Buffer.concat([image.subarray(0, 100), Buffer.alloc(image.length - 100)]),
    ],
  ])('loses nothing where the image %s, and says so', async (_, damage) => {
    await imageAndJournal();
    const bytes = damage(readFileSync(at('memory.sqlite')));
    writeFileSync(at('memory.sqlite'), bytes);
    const store = await open();
    expect(ids(store)).toEqual(['image', 'journal']);
    expect(store.notice).toMatch(/^memory\.sqlite was damaged .* nothing is lost\.$/);
    expect(damaged()).toHaveLength(1);
    expect(damaged()[0]).toMatch(/^memory\.sqlite\.damaged-\d{4}-\d\d-\d\dT/);
    expect(readFileSync(at(damaged()[0]!))).toEqual(bytes);
    const next = await open();
    expect([ids(next), next.notice]).toEqual([['image', 'journal'], undefined]);
  });

  it('has what was written since where both images are damaged', async () => {
    await imageAndJournal();
    for (const name of ['memory.sqlite', 'memory.sqlite.bak']) writeFileSync(at(name), 'no');
    const store = await open();
    expect(ids(store)).toEqual(['journal']);
    expect(store.notice).toContain('older memories could not be read');
    expect(damaged()).toHaveLength(2);
  });

  it.each([
    ['garbage', '\u0000\u00ff garbage\n{"v":1}\n{"v":1,"writer":"w","seq":1,"changes":[{"kind":"put"}]}\n'],
    ['the beginning of a line', '\n{"v":1,"writer":"x","seq":1,"changes":[{"kind":"put","mem'],
  ])('reads what there is around %s in the journal, keeps that and says so', async (_, garbage) => {
    await imageAndJournal();
    writeFileSync(at('memory.jsonl'), garbage, { flag: 'a' });
    await opened.at(-1)!.write([put('after', 'Written behind it.')]);
    const before = readFileSync(at('memory.jsonl'));
    const store = await open();
    expect(ids(store)).toEqual(['after', 'image', 'journal']);
    expect(store.notice).toMatch(/^\d damaged lines? of the journal could not be read; the file is kept\.$/);
    expect(damaged()).toEqual([expect.stringMatching(/^memory\.jsonl\.damaged-/)]);
    expect(readFileSync(at(damaged()[0]!))).toEqual(before);
    const next = await open();
    expect([ids(next), next.notice]).toEqual([['after', 'image', 'journal'], undefined]);
  });

  it('reads what there is before an end that a crash has torn off', async () => {
    await imageAndJournal();
    const whole = readFileSync(at('memory.jsonl'));
    for (const cut of [1, 2, whole.length - 3]) {
      writeFileSync(at('memory.jsonl'), Buffer.concat([whole, whole.subarray(0, whole.length - cut)]));
      const store = await open();
      expect(ids(store)).toEqual(['image', 'journal']);
      expect(store.notice).toContain('1 damaged line');
    }
  });

  it('is opened where folders are in the place of its images', async () => {
    mkdirSync(at('memory.sqlite'), { recursive: true });
    const store = await open();
    await store.write([put('m1', 'Text.')]);
    expect(store.notice).toContain('damaged');
    await store.dispose();
    expect(ids(await open())).toEqual(['m1']);
  });

  it('takes a checkpoint up where it was cut off, wherever that was', async () => {
    await imageAndJournal();
    await opened.at(-1)!.write([{ kind: 'used', ids: ['journal'], atMs: 1 }]);
    const journal = readFileSync(at('memory.jsonl'));
    const images = readFileSync(at('memory.sqlite'));
    const finished = await open();
    await finished.dispose();
    const newer = readFileSync(at('memory.sqlite'));
    const states: readonly (readonly [string, readonly (readonly [string, Buffer])[]])[] = [
      [
        'the journal was sealed',
        [
          ['memory.000001-ab.jsonl', journal],
          ['memory.sqlite', images],
          ['memory.sqlite.bak', images],
        ],
      ],
      [
        'a draft was half written',
        [
          ['memory.000001-ab.jsonl', journal],
          ['memory.sqlite', images],
          ['memory.sqlite.bak', images],
          ['memory.sqlite.0.tmp', newer.subarray(0, 99)],
        ],
      ],
      [
        'one image was new',
        [
          ['memory.000001-ab.jsonl', journal],
          ['memory.sqlite', newer],
          ['memory.sqlite.bak', images],
        ],
      ],
      [
        'both images were new',
        [
          ['memory.000001-ab.jsonl', journal],
          ['memory.sqlite', newer],
          ['memory.sqlite.bak', newer],
        ],
      ],
      [
        'the new image was lost with the power',
        [
          ['memory.000001-ab.jsonl', journal],
          ['memory.sqlite', Buffer.alloc(0)],
          ['memory.sqlite.bak', images],
        ],
      ],
      [
        'a line was written twice',
        [
          ['memory.000001-ab.jsonl', journal],
          ['memory.jsonl', journal],
          ['memory.sqlite', images],
          ['memory.sqlite.bak', images],
        ],
      ],
    ];
    for (const [what, files] of states) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      for (const [name, bytes] of files) writeFileSync(at(name), bytes);
      const store = await open(1);
      expect(ids(store), what).toEqual(['image', 'journal']);
      expect(store.get('journal')?.uses, what).toBe(1);
      await store.write([put('next', 'Goes on.')]);
      await store.dispose();
      expect(
        names().filter((name) => !name.includes('damaged')),
        what,
      ).toEqual(['memory.sqlite', 'memory.sqlite.bak']);
      expect(ids(await open()), what).toEqual(['image', 'journal', 'next']);
    }
  });
});

describe('a store of a newer version', () => {
  it('is not opened, says why, and is left as it is', async () => {
    await imageAndJournal();
    const sql = await loadTestSql();
    const database = new sql.Database(readFileSync(at('memory.sqlite')));
    database.run("INSERT INTO migrations VALUES ('2031-01-colours', 1)");
    writeFileSync(at('memory.sqlite'), database.export());
    const before = everything();
    await expect(open()).rejects.toThrow(/newer version of Plimsoll.*update/i);
    expect(everything()).toBe(before);
  });

  it('that another window begins to write is read on as it was, and not written over', async () => {
    await imageAndJournal();
    const store = opened.at(-1)!;
    writeFileSync(at('memory.jsonl'), '\n{"v":2,"what":"nobody knows"}\n', { flag: 'a' });
    const before = everything();
    expect(await store.refresh()).toBe(false);
    expect(ids(store)).toEqual(['image', 'journal']);
    await expect(store.write([put('m', 'x')])).rejects.toThrow(/newer version/);
    await store.dispose();
    expect(everything()).toBe(before);
    await expect(open()).rejects.toThrow(/newer version/);
  });
});
