import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SessionDirectory } from '../../src/node/session-directory.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(path.join(os.tmpdir(), 'plimsoll-sessions-'))));
afterEach(() => rm(folder, { recursive: true }));

describe('the sessions of a workspace', () => {
  it('are told last used first, each once, per set of folders in any order', async () => {
    const directory = new SessionDirectory(folder);
    expect(await directory.recent(['/a'])).toEqual([]);
    await directory.touch(['/a', '/b'], 'other');
    for (const id of ['one', 'two', 'two', 'one']) await directory.touch(['/a'], id);
    expect(await directory.recent(['/a'])).toEqual(['one', 'two']);
    expect(await directory.recent(['/b', '/a'])).toEqual(['other']);
  });

  it('Z5: are none where the pointer was made to lead elsewhere, and no such session can be taken', async () => {
    const directory = new SessionDirectory(path.join(folder, 'storage'));
    await directory.touch(['/a'], 'fine');
    const [pointer = ''] = readdirSync(path.join(folder, 'storage', 'last'));
    for (const id of ['../../x', '/etc/passwd', '..', '', 'a/b', 'a\0b', 'C:\\x']) {
      await writeFile(path.join(folder, 'storage', 'last', pointer), id);
      expect(await directory.recent(['/a']), id).toEqual([]);
      await expect(directory.take(id), id).rejects.toThrow('not a session id');
    }
    expect(readdirSync(folder)).toEqual(['storage']);
    expect(existsSync(path.join(folder, 'storage', 'leases'))).toBe(false);
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

describe('the output that is open in a workspace', () => {
  it('is kept beside the draft, and apart from it', async () => {
    const directory = new SessionDirectory(folder);
    await directory.setOpenOutput(['/a'], '{"row":3}');
    expect(await new SessionDirectory(folder).openOutputOf(['/a'])).toBe('{"row":3}');
    expect(await directory.draftOf(['/a'])).toBe('');
    expect(await directory.openOutputOf(['/b'])).toBe('');
    await directory.setOpenOutput(['/a'], '');
    expect(await directory.openOutputOf(['/a'])).toBe('');
  });
});

describe('the lease', () => {
  let bundle: string;
  const others: Other[] = [];
  beforeAll(async () => (bundle = await bundleDirectory()));
  afterAll(() => rm(path.dirname(bundle), { recursive: true }));
  afterEach(() => Promise.all(others.splice(0).map((other) => other.kill())));
  const another = () => {
    const other = startOther(bundle, folder);
    others.push(other);
    return other;
  };

  it('is held by one process until that gives it back', async () => {
    const own = new SessionDirectory(folder);
    const other = another();
    expect(await other.take('s')).toBe(true);
    expect(await own.take('s')).toBe(false);
    await other.release();
    expect(await own.take('s')).toBe(true);
    expect(await other.take('s')).toBe(false);
    await own.release();
    expect(await other.take('s')).toBe(true);
  });

  it('falls to the next at once when its holder is killed', async () => {
    const own = new SessionDirectory(folder);
    const other = another();
    expect(await other.take('s')).toBe(true);
    await other.kill();
    expect(await own.take('s')).toBe(true);
  });

  it('is not held by another program that has the pid of the one that died', async () => {
    const other = another();
    await other.take('s');
    const [claim = ''] = await readdir(path.join(folder, 'leases'));
    const before = claim.replace(/\d+$/, (start) => String(Number(start) - 1));
    await rename(path.join(folder, 'leases', claim), path.join(folder, 'leases', before));
    expect(await new SessionDirectory(folder).take('s')).toBe(true);
    expect(await readdir(path.join(folder, 'leases'))).not.toContain(before);
  });

  it('is had by one at most of those that come at once', async () => {
    const comers = [another(), another(), another()];
    for (const session of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const got = await Promise.all(comers.map((comer) => comer.take(session)));
      expect(got.filter(Boolean).length).toBeLessThanOrEqual(1);
    }
  });

  it('can be taken again by its holder, and is given up for another session', async () => {
    const own = new SessionDirectory(folder);
    const other = another();
    expect(await own.take('a')).toBe(true);
    expect(await own.take('a')).toBe(true);
    expect(await own.take('b')).toBe(true);
    expect(await other.take('a')).toBe(true);
    expect(await other.take('b')).toBe(false);
  });

  it('is kept while another session cannot be had', async () => {
    const own = new SessionDirectory(folder);
    const other = another();
    await other.take('theirs');
    await own.take('own');
    expect(await own.take('theirs')).toBe(false);
    expect(await other.take('own')).toBe(false);
  });
});

/** Another process of the product, with a directory of its own over the same folder. */
interface Other {
  take(session: string): Promise<boolean>;
  release(): Promise<void>;
  kill(): Promise<void>;
}

const OTHER = `
const [, bundle, folder] = process.argv;
const directory = new (require(bundle).SessionDirectory)(folder);
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const [method, ...values] = JSON.parse(line);
  console.log(JSON.stringify((await directory[method](...values)) ?? null));
});`;

function startOther(bundle: string, folder: string): Other {
  const child = spawn(process.execPath, ['-e', OTHER, bundle, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (...call: readonly string[]): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(call)}\n`);
    return JSON.parse((await answers.next()).value as string);
  };
  return {
    take: async (session) => (await ask('take', session)) === true,
    release: async () => void (await ask('release')),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function bundleDirectory(): Promise<string> {
  const outfile = path.join(
    await mkdtemp(path.join(os.tmpdir(), 'plimsoll-bundle-')),
    'session-directory.js',
  );
  const entry = path.join(import.meta.dirname, '../../src/node/session-directory.ts');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
  return outfile;
}
