import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { open } from 'node:fs/promises';
import type { OffloadedOutput } from '../../src/core/model/offloaded.ts';
import type { OutputPlace } from '../../src/core/model/output-page.ts';
import { PagedOutput } from '../../src/core/offload/paged-output.ts';
import { createDiskFiles } from '../../src/node/disk-files.ts';
import type { Figure } from './figure.ts';
import { longestBlock, percentile, timed } from './figure.ts';

const BYTES = 100_000_000;
const ROWS = 1_000;
const RUNS = 5;
const MOST_MS = 300;
const MOST_MB = 50;
const MOST_BLOCKED_MS = 20;

/** An output of 100 MB: its first page, its others, a search; beside reading its bytes once. */
export async function bench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-bench-'));
  try {
    const lines = fileOf(
      path.join(folder, 'lines.txt'),
      `\u001b[32mok\u001b[0m ${'words of a line '.repeat(5)}\n`,
    );
    const oneLine = fileOf(path.join(folder, 'one-line.txt'), 'a line without an end ');
    // Before all else: what the process has taken already it need not take again.
    const taken = await memory(lines);
    const reading = { what: 'reading its bytes, p50', value: await median(() => readAll(lines)) };
    return [
      ...(await pages(lines, reading)),
      ...(await pages(oneLine, reading)).map((figure) => ({
        ...figure,
        what: `${figure.what}; all one line`,
      })),
      ...(await searches(lines, reading)),
      ...taken,
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pages(output: OffloadedOutput, reference: Figure['reference']): Promise<readonly Figure[]> {
  const figure = { unit: 'ms', reference };
  const barred = (what: string, value: number) => ({
    ...figure,
    what,
    value,
    bar: { text: `< ${MOST_MS} ms`, holds: value < MOST_MS },
  });
  const known = opened();
  const first = await median(() => firstPage(output, { row: 0 }));
  const end = await median(() => firstPage(output, 'end'));
  await known.page(output, 'end', 1);
  const middle = await median(() => known.page(output, { byte: BYTES / 2 }, ROWS));
  return [
    barred('first page of 100 MB, p50', first),
    { ...figure, what: 'the last page as the first, for which all is counted', value: end },
    barred('page in the middle', middle),
  ];
}

async function searches(output: OffloadedOutput, reference: Figure['reference']): Promise<readonly Figure[]> {
  const blocked = await longestBlock(async () => {
    await Promise.all([firstPage(output, 'end'), search(output, 'words')]);
  }, MOST_BLOCKED_MS);
  const figure = { unit: 'ms', reference };
  return [
    {
      ...figure,
      what: 'search for what is nowhere, p50',
      value: await median(() => search(output, 'Nowhere')),
    },
    {
      ...figure,
      what: 'search for what is five times on a line',
      value: await median(() => search(output, 'Words')),
    },
    {
      ...figure,
      what: 'longest block of the event loop by counting and searching',
      value: blocked,
      bar: { text: `< ${MOST_BLOCKED_MS} ms`, holds: blocked < MOST_BLOCKED_MS },
    },
  ];
}

/** Growth of the process while all of it is counted, paged and searched, at its highest; beside the file's size. */
async function memory(output: OffloadedOutput): Promise<readonly Figure[]> {
  const resident = () => process.memoryUsage.rss() / 1e6;
  const before = resident();
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, resident() - before)), 5);
  const paged = opened();
  for (let page = 0; page < 50; page += 1) await paged.page(output, { byte: (BYTES / 50) * page }, ROWS);
  await paged.page(output, 'end', ROWS);
  await search(output, 'Nowhere');
  clearInterval(timer);
  return [
    {
      what: 'memory taken while it is paged and searched',
      value: most,
      unit: 'MB',
      reference: { what: 'the output', value: BYTES / 1e6 },
      bar: { text: `< ${MOST_MB} MB`, holds: most < MOST_MB },
    },
  ];
}

const opened = () => new PagedOutput(createDiskFiles(), () => othersTurn());

/** What goes on in the background behind it would slow down the next. */
async function firstPage(output: OffloadedOutput, at: OutputPlace): Promise<void> {
  const paged = opened();
  await paged.page(output, at, ROWS);
  paged.close();
}

function search(output: OffloadedOutput, text: string): Promise<unknown> {
  return opened().search(output, { text, isCaseSensitive: false }, new AbortController().signal);
}

async function median(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await timed(work));
  return percentile(times, 0.5);
}

async function readAll({ parts }: OffloadedOutput): Promise<void> {
  const file = await open(parts[0]?.file ?? '');
  const buffer = Buffer.alloc(256_000);
  while ((await file.read(buffer)).bytesRead > 0);
  await file.close();
}

function fileOf(file: string, unit: string): OffloadedOutput {
  const block = Buffer.from(unit.repeat(Math.ceil(1_000_000 / unit.length))).subarray(0, 1_000_000);
  writeFileSync(file, '');
  for (let written = 0; written < BYTES; written += block.length) appendFileSync(file, block);
  return { path: file, parts: [{ file, bytes: BYTES }], bytes: BYTES, lines: 0 };
}
