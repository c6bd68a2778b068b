import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as Vscode from 'vscode';
import { projectRoot } from '../support/editor/cache.ts';
import { launch } from '../support/editor/editor.ts';
import type { Figure } from './figure.ts';
import { mean } from './figure.ts';

const RUNS = 8;
/** A host that has just started is busy with itself. */
const SETTLE_MS = 3_000;
const MOST_ADDED_MS = 50;

/** What activating Plimsoll costs the extension host, beside an extension that does nothing. */
export async function bench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-bench-'));
  const empty = path.join(import.meta.dirname, 'empty-extension');
  const editor = await launch({ folder, extensionFolder: projectRoot, besides: [empty] });
  try {
    const runs: { own: number; empty: number }[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      if (run > 0) await editor.reload();
      await sleep(SETTLE_MS);
      runs.push(await editor.api(measure, run % 2 === 0));
    }
    const own = mean(runs.map((run) => run.own));
    const reference = mean(runs.map((run) => run.empty));
    const bar = { text: `adds < ${MOST_ADDED_MS} ms`, holds: own - reference < MOST_ADDED_MS };
    return [
      {
        what: 'activation',
        value: own,
        unit: 'ms',
        reference: { what: 'an empty extension', value: reference },
        bar,
      },
    ];
  } finally {
    await editor.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs inside the extension host. The first activation there pays for what all share, so each has its turn. */
async function measure(
  vscode: typeof Vscode,
  isOwnFirst: boolean,
): Promise<{ readonly own: number; readonly empty: number }> {
  const activate = async (id: string) => {
    const begun = performance.now();
    await vscode.extensions.getExtension(id)?.activate();
    return performance.now() - begun;
  };
  const first = await activate(isOwnFirst ? 'plimsoll.plimsoll' : 'plimsoll-test.empty');
  const second = await activate(isOwnFirst ? 'plimsoll-test.empty' : 'plimsoll.plimsoll');
  return isOwnFirst ? { own: first, empty: second } : { own: second, empty: first };
}
