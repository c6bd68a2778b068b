import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OffloadedOutput } from '../../../src/core/model/offloaded.ts';
import { ROW_BYTES } from '../../../src/core/model/output-page.ts';
import type { OutputPlace, OutputRow } from '../../../src/core/model/output-page.ts';
import { coloursAfter } from '../../../src/core/offload/colours.ts';
import { openOutput } from '../../../src/core/offload/output-bytes.ts';
import { PagedOutput } from '../../../src/core/offload/paged-output.ts';
import type { FilePort } from '../../../src/core/ports/files.ts';
import { anyOutput, outputBytes, outputOf, shelfOf } from '../../support/outputs.ts';

const none = () => Promise.resolve();

function opened(bytes: Uint8Array, parts?: number) {
  const shelf = shelfOf(bytes, parts);
  const paged = new PagedOutput(shelf.files, none);
  const pageNow = async (output: OffloadedOutput, at: OutputPlace, count: number) => {
    const page = await paged.page(output, at, count);
    if (page.kind === 'missing') throw new Error(page.reason);
    return page;
  };
  const output = shelf.output();
  return {
    shelf,
    paged,
    output,
    pageNow,
    page: (at: OutputPlace, count = 100) => pageNow(output, at, count),
  };
}

/** All rows, by pages of this many, from the first to the last. */
async function allRows({ page: pageAt }: ReturnType<typeof opened>, count: number) {
  const rows: OutputRow[] = [];
  for (;;) {
    const page = await pageAt({ row: rows.length }, count);
    if (page.firstRow < rows.length || page.rows.length === 0) return rows;
    rows.push(...page.rows);
  }
}

const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

describe('the rows of an output', () => {
  it('are its lines, whatever ends them; a return within a line ends none', async () => {
    const { page } = opened(outputBytes('one\ntwo\r\n\n10%\r20%\nlast'));
    const all = await page({ row: 0 });
    expect(all.rows).toEqual([
      { line: 1, text: 'one', byte: 0 },
      { line: 2, text: 'two', byte: 4 },
      { line: 3, text: '', byte: 9 },
      { line: 4, text: '10%\r20%', byte: 10 },
      { line: 5, text: 'last', byte: 18 },
    ]);
    expect(all).toMatchObject({ firstRow: 0, style: '', counted: { rows: 5, lines: 5 }, isCounted: true });
  });

  it('are none of an empty output, and a line end at the end begins no other', async () => {
    const empty = opened(outputBytes(''));
    expect(await empty.page('end')).toMatchObject({
      rows: [],
      counted: { rows: 0, lines: 0 },
      isCounted: true,
    });
    const one = opened(outputBytes('a\n'));
    expect(await one.page('end')).toMatchObject({
      rows: [{ line: 1, text: 'a', byte: 0 }],
      counted: { rows: 1, lines: 1 },
    });
  });

  it('of a long line are pieces, cut neither in a character nor in a control sequence', async () => {
    const link =
      '\u001b]8;;https://example.org/a/rather/long/path/to/a/file.html\u001b\\text\u001b]8;;\u001b\\';
    for (const unit of ['€uro', '🙂', '\u001b[38;2;10;20;30mred\u001b[0m', link]) {
      const line = unit.repeat(Math.ceil(20_000 / unit.length));
      const { page } = opened(outputBytes(`first\n${line}\nlast`));
      const { rows } = await page({ line: 2 }, 1_000);
      const pieces = rows.slice(0, -1);
      expect(pieces.map(({ text }) => text).join('')).toBe(line);
      expect(pieces.filter((row) => row.line !== undefined)).toHaveLength(1);
      expect(rows.at(-1)).toMatchObject({ line: 3, text: 'last' });
      for (const { text } of pieces) {
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ROW_BYTES);
        expect(text).not.toMatch(/^[\]8;m\\]/);
      }
    }
  });

  it('cover every byte once, and are the same by pages of any size, from any place, in any number of files', async () => {
    await fc.assert(
      fc.asyncProperty(anyOutput, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 3 }), check),
      { numRuns: 300 },
    );
  });

  it('of an output that has grown are those of one that was always so long', async () => {
    await fc.assert(
      fc.asyncProperty(anyOutput, fc.double({ min: 0, max: 1, noNaN: true }), async (bytes, share) => {
        const { pageNow, shelf } = opened(bytes);
        const before = outputOf(shelf.output(), Math.floor(bytes.length * share));
        await pageNow(before, 'end', 1);
        const grown = await pageNow(shelf.output(), 'end', 1_000);
        const fresh = opened(bytes);
        expect(grown).toEqual(await fresh.page('end', 1_000));
      }),
      { numRuns: 200 },
    );
  });
});

describe('the colours in force where a page begins', () => {
  const styleBehind = async (text: string) => {
    const { page } = opened(outputBytes(`${text}\nlast`));
    return (await page({ line: 2 })).style;
  };

  it('are those that were set and not taken back, in one sequence', async () => {
    expect(await styleBehind('\u001b[31mred')).toBe('\u001b[31m');
    expect(await styleBehind('\u001b[1;31m\u001b[4mred\u001b[22m\u001b[44m')).toBe('\u001b[4;31;44m');
    expect(await styleBehind('\u001b[38;5;208m\u001b[48;2;1;2;3m')).toBe('\u001b[38;5;208;48;2;1;2;3m');
    expect(await styleBehind('\u001b[38:2::1:2:3m\u001b[4:3m')).toBe('\u001b[4:3;38:2::1:2:3m');
    expect(await styleBehind('\u001b[31;1mred\u001b[39m\u001b[22m')).toBe('');
    for (const reset of ['\u001b[m', '\u001b[0m', '\u001b[0;0m', '\u001b[;m'])
      expect(await styleBehind(`\u001b[31;1mred${reset}`)).toBe('');
  });

  it('are changed by no other sequence, nor by one that is broken', async () => {
    for (const other of [
      '\u001b[?25l',
      '\u001b[>4;2m',
      '\u001b[2K',
      '\u001b[31',
      '\u001b]31m\u0007',
      '\u001b[38m',
      '[31m',
    ])
      expect(await styleBehind(other), JSON.stringify(other)).toBe('');
  });

  it('are known in the middle of a line of many megabytes', async () => {
    const { page } = opened(outputBytes(`\u001b[32m${'x'.repeat(3_000_000)}\u001b[1m${'y'.repeat(100_000)}`));
    expect(await page({ byte: 2_900_000 }, 1)).toMatchObject({ style: '\u001b[32m', rows: [{}] });
    expect(await page('end', 1)).toMatchObject({ style: '\u001b[1;32m' });
  });
});

describe('an output that is not as it was recorded', () => {
  it('O6: says that it was removed, and is paged again when it is back', async () => {
    const { page, paged, output, shelf } = opened(outputBytes('a\nb\n'));
    const [file, bytes] = [...shelf.contents][0]!;
    await page('end');
    shelf.contents.delete(file);
    expect(await paged.page(output, { row: 0 }, 10)).toEqual({
      kind: 'missing',
      reason: expect.stringMatching(/^\.plimsoll.* is no longer there/) as string,
    });
    await expect(
      paged.search(output, { text: 'a', isCaseSensitive: false }, new AbortController().signal),
    ).rejects.toThrow(/no longer there/);
    shelf.contents.set(file, bytes);
    expect((await page('end')).rows).toHaveLength(2);
  });

  it('O6: is paged as far as it goes', async () => {
    const { page, shelf } = opened(outputBytes('one\ntwo\nthree\nfour\n'), 2);
    const [[first, bytes], [second]] = [...shelf.contents] as [[string, Uint8Array], [string, Uint8Array]];
    expect((await page('end')).counted).toEqual({ rows: 4, lines: 4 });
    shelf.contents.delete(second);
    expect((await page({ row: 0 })).rows.map(({ text }) => text)).toEqual(['one', 'two', 'th']);
    shelf.contents.set(first, bytes.slice(0, 5));
    expect(await page('end')).toMatchObject({ bytes: 5, counted: { rows: 2, lines: 2 } });
  });

  it('O6: is not paged, searched or opened where a link has taken the place of one of its files', async () => {
    for (const place of [0, 1]) {
      const { paged, output, shelf, page } = opened(outputBytes('one\ntwo\nthree\nfour\n'), 2);
      await page('end');
      const linked = [...shelf.contents.keys()][place];
      shelf.files.realPath = (file) => Promise.resolve(file === linked ? '/home/me/secrets.txt' : file);
      const reason = `${output.path} is no longer the output: a link has taken its place.`;
      expect(await paged.page(output, { row: 0 }, 10)).toEqual({ kind: 'missing', reason });
      await expect(
        paged.search(output, { text: 'a', isCaseSensitive: false }, new AbortController().signal),
      ).rejects.toThrow(reason);
      expect(await openOutput(output, shelf.files)).toEqual({ kind: 'missing', reason });
    }
  });

  it('is paged as far as its file goes where nobody said how it ended', async () => {
    const { pageNow, output, shelf } = opened(outputBytes('one\ntwo\nthree\nfour\n'));
    const begun = outputOf(output, 5);
    expect(await pageNow(begun, 'end', 5)).toMatchObject({ bytes: 5 });
    const left = await pageNow({ ...begun, isUnfinished: true }, 'end', 5);
    expect(left).toMatchObject({ bytes: 19, counted: { rows: 4, lines: 4 } });
    const { bytes } = await searchable({ ...begun, isUnfinished: true }, shelf.files);
    expect(bytes.size).toBe(19);
  });

  it('O6: says why it cannot be read, at every kind of page, and tries again', async () => {
    const { page, paged, output, shelf } = opened(outputBytes('line\n'.repeat(200_000)));
    const asItWas = { ...shelf.files };
    const refused = () => Promise.reject(new Error('EMFILE: too many open files'));
    for (const method of ['read', 'stat'] as const) {
      shelf.files[method] = refused;
      for (const at of ['end', { row: 0 }, { row: 150_000 }, { line: 7 }, { byte: 900_000 }] as const)
        expect(await paged.page(output, at, 10)).toEqual({
          kind: 'missing',
          reason: `${output.path} cannot be read: EMFILE: too many open files`,
        });
      await expect(
        paged.search(output, { text: 'a', isCaseSensitive: false }, new AbortController().signal),
      ).rejects.toThrow(`${output.path} cannot be read: EMFILE`);
      Object.assign(shelf.files, asItWas);
    }
    expect((await page({ row: 150_000 }, 1)).rows[0]).toMatchObject({ line: 150_001 });
  });
});

async function searchable(output: OffloadedOutput, files: FilePort) {
  const there = await openOutput(output, files);
  if (there.kind === 'missing') throw new Error(there.reason);
  return there;
}

/** What pages of any kind say of an output in so many files. */
async function check(bytes: Uint8Array, count: number, parts: number): Promise<void> {
  const it = opened(bytes, parts);
  const { page } = it;
  const rows = await allRows(it, count);
  const ends = [...rows.slice(1).map(({ byte }) => byte), bytes.length];
  expect(rows[0]?.byte ?? 0).toBe(0);
  const texts = rows.map(({ byte }, index) => decode(bytes.subarray(byte, ends[index])));
  expect(rows.map(({ text }) => text)).toEqual(texts.map((text) => text.replace(/\r?\n$/, '')));
  expect(texts.join('')).toBe(decode(bytes));

  const whole = await page('end', 1_000);
  expect(whole.counted).toEqual({
    rows: rows.length,
    lines: decode(bytes).split('\n').length - (bytes.length === 0 || bytes.at(-1) === 10 ? 1 : 0),
  });
  expect(whole.rows).toEqual(rows.slice(-1_000));
  for (const at of [0, 0.3, 0.7, 0.999]) {
    const byte = Math.floor(bytes.length * at);
    const row = rows.findLastIndex((each) => each.byte <= byte);
    const byByte = await page({ byte }, count);
    if (rows.length > 0) expect(byByte.firstRow).toBe(row);
    expect(byByte.style).toBe(coloursAfter('', bytes.subarray(0, byByte.rows[0]?.byte ?? 0)));
    expect(byByte.rows).toEqual(rows.slice(Math.max(0, row), Math.max(0, row) + count));
    const line = rows.slice(0, row + 1).findLast((each) => each.line !== undefined)?.line ?? 1;
    const byLine = await page({ line }, 1);
    expect(byLine.rows[0]).toEqual(rows.find((each) => each.line === line));
  }
}
