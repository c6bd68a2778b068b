import { deepEqual, equal, rejects } from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { readInstructions } from '../../src/core/prompt/instructions.ts';
import { workspaceFiles } from '../../src/host/workspace-files.ts';
import { MemoryFileSystem } from './memory-file-system.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);

describe('files of a workspace that is not on disk', () => {
  const root = { name: 'virtual', location: 'plimsoll-memory://box/ws' };
  let registration: vscode.Disposable;

  before(() => {
    registration = vscode.workspace.registerFileSystemProvider('plimsoll-memory', new MemoryFileSystem());
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

  it('are told apart from what is not there', async () => {
    deepEqual(await workspaceFiles.stat(`${root.location}/src`), { kind: 'directory', size: 0 });
    equal(await workspaceFiles.stat(`${root.location}/nothing`), undefined);
    await rejects(workspaceFiles.read(`${root.location}/nothing`));
  });

  it('give the project’s instructions like any other', async () => {
    deepEqual(await readInstructions(workspaceFiles, [root]), []);
    await workspaceFiles.write(`${root.location}/AGENTS.md`, bytes('Use tabs.'));
    deepEqual(await readInstructions(workspaceFiles, [root]), [
      { root, path: 'AGENTS.md', text: 'Use tabs.', isCut: false },
    ]);
  });
});
