import { deepEqual, equal, rejects } from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { OutputStore } from '../../src/core/offload/output-store.ts';
import { readInstructions } from '../../src/core/prompt/instructions.ts';
import { resolvePath } from '../../src/core/tools/workspace-path.ts';
import { editorFiles } from '../../src/host/editor-files.ts';
import { workspaceFiles } from '../../src/host/workspace-files.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createDiskFiles } from '../../src/node/disk-files.ts';
import { MemoryFileSystem } from './memory-file-system.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);

describe('files of a workspace that is not on disk', () => {
  const root = { name: 'virtual', location: 'plimsoll-memory://box/ws' };
  const system = new MemoryFileSystem();
  let registration: vscode.Disposable;

  before(() => {
    registration = vscode.workspace.registerFileSystemProvider('plimsoll-memory', system);
  });
  after(() => void registration.dispose());

  it('are written with their folders, read whole and in ranges, and listed', async () => {
    await workspaceFiles.write(`${root.location}/src/a b.txt`, bytes('0123456789'));
    equal(text(await workspaceFiles.read(`${root.location}/src/a b.txt`)), '0123456789');
    equal(text(await workspaceFiles.read(`${root.location}/src/a b.txt`, { start: 2, end: 5 })), '234');
    deepEqual(await workspaceFiles.list(`${root.location}/src`), [
      { name: 'a b.txt', kind: 'file', isSymlink: false },
    ]);
  });

  it('are called what they are called: nothing in a name is taken for a part of the URI', async () => {
    for (const name of ['a#b.txt', 'a?b.txt', 'a%20b.txt', '50%.txt', 'ü&+;.txt']) {
      await workspaceFiles.write(`${root.location}/names/${name}`, bytes(name));
      equal(text(await workspaceFiles.read(`${root.location}/names/${name}`)), name);
    }
    const items = await workspaceFiles.list(`${root.location}/names`);
    deepEqual(items.map(({ name }) => name).sort(), [
      '50%.txt',
      'a#b.txt',
      'a%20b.txt',
      'a?b.txt',
      'ü&+;.txt',
    ]);
  });

  it('Z5: cannot be left by an encoded ".."', async () => {
    await workspaceFiles.write('plimsoll-memory://box/secret', bytes('private'));
    const context = { files: workspaceFiles, workspace: { roots: () => [root], isTrusted: () => true } };
    for (const path of ['%2e%2e/secret', 'src/%2E./.%2e/../secret', '%2e%2e'])
      await rejects(resolvePath(path, context), /cannot be followed/);
    const outside = await resolvePath('../secret', context);
    deepEqual(outside, { location: 'plimsoll-memory://box/secret', label: 'plimsoll-memory://box/secret' });
  });

  it('are appended to, in parts as large as may be written anew, and removed', async () => {
    const file = `${root.location}/out/0001-run.txt`;
    await workspaceFiles.append(file, bytes('one'));
    await workspaceFiles.append(file, bytes(', two'));
    equal(text(await workspaceFiles.read(file)), 'one, two');
    equal(workspaceFiles.appendLimit(file), 1_000_000);
    await workspaceFiles.remove(`${root.location}/out`);
    await workspaceFiles.remove(`${root.location}/out`);
    equal(await workspaceFiles.stat(file), undefined);
  });

  it('hold long outputs, whole and in order, in parts', async () => {
    const workspace = { roots: () => [root], isTrusted: () => true };
    const options = {
      files: editorFiles(createDiskFiles()),
      workspace,
      fallback: '/nowhere',
      clock: systemClock,
    };
    const writer = new OutputStore(options).begin('s', 'run', { threshold: 0, onKept: () => undefined });
    const line = `${'x'.repeat(99)}\n`;
    for (let count = 0; count < 25_000; count += 1) await writer.write(bytes(line));
    const output = await writer.finish();
    equal(output?.bytes, 2_500_000);
    equal(output?.parts.length, 3);
    const parts = await Promise.all((output?.parts ?? []).map(({ file }) => workspaceFiles.read(file)));
    equal(parts.map(text).join(''), line.repeat(25_000));
  });

  it('are told apart from what is not there', async () => {
    deepEqual(await workspaceFiles.stat(`${root.location}/src`), {
      kind: 'directory',
      size: 0,
      modifiedMs: 0,
    });
    equal(await workspaceFiles.stat(`${root.location}/nothing`), undefined);
    await rejects(workspaceFiles.read(`${root.location}/nothing`));
  });

  it('are read-only where their file system says so', async () => {
    const file = `${root.location}/fixed.md`;
    await workspaceFiles.write(file, bytes('x'));
    equal((await workspaceFiles.stat(file))?.isReadOnly, undefined);
    system.readOnly.add('/ws/fixed.md');
    deepEqual(await workspaceFiles.stat(file), { kind: 'file', size: 1, modifiedMs: 0, isReadOnly: true });
  });

  it('give the project’s instructions like any other', async () => {
    deepEqual(await readInstructions(workspaceFiles, [root]), []);
    await workspaceFiles.write(`${root.location}/AGENTS.md`, bytes('Use tabs.'));
    deepEqual(await readInstructions(workspaceFiles, [root]), [
      { root, path: 'AGENTS.md', text: 'Use tabs.', isCut: false },
    ]);
  });
});
