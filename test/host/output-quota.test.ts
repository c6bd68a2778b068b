import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { OUTPUTS_FOLDER } from '../../src/core/model/offloaded.ts';
import { OutputStore } from '../../src/core/offload/output-store.ts';
import { locationOf } from '../../src/host/locations.ts';
import { OutputQuota } from '../../src/host/output-quota.ts';
import { workspace } from '../../src/host/workspace.ts';
import { routedFiles } from '../../src/host/workspace-files.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createDiskFiles } from '../../src/node/disk-files.ts';

const CURRENT = '20260102-120000-00000001';
const OLDER = '20260101-120000-00000002';
const GONE = '20250101-120000-00000003';
const LONG_AGO = new Date('2025-01-01');

describe('the quota of kept outputs', () => {
  const [root] = vscode.workspace.workspaceFolders ?? [];
  ok(root);
  const outputs = path.join(root.uri.fsPath, OUTPUTS_FOLDER);
  const elsewhere = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-elsewhere-'));
  const setting = vscode.workspace.getConfiguration('plimsoll');

  before(() => setting.update('offload.quotaMB', 1, vscode.ConfigurationTarget.Global));
  after(async () => {
    await setting.update('offload.quotaMB', undefined, vscode.ConfigurationTarget.Global);
    for (const folder of [outputs, elsewhere]) rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    rmSync(outputs, { recursive: true, force: true });
    for (const id of [CURRENT, OLDER, GONE, 'my notes']) keep(path.join(outputs, id));
  });

  const left = () => [CURRENT, OLDER, GONE, 'my notes'].filter((id) => existsSync(path.join(outputs, id)));

  it('takes what is of sessions that are gone, and nothing else, of its own accord', async () => {
    const { quota, memory } = make([CURRENT, OLDER]);
    await memory.update('plimsoll.outputs.asked', Date.now());
    await quota.look();
    deepEqual(left(), [CURRENT, OLDER, 'my notes']);
    quota.dispose();
  });

  it('asks before it takes what can still be looked at, and takes it when told to', async () => {
    const { quota, memory } = make([CURRENT, OLDER]);
    const looking = quota.look();
    await accepted(looking);
    deepEqual(left(), [CURRENT, 'my notes']);
    ok(memory.get('plimsoll.outputs.asked', 0) > Date.now() - 60_000);
    quota.dispose();
  });

  it('leaves what a link in the place of the folder leads to', async () => {
    rmSync(outputs, { recursive: true });
    keep(path.join(elsewhere, GONE));
    symlinkSync(elsewhere, outputs, 'junction');
    const { quota } = make([CURRENT]);
    await quota.look();
    equal(existsSync(path.join(elsewhere, GONE)), true);
    quota.dispose();
    rmSync(outputs);
  });
});

/** 2 MB, long ago. */
function keep(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, '0001-run_command.txt');
  writeFileSync(file, 'x'.repeat(2_000_000));
  utimesSync(file, LONG_AGO, LONG_AGO);
}

function make(logs: readonly string[]) {
  const files = routedFiles(createDiskFiles());
  const fallback = locationOf(vscode.Uri.file(os.tmpdir()));
  const memory = memento();
  const quota = new OutputQuota({
    outputs: new OutputStore({ files, workspace, fallback, clock: systemClock }),
    files,
    current: () => CURRENT,
    hasLog: (id) => Promise.resolve(logs.includes(id)),
    memory,
  });
  return { quota, memory };
}

function memento(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, otherwise?: T) => (values.has(key) ? values.get(key) : otherwise) as T,
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
}

/** Takes the first answer of the question, which is there as soon as the editor shows it. */
async function accepted(asking: Promise<void>): Promise<void> {
  let isAnswered = false;
  const answered = asking.then(() => (isAnswered = true));
  while (!isAnswered) {
    await vscode.commands.executeCommand('notification.acceptPrimaryAction');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await answered;
}
