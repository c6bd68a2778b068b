import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Transcript } from '../../src/core/sessions/transcript.ts';
import { systemClock } from '../../src/node/clock.ts';
import { DiskLogStore } from '../../src/node/disk-log-store.ts';
import { user } from '../support/builders/entries.ts';
import type { Figure } from './figure.ts';
import { percentile, timed } from './figure.ts';

const ENTRIES = 500;
const TEXT = 'words '.repeat(300);

/** Appending an entry and flushing it, beside a bare flushed append of the same size. */
export async function bench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-bench-'));
  const store = new DiskLogStore(folder);
  const { transcript } = await Transcript.open('s', { store, clock: systemClock });
  const bare = await open(path.join(folder, 'bare'), 'a');
  try {
    const own: number[] = [];
    const reference: number[] = [];
    for (let index = 0; index < ENTRIES; index += 1) {
      own.push(await timed(() => transcript.append(user(TEXT))));
      reference.push(await timed(() => bare.write(`${TEXT}\n`).then(() => bare.datasync())));
    }
    const p95 = { own: percentile(own, 0.95), reference: percentile(reference, 0.95) };
    return [
      {
        what: 'append an entry, p95',
        value: p95.own,
        unit: 'ms',
        reference: { what: 'a bare flushed append, p95', value: p95.reference },
      },
    ];
  } finally {
    await bare.close();
    await store.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}
