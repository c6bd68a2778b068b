import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FilePort } from '../../../src/core/ports/files.ts';
import { createDiskFiles } from '../../../src/node/disk-files.ts';
import { systemClock } from '../../../src/node/clock.ts';
import type { OutputBench } from '../../support/output-bench.ts';
import { outputBench } from '../../support/output-bench.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const ENOSPC = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

let bench: OutputBench;
afterEach(() => bench.dispose());
const open = (changes?: Partial<FilePort>, clock = systemClock) => (bench = outputBench(changes, clock));
const folderOf = () => `${bench.folder}/.plimsoll/tool_results/session`;

const numbers = Buffer.from(Array.from({ length: 60_000 }, (_, index) => `${index}\n`.padStart(10)).join(''));

/** A disk with so many bytes free: what fits is written before it says that it is full. */
function fullAfter(disk: FilePort, room: number): Pick<FilePort, 'append'> {
  let free = room;
  return {
    async append(file, piece) {
      const fits = piece.subarray(0, free);
      free -= fits.length;
      await disk.append(file, fits);
      if (fits.length < piece.length) throw ENOSPC;
    },
  };
}

describe('O6: a disk that becomes full', () => {
  it.each([
    ['nothing', 0],
    ['a part', 300_000],
  ])(
    'by taking %s of the first piece: that is kept and linked, and no file is left that nobody knows',
    async (_, room) => {
      const disk = createDiskFiles();
      open(fullAfter(disk, room));
      const writer = bench.begin('run_command', 0);
      await writer.write(numbers);
      const output = await writer.finish();
      expect(writer.failure).toContain('ENOSPC');
      expect(output?.bytes ?? 0).toBe(room);
      expect(readdirSync(folderOf())).toEqual(output === undefined ? [] : [path.basename(output.path)]);
      if (output !== undefined) expect(bench.bytesOf(output).equals(numbers.subarray(0, room))).toBe(true);
      expect(output?.lostBytes ?? numbers.length).toBe(numbers.length - room);
    },
  );

  it.each([
    ['one file', Number.POSITIVE_INFINITY],
    ['several', 250_000],
  ])(
    'by taking a part of a later piece, in %s: all that is on the disk is kept, the rest is lost',
    async (_, limit) => {
      const disk = createDiskFiles();
      open({ ...fullAfter(disk, 1_234_567), appendLimit: () => limit });
      const writer = bench.begin('run_command', 0);
      for (let count = 0; count < 4; count += 1) {
        await writer.write(numbers);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const output = (await writer.finish())!;
      expect(output.bytes).toBe(1_234_567);
      expect(output.lostBytes).toBe(4 * numbers.length - output.bytes);
      const whole = Buffer.concat([numbers, numbers, numbers, numbers]);
      expect(bench.bytesOf(output).equals(whole.subarray(0, output.bytes))).toBe(true);
      expect(readdirSync(folderOf())).toHaveLength(output.parts.length);
    },
  );

  it.each([
    ['of the first piece: the file is removed', 0],
    ['of a later piece: what was counted is the output', 4],
  ])('by taking long and writing all the same, %s', async (_, kept) => {
    const disk = createDiskFiles();
    const late: (() => Promise<void>)[] = [];
    open(
      {
        append: (file, piece) =>
          late.length === 0 && kept > 0 && !existsSync(file)
            ? disk.append(file, piece)
            : new Promise((resolve) => late.push(() => disk.append(file, piece).then(resolve))),
      },
      { ...systemClock, sleep: () => new Promise((resolve) => setTimeout(resolve, 50)) },
    );
    const writer = bench.begin('run_command', 0);
    if (kept > 0) {
      await writer.write(bytes('one\n'));
      await vi.waitFor(() => expect(bench.told).toHaveLength(1));
    }
    await writer.write(bytes('two\n'));
    await vi.waitFor(() => expect(writer.failure).toBe('the disk does not answer'));
    await late[0]!();
    const output = await writer.finish();
    expect(output?.bytes ?? 0).toBe(kept);
    if (output !== undefined) expect(output).toMatchObject({ bytes: 4, lines: 1, lostBytes: 4 });
    await vi.waitFor(() => expect(readdirSync(folderOf())).toHaveLength(kept > 0 ? 1 : 0));
  });
});
