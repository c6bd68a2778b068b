import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { MemoryChange, MemoryStore } from '../../src/core/ports/memory-store.ts';
import { loadSql } from '../../src/node/memory/load-sql.ts';
import { openMemoryStore } from '../../src/node/memory/open-memory-store.ts';
import { takeLock } from '../../src/node/memory/store-lock.ts';
import { put } from '../support/builders/memories.ts';
import { MEMORY_TEXTS, memoryText } from '../support/memory-texts.ts';
import type { Figure } from './figure.ts';
import { cpuTimed, longestBlock, percentile, timed } from './figure.ts';

const MEMORIES = 10_000;
const WRITES = 400;
const LOCKS = 100;
const SEARCHES = 100;
const MOST_RATIO = 2;
const MOST_SEARCH_MS = 10;
const MOST_BLOCKED_MS = 100;

/** A project of ten thousand memories: writing one more, searching, and opening it. */
export async function bench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-bench-'));
  const sql = path.dirname(createRequire(import.meta.url).resolve('sql.js'));
  const opened = () => openMemoryStore({ folder, name: 'p', loadSql: () => loadSql(sql) });
  const bare = await open(path.join(folder, 'bare'), 'a');
  try {
    const store = await opened();
    await store.write(Array.from({ length: MEMORIES }, (_, n) => change(n)));
    await store.dispose();
    const full = await opened();
    const figures = [await writing(full, bare), await locking(folder, bare), ...(await searching(full))];
    await full.dispose();
    const blocked = await longestBlock(async () => (await opened()).dispose(), MOST_BLOCKED_MS);
    const reference = { what: 'opening it', value: await timed(async () => (await opened()).dispose()) };
    const bar = { text: `< ${MOST_BLOCKED_MS} ms`, holds: blocked < MOST_BLOCKED_MS };
    const what = 'longest block of the event loop by opening it';
    return [...figures, { what, value: blocked, unit: 'ms', reference, bar }];
  } finally {
    await bare.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function change(n: number): MemoryChange {
  return put(`m${n}`, memoryText(n), { origin: { sessionId: '0123456789abcdef', entryId: `e${n + 1}` } });
}

/** In turns, so that whatever else the disk does is in both. */
async function writing(store: MemoryStore, bare: FileHandle): Promise<Figure> {
  const own: number[] = [];
  const reference: number[] = [];
  for (let n = 0; n < WRITES; n += 1) {
    const written = change(MEMORIES + n);
    const line = `${JSON.stringify({ v: 1, writer: '0123456789ab', seq: n, changes: [written] })}\n\n`;
    own.push(await timed(() => store.write([written])));
    reference.push(await timed(() => bare.write(line).then(() => bare.datasync())));
  }
  const medians = { own: percentile(own, 0.5), reference: percentile(reference, 0.5) };
  return {
    what: `a write at ${MEMORIES} memories, median`,
    value: medians.own,
    unit: 'ms',
    reference: { what: 'a bare flushed append of the same bytes, median', value: medians.reference },
    bar: { text: `≤ ${MOST_RATIO} ×`, holds: medians.own <= MOST_RATIO * medians.reference },
  };
}

async function locking(folder: string, bare: FileHandle): Promise<Figure> {
  const own: number[] = [];
  const reference: number[] = [];
  for (let n = 0; n < LOCKS; n += 1) {
    own.push(await timed(() => takeLock(folder, 1_000).then((lock) => lock.release())));
    reference.push(await timed(() => bare.write(memoryText(n)).then(() => bare.datasync())));
  }
  return {
    what: 'taking the lock and giving it back, median',
    value: percentile(own, 0.5),
    unit: 'ms',
    reference: { what: 'a bare flushed append, median', value: percentile(reference, 0.5) },
  };
}

async function searching(store: MemoryStore): Promise<readonly Figure[]> {
  const reading = {
    what: 'all of them in lower case',
    value: percentile(await times(() => MEMORY_TEXTS.all(MEMORIES)), 0.5),
  };
  const figures: Figure[] = [];
  for (const [what, query] of Object.entries(MEMORY_TEXTS.queries)) {
    const value = percentile(await times(() => store.search(query, 20)), 0.95);
    const bar = { text: `< ${MOST_SEARCH_MS} ms`, holds: value < MOST_SEARCH_MS };
    figures.push({ what: `search by ${what}, p95`, value, unit: 'ms', reference: reading, bar });
  }
  return figures;
}

/** Milliseconds of the processor. */
async function times(work: () => unknown): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let run = 0; run < SEARCHES; run += 1) taken.push(await cpuTimed(work));
  return taken;
}
