import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as Vscode from 'vscode';
import { projectRoot } from '../support/editor/cache.ts';
import { launch } from '../support/editor/editor.ts';
import type { Figure } from './figure.ts';
import { percentile } from './figure.ts';

const RUNS = 10;
/** A host that has just started is busy with itself: it is left alone for so long, and then until it is idle. */
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
    const own = percentile(
      runs.map((run) => run.own),
      0.5,
    );
    const reference = percentile(
      runs.map((run) => run.empty),
      0.5,
    );
    const bar = { text: `adds < ${MOST_ADDED_MS} ms`, holds: own - reference < MOST_ADDED_MS };
    return [
      {
        what: 'activation, median',
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
  for (let idle = 0, tries = 0; idle < 50 && tries < 1_000; tries += 1) {
    const before = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 10));
    idle = performance.now() - before < 15 ? idle + 1 : 0;
  }
  const activate = async (id: string) => {
    const begun = performance.now();
    await vscode.extensions.getExtension(id)?.activate();
    return performance.now() - begun;
  };
  const first = await activate(isOwnFirst ? 'plimsoll.plimsoll' : 'plimsoll-test.empty');
  const second = await activate(isOwnFirst ? 'plimsoll-test.empty' : 'plimsoll.plimsoll');
  return isOwnFirst ? { own: first, empty: second } : { own: second, empty: first };
}
