import fc from 'fast-check';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

describe('an output that is kept', () => {
  it('is in a file named by number and tool, in a folder of its session, that version control does not see', async () => {
    open();
    for (const tool of ['run_command', '../../../etc/passwd', '']) {
      const writer = bench.begin(tool, 0);
      await writer.write(bytes('line\n'));
      expect((await writer.finish())?.bytes).toBe(5);
    }
    expect(readdirSync(folderOf())).toEqual([
      '0001-run_command.txt',
      '0002-_________etc_passwd.txt',
      '0003-unnamed.txt',
    ]);
    expect(readFileSync(`${folderOf()}/../.gitignore`, 'utf8')).toBe('*\n');
  });

  it('goes on counting where a session is opened again, and side by side', async () => {
    open();
    mkdirSync(folderOf(), { recursive: true });
    writeFileSync(`${folderOf()}/0041-search.txt`, 'old');
    const writers = [bench.begin('a', 0), bench.begin('b', 0), bench.begin('c', 0)];
    await Promise.all(writers.map(async (writer) => writer.write(bytes('x'))));
    const outputs = await Promise.all(writers.map((writer) => writer.finish()));
    expect(outputs.map((output) => output!.path.replace(/-[abc]/, '')).sort()).toEqual([
      '.plimsoll/tool_results/session/0042.txt',
      '.plimsoll/tool_results/session/0043.txt',
      '.plimsoll/tool_results/session/0044.txt',
    ]);
    expect(readFileSync(`${folderOf()}/0041-search.txt`, 'utf8')).toBe('old');
  });

  it('Z1: is for its owner alone, without the secrets that came', async () => {
    open();
    const writer = bench.begin('run_command', 0);
    const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
    await writer.write(bytes(`token ${secret.slice(0, 10)}`));
    await writer.write(bytes(`${secret.slice(10)} end\n`));
    const output = (await writer.finish())!;
    expect(bench.bytesOf(output).toString()).not.toContain(secret);
    expect(bench.bytesOf(output).toString()).toMatch(/^token \[redacted.*\] end\n$/);
    if (process.platform !== 'win32') expect(statSync(output.parts[0]!.file).mode & 0o777).toBe(0o600);
  });

  it('holds every byte, whatever it is and however it comes, with its lines counted', async () => {
    open();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 12 }), async (chunks) => {
        const writer = bench.begin('run_command', 100);
        await Promise.all(chunks.map((chunk) => writer.write(chunk)));
        const whole = Buffer.concat(chunks);
        const output = await writer.finish();
        if (whole.length === 0) expect(output).toBeUndefined();
        else {
          expect(bench.bytesOf(output!).equals(whole)).toBe(true);
          expect(output!.bytes).toBe(whole.length);
          const newlines = whole.filter((byte) => byte === 10).length;
          expect(output!.lines).toBe(newlines + (whole.at(-1) === 10 ? 0 : 1));
        }
        await writer.discard();
      }),
      { numRuns: 60 },
    );
  });

  it('is in parts, cut between lines, where a file cannot be appended to without writing it anew', async () => {
    open({ appendLimit: () => 5_000 });
    const writer = bench.begin('run_command', 0);
    const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index} — ünïcödé\n`);
    for (const line of lines) await writer.write(bytes(line));
    const output = (await writer.finish())!;
    expect(bench.bytesOf(output).toString()).toBe(lines.join(''));
    expect(output.parts.length).toBeGreaterThanOrEqual(5);
    for (const { file, bytes: size } of output.parts) {
      expect(size).toBeLessThanOrEqual(5_000);
      expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(true);
    }
  });

  it('is told of while it grows, never with more than is in the file', async () => {
    open();
    const writer = bench.begin('run_command', 0);
    await writer.write(bytes('one two three\n'.repeat(100)));
    await vi.waitFor(() => expect(bench.told).toHaveLength(1));
    await writer.write(bytes('one two three\n'.repeat(100)));
    expect(bench.told.at(-1)!.bytes).toBeLessThanOrEqual(statSync(bench.told.at(-1)!.parts[0]!.file).size);
    await writer.finish();
  });

  it('is not there when it turned out short, or was not needed', async () => {
    open();
    const short = bench.begin('run_command', 100);
    await short.write(bytes('x'.repeat(100)));
    await short.discard();
    const long = bench.begin('run_command', 100);
    await long.write(bytes('x'.repeat(5_000)));
    await long.discard();
    expect(existsSync(folderOf()) ? readdirSync(folderOf()) : []).toEqual([]);
  });
});

describe('O6: a disk that fails', () => {
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  it.each<[string, Partial<FilePort>]>([
    ['is full', { append: () => Promise.reject(ENOSPC) }],
    ['has no handles left', { append: () => Promise.reject(new Error('EMFILE: too many open files')) }],
    ['is read-only', { append: () => Promise.reject(denied), write: () => Promise.reject(denied) }],
    ['does not even look', { stat: () => Promise.reject(new Error('EIO')) }],
  ])('%s: nothing is kept, the reason is known, and nobody has to wait', async (_, changes) => {
    open(changes);
    const writer = bench.begin('run_command', 0);
    for (let count = 0; count < 50; count += 1) await writer.write(new Uint8Array(100_000));
    expect(await writer.finish()).toBeUndefined();
    expect(writer.failure).toMatch(/E[A-Z]+/);
  });

  it('in the middle: what is kept is kept, and what is lost is counted', async () => {
    const disk = createDiskFiles();
    let appended = 0;
    open({
      async append(file, piece) {
        if (appended + piece.length > 2_000_000) throw ENOSPC;
        await disk.append(file, piece);
        appended += piece.length;
      },
    });
    const writer = bench.begin('run_command', 0);
    for (let count = 0; count < 50; count += 1) await writer.write(new Uint8Array(100_000).fill(65));
    const output = (await writer.finish())!;
    expect(output.bytes).toBe(appended);
    expect(output.bytes + output.lostBytes!).toBe(5_000_000);
  });

  it('by never answering: it is given up after a while', async () => {
    open(
      { append: () => new Promise(() => undefined) },
      { ...systemClock, sleep: () => new Promise((resolve) => setTimeout(resolve, 20)) },
    );
    const writer = bench.begin('run_command', 0);
    await writer.write(new Uint8Array(3_000_000));
    expect(await writer.finish()).toBeUndefined();
    expect(writer.failure).toBe('the disk does not answer');
  });

  it('by the file vanishing under it: the output goes on in a new one', async () => {
    open();
    const writer = bench.begin('run_command', 0);
    await writer.write(bytes('one\n'));
    await vi.waitFor(() => expect(bench.told).toHaveLength(1));
    bench.dispose();
    mkdirSync(bench.folder, { recursive: true });
    await writer.write(bytes('two\n'));
    const output = (await writer.finish())!;
    expect(bench.bytesOf(output).toString()).toBe('two\n');
    expect(output).toMatchObject({ bytes: 4, lines: 1, lostBytes: 4, lostFirstBytes: 4 });
    expect(readFileSync(`${folderOf()}/../.gitignore`, 'utf8')).toBe('*\n');
  });

  it('by somebody who cuts the file: what was in it is counted as lost', async () => {
    open();
    const writer = bench.begin('run_command', 0);
    await writer.write(bytes('one\n'));
    await vi.waitFor(() => expect(bench.told).toHaveLength(1));
    writeFileSync(bench.told[0]!.parts[0]!.file, '');
    await writer.write(bytes('two\n'));
    expect(await writer.finish()).toMatchObject({ bytes: 4, lostBytes: 4, lostFirstBytes: 4 });
  });

  it.skipIf(process.platform === 'win32').each(['the folder of its session', 'its own name'])(
    'by a link in the place of %s: nothing is written there',
    async (place) => {
      open();
      const elsewhere = outputBench();
      writeFileSync(`${elsewhere.folder}/mine`, 'mine');
      mkdirSync(path.dirname(folderOf()), { recursive: true });
      if (place === 'its own name') {
        mkdirSync(folderOf());
        const first = bench.begin('run_command', 0);
        await first.write(bytes('x'));
        await first.finish();
        symlinkSync(`${elsewhere.folder}/mine`, `${folderOf()}/0002-run_command.txt`);
      } else symlinkSync(elsewhere.folder, folderOf());
      const writer = bench.begin('run_command', 0);
      await writer.write(bytes('private'));
      expect(await writer.finish()).toBeUndefined();
      expect(readdirSync(elsewhere.folder)).toEqual(['mine']);
      expect(readFileSync(`${elsewhere.folder}/mine`, 'utf8')).toBe('mine');
      elsewhere.dispose();
    },
  );

  it.skipIf(process.platform === 'win32')(
    'by a link that leads out of the workspace: nothing is written there',
    async () => {
      open();
      const elsewhere = outputBench();
      mkdirSync(`${bench.folder}/.plimsoll`);
      symlinkSync(elsewhere.folder, `${bench.folder}/.plimsoll/tool_results`);
      const writer = bench.begin('run_command', 0);
      await writer.write(bytes('private'));
      expect(await writer.finish()).toBeUndefined();
      expect(writer.failure).toContain('out of the workspace');
      expect(readdirSync(elsewhere.folder)).toEqual([]);
      elsewhere.dispose();
    },
  );
});
