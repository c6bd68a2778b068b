import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DiskLogStore } from '../../src/node/disk-log-store.ts';

let folder: string;
let store: DiskLogStore;
const raw = () => readFile(path.join(folder, 's.jsonl'), 'utf8');

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'plimsoll-log-'));
  store = new DiskLogStore(folder);
});
afterEach(async () => {
  await store.dispose();
  await rm(folder, { recursive: true });
});

describe('the log on disk', () => {
  it('is empty before its first line, and then holds the lines in order', async () => {
    expect(await store.read('s')).toEqual([]);
    await Promise.all(['one', 'two', 'three'].map((line) => store.append('s', line)));
    expect(await store.read('s')).toEqual(['one', 'two', 'three']);
    expect(await raw()).toBe('one\ntwo\nthree\n');
  });

  it('S9: a line is flushed to the disk before the append is done', async () => {
    const probe = await open(path.join(folder, 'probe'), 'w');
    const flush = vi.spyOn(Object.getPrototypeOf(probe) as typeof probe, 'datasync');
    await probe.close();
    let isFlushed = false;
    flush.mockImplementation(async () => {
      await sleep(50);
      expect(await raw()).toBe('one\n');
      isFlushed = true;
    });
    await store.append('s', 'one');
    expect(isFlushed).toBe(true);
    flush.mockRejectedValue(new Error('EIO'));
    await expect(store.append('s', 'two')).rejects.toThrow('EIO');
    flush.mockRestore();
  });

  it('S1: shows the piece of a line that a crash left, as a line of its own', async () => {
    await writeFile(path.join(folder, 's.jsonl'), '{"a":1}\n{"b":');
    expect(await store.read('s')).toEqual(['{"a":1}', '{"b":']);
  });

  it('S1: closes off the tail that a crash left before writing behind it', async () => {
    await writeFile(path.join(folder, 's.jsonl'), '{"a":1}\n{"b":');
    await store.append('s', '{"c":3}');
    expect(await raw()).toBe('{"a":1}\n{"b":\n{"c":3}\n');
  });

  it('can be read by its owner only', async () => {
    await store.append('s', 'secret');
    expect((await stat(path.join(folder, 's.jsonl'))).mode & 0o777).toBe(0o600);
  });

  it('Z5: takes plain names for sessions and nothing that leads elsewhere', async () => {
    for (const id of ['../../x', '/etc/passwd', 'a/b', '..', '', 'C:\\x', 'a\0b']) {
      await expect(store.append(id, 'x'), id).rejects.toThrow('not a session id');
      await expect(store.read(id), id).rejects.toThrow('not a session id');
    }
  });

  it('tells of a disk that cannot be written, and writes again when it can', async () => {
    const blocked = new DiskLogStore(path.join(folder, 'file'));
    await writeFile(path.join(folder, 'file'), 'in the way');
    await expect(blocked.append('s', 'x')).rejects.toThrow();
    await rm(path.join(folder, 'file'));
    await blocked.append('s', 'y');
    expect(await blocked.read('s')).toEqual(['y']);
    await blocked.dispose();
  });
});
