import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { projectOf } from '../../../src/node/memory/project-key.ts';
import { temporaryFolder } from '../../support/tool-bench.ts';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => path.join(folder, name);
const keyOf = async (name: string) => (await projectOf(at(name))).key;

/** Real git, with no settings of whoever runs the tests. */
function git(where: string, ...words: readonly string[]): void {
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@y', '-c', 'protocol.file.allow=always'];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  execFileSync('git', [...identity, ...words], { cwd: at(where), env, stdio: 'pipe' });
}

function repository(name: string): void {
  mkdirSync(at(name), { recursive: true });
  git(name, 'init', '-q');
  git(name, 'commit', '-q', '--allow-empty', '-m', 'first');
}

describe('the project of a folder', () => {
  it('M8: is the same in all worktrees of a repository, and has its name', async () => {
    repository('app');
    expect(await projectOf(at('app'))).toMatchObject({ name: 'app', isShared: false });
    git('app', 'worktree', 'add', '-q', '../app-fix');
    const [main, added] = await Promise.all([projectOf(at('app')), projectOf(at('app-fix'))]);
    expect(added).toEqual(main);
    expect(main).toMatchObject({ name: 'app', isShared: true });
    rmSync(at('app-fix'), { recursive: true });
    expect(await projectOf(at('app'))).toEqual({ ...main, isShared: false });
  });

  it('M8: is the same for worktrees of a bare repository, also where it hides beside them', async () => {
    repository('origin');
    git('.', 'clone', '-q', '--bare', 'origin', 'lib.git');
    git('lib.git', 'worktree', 'add', '-q', '../one');
    expect(await projectOf(at('one'))).toMatchObject({ name: 'lib', isShared: false });
    git('lib.git', 'worktree', 'add', '-q', '../two');
    expect(await projectOf(at('two'))).toEqual(await projectOf(at('one')));
    expect(await projectOf(at('lib.git'))).toEqual(await projectOf(at('one')));
    expect(await projectOf(at('one'))).toMatchObject({ name: 'lib', isShared: true });

    mkdirSync(at('hub'));
    renameSync(at('lib.git'), at('hub/.bare'));
    writeFileSync(at('hub/.git'), 'gitdir: ./.bare\n');
    git('hub', 'worktree', 'add', '-q', 'three');
    expect(await projectOf(at('hub/three'))).toMatchObject({ name: 'hub' });
    expect(await keyOf('hub/three')).toBe(await keyOf('hub'));
  });

  it('M9: is another for every other repository, clones of the same among them', async () => {
    repository('a');
    repository('b');
    git('.', 'clone', '-q', 'a', 'c');
    const keys = await Promise.all(['a', 'b', 'c'].map(keyOf));
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });

  it('M9: is another for a submodule, with the name of its folder', async () => {
    repository('part');
    repository('whole');
    git('whole', 'submodule', 'add', '-q', '../part', 'libs/inner');
    const inner = await projectOf(at('whole/libs/inner'));
    expect(inner).toMatchObject({ name: 'inner', isShared: false });
    expect(inner.key).not.toBe(await keyOf('whole'));
    expect(inner.key).not.toBe(await keyOf('part'));
  });

  it('is the repository that a folder lies in', async () => {
    repository('app');
    mkdirSync(at('app/packages/web'), { recursive: true });
    expect(await projectOf(at('app/packages/web'))).toEqual(await projectOf(at('app')));
  });

  it('is the folder itself, by its real path, where there is no repository', async () => {
    mkdirSync(at('plain'));
    mkdirSync(at('other'));
    symlinkSync(at('plain'), at('link'));
    expect(await projectOf(at('link'))).toEqual(await projectOf(at('plain')));
    expect(await projectOf(at('plain'))).toMatchObject({ name: 'plain', isShared: false });
    expect(await keyOf('plain')).not.toBe(await keyOf('other'));
    expect(await projectOf(at('not-there'))).toMatchObject({ name: 'not-there' });
  });

  it.each([
    ['points nowhere', 'gitdir: /not/there/at/all\n'],
    ['says nothing', 'what is this\n'],
    ['is empty', ''],
    ['is binary', '\0\u0001gitdir'],
  ])('is the folder itself where its .git file %s, not what lies above', async (_, pointer) => {
    repository('outer');
    mkdirSync(at('outer/inner'));
    writeFileSync(at('outer/inner/.git'), pointer);
    expect(await projectOf(at('outer/inner'))).toMatchObject({ name: 'inner', isShared: false });
    expect(await keyOf('outer/inner')).not.toBe(await keyOf('outer'));
  });

  it('is what lies above a .git folder that is no repository', async () => {
    repository('outer');
    mkdirSync(at('outer/inner/.git'), { recursive: true });
    expect(await keyOf('outer/inner')).toBe(await keyOf('outer'));
  });
});

it.skipIf(process.platform === 'win32')(
  'M9: a repository of the home folder does not make one project of all that lies below it',
  async () => {
    repository('home');
    mkdirSync(at('home/one'));
    mkdirSync(at('home/two'));
    vi.stubEnv('HOME', at('home'));
    expect(await keyOf('home/one')).not.toBe(await keyOf('home/two'));
    expect(await keyOf('home/one')).not.toBe(await keyOf('home'));
    vi.unstubAllEnvs();
  },
);
