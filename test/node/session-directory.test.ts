import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionDirectory } from '../../src/node/session-directory.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(path.join(os.tmpdir(), 'plimsoll-sessions-'))));
afterEach(() => rm(folder, { recursive: true }));

describe('the last session of a workspace', () => {
  it('is the one set, per set of folders in any order', async () => {
    const directory = new SessionDirectory(folder);
    expect(await directory.lastOf(['/a'])).toBeUndefined();
    await directory.setLast(['/a', '/b'], 'one');
    await directory.setLast(['/a'], 'two');
    expect(await directory.lastOf(['/b', '/a'])).toBe('one');
    expect(await directory.lastOf(['/a'])).toBe('two');
  });
});

describe('the draft of a workspace', () => {
  it('is what was typed last, and nothing once it was sent', async () => {
    const directory = new SessionDirectory(folder);
    expect(await directory.draftOf(['/a'])).toBe('');
    await directory.setDraft(['/a'], 'half a thought');
    expect(await new SessionDirectory(folder).draftOf(['/a'])).toBe('half a thought');
    await directory.setDraft(['/a'], '');
    expect(await directory.draftOf(['/a'])).toBe('');
  });
});

describe('the lease', () => {
  it('is held by one process; a dead process holds nothing', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await mkdir(path.join(folder, 'leases'));
    await writeFile(path.join(folder, 'leases', 's'), String(other.pid));
    const directory = new SessionDirectory(folder);
    expect(await directory.take('s')).toBe(false);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(await directory.take('s')).toBe(true);
  });

  it('can be taken again by its holder, and is given up for another and on release', async () => {
    const directory = new SessionDirectory(folder);
    expect(await directory.take('a')).toBe(true);
    expect(await directory.take('a')).toBe(true);
    expect(await directory.take('b')).toBe(true);
    await directory.release();
    await directory.release();
  });
});
