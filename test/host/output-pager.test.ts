import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { OffloadedOutput } from '../../src/core/model/offloaded.ts';
import { OutputPager } from '../../src/host/output-pager.ts';
import { openInEditor, reveal } from '../../src/host/output-places.ts';
import { locationOf } from '../../src/host/locations.ts';
import { routedFiles } from '../../src/host/workspace-files.ts';
import { createDiskFiles } from '../../src/node/disk-files.ts';
import { initialPanelState } from '../../src/protocol/reduce.ts';
import type { PanelState, ToolItem } from '../../src/protocol/view-model.ts';
import { MemoryFileSystem } from './memory-file-system.ts';

const files = routedFiles(createDiskFiles());

describe('the host side of the pager', () => {
  // As outputs are named: with no link on the way.
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'plimsoll-outputs-')));
  const panel = { state: stateOf(), isShown: true };
  const pager = new OutputPager(files, () => panel);
  let registration: vscode.Disposable;

  before(() => {
    registration = vscode.workspace.registerFileSystemProvider('plimsoll-outputs', new MemoryFileSystem());
  });
  after(async () => {
    registration.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true, force: true });
  });

  const onDisk = (name: string, text: string): OffloadedOutput => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return outputOf(file, [{ file: locationOf(vscode.Uri.file(file)), bytes: Buffer.byteLength(text) }]);
  };
  const shown = (...tools: ToolItem[]) => (panel.state = stateOf(...tools));
  const textsOf = async (toolUseId: string) => {
    const page = await pager.page({ toolUseId, at: { row: 0 }, rows: 10 });
    ok(page.kind === 'page');
    return page.rows.map(({ text }) => text);
  };

  it('pages what a card of the panel refers to, by the call that made it', async () => {
    shown(toolOf('c1', onDisk('1.txt', 'one\n')), toolOf('c2', onDisk('2.txt', 'two\nthree')));
    deepEqual(await textsOf('c1'), ['one']);
    deepEqual(await pager.page({ toolUseId: 'c2', at: 'end', rows: 1 }), {
      kind: 'page',
      rows: [{ line: 2, text: 'three', byte: 4 }],
      firstRow: 1,
      style: '',
      size: { bytes: 9, rows: 2, lines: 2, isCounted: true, isGrowing: false, generation: 0 },
    });
  });

  it('reads no file that no card refers to', async () => {
    shown(toolOf('c1', undefined));
    for (const toolUseId of ['c1', 'c2', path.join(folder, '1.txt')]) {
      const page = await pager.page({ toolUseId, at: 'end', rows: 1 });
      equal(page.kind, 'missing');
      await rejects(
        pager.search({ toolUseId, text: 'one', isCaseSensitive: false }),
        /no file with this output/,
      );
    }
  });

  it('follows an output that grows', async () => {
    const first = onDisk('growing.txt', 'one\ntw');
    shown({ ...toolOf('c1', first), state: 'running' });
    const before = await pager.page({ toolUseId: 'c1', at: 'end', rows: 5 });
    ok(before.kind === 'page');
    deepEqual(before.size, { bytes: 6, rows: 2, lines: 2, isCounted: true, isGrowing: true, generation: 0 });

    const grown = onDisk('growing.txt', 'one\ntwo\nthree\n');
    shown({ ...toolOf('c1', grown), state: 'ok' });
    const then = await pager.page({ toolUseId: 'c1', at: 'end', rows: 5 });
    ok(then.kind === 'page');
    deepEqual(then.size, { bytes: 14, rows: 3, lines: 3, isCounted: true, isGrowing: false, generation: 0 });
    deepEqual(
      then.rows.map(({ text }) => text),
      ['one', 'two', 'three'],
    );
  });

  it('says that the file was written anew, and pages what it holds now', async () => {
    shown(toolOf('c1', onDisk('edited.txt', 'one\ntwo\nthree\n')));
    const before = await pager.page({ toolUseId: 'c1', at: 'end', rows: 5 });
    ok(before.kind === 'page');
    equal(before.size.generation, 0);
    writeFileSync(path.join(folder, 'edited.txt'), 'a\nb\nc\nd\ne\nf\ng\n');
    const then = await pager.page({ toolUseId: 'c1', at: { row: 0 }, rows: 9 });
    ok(then.kind === 'page');
    deepEqual(then.size, { bytes: 14, rows: 7, lines: 7, isCounted: true, isGrowing: false, generation: 1 });
    equal((await pager.search({ toolUseId: 'c1', text: 'three', isCaseSensitive: true })).count, 0);
  });

  it('gives a search up for a newer one, and when nobody sees the panel any more', async () => {
    shown(toolOf('c1', onDisk('large.txt', 'a line like any other\n'.repeat(200_000))));
    const search = (text: string) => pager.search({ toolUseId: 'c1', text, isCaseSensitive: false });
    const older = rejects(search('other'), /another search/);
    equal((await search('LINE')).count, 200_000);
    await older;
    panel.isShown = false;
    await rejects(search('other'), /another search/);
    panel.isShown = true;
  });

  it('works on files of a workspace that is elsewhere, in as many parts as it takes', async () => {
    const parts = [];
    for (const [index, text] of ['one\ntw', 'o\nthree'].entries()) {
      const file = `plimsoll-outputs://box/ws/.plimsoll/${index}.txt`;
      await files.write(file, Buffer.from(text));
      parts.push({ file, bytes: text.length });
    }
    const output = outputOf('.plimsoll/0.txt', parts);
    shown(toolOf('c1', output));
    deepEqual(await textsOf('c1'), ['one', 'two', 'three']);
    equal((await pager.search({ toolUseId: 'c1', text: 'two', isCaseSensitive: true })).count, 1);
    await rejects(reveal(output, files), /in no folder of this workspace/);
  });

  it('opens the file in an editor tab, however large', async () => {
    await openInEditor(onDisk('open me.txt', 'text'), files);
    equal(vscode.window.activeTextEditor?.document.getText(), 'text');

    const large = onDisk('large one.txt', 'x'.repeat(60_000_000));
    await openInEditor(large, files);
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    equal(tab?.label, 'large one.txt');
  });

  it('shows in the explorer what is in the workspace', async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    ok(root);
    const file = path.join(realpathSync(root.uri.fsPath), '.plimsoll/tool_results/s/1-run_command.txt');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, 'text');
    await reveal(
      outputOf('1-run_command.txt', [{ file: locationOf(vscode.Uri.file(file)), bytes: 4 }]),
      files,
    );
  });

  it('O6: shows no other file when a link has taken the place of the output', async () => {
    const output = onDisk('linked.txt', 'text');
    const file = path.join(folder, 'linked.txt');
    const other = path.join(folder, 'other.txt');
    rmSync(file);
    writeFileSync(other, 'not to be shown');
    symlinkSync(other, file);
    shown(toolOf('c1', output));
    const page = await pager.page({ toolUseId: 'c1', at: 'end', rows: 1 });
    ok(page.kind === 'missing');
    match(page.reason, /no longer the output/);
    for (const attempt of [
      openInEditor(output, files),
      reveal(output, files),
      pager.search({ toolUseId: 'c1', text: 'x', isCaseSensitive: false }),
    ])
      await rejects(attempt, /no longer the output/);
  });

  it('O6: says so when the file is gone, wherever it is wanted', async () => {
    const gone = onDisk('gone.txt', 'text');
    rmSync(path.join(folder, 'gone.txt'));
    shown(toolOf('c1', gone));
    const page = await pager.page({ toolUseId: 'c1', at: 'end', rows: 1 });
    ok(page.kind === 'missing');
    match(page.reason, /no longer there/);
    for (const attempt of [
      openInEditor(gone, files),
      reveal(gone, files),
      pager.search({ toolUseId: 'c1', text: 'x', isCaseSensitive: false }),
    ])
      await rejects(attempt, /no longer there/);
  });
});

function stateOf(...items: ToolItem[]): PanelState {
  const environment = { hasKey: true, isTrusted: true, hasFolder: true };
  return { ...initialPanelState({ sessionId: 's', environment }), items };
}

function toolOf(toolUseId: string, kept: OffloadedOutput | undefined): ToolItem {
  const card: ToolItem = {
    kind: 'tool',
    toolUseId,
    tool: 'run_command',
    target: 'npm test',
    state: 'ok',
    output: '',
  };
  return kept === undefined ? card : { ...card, kept };
}

function outputOf(file: string, parts: OffloadedOutput['parts']): OffloadedOutput {
  return { path: file, parts, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), lines: 0 };
}
