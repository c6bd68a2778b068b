import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_MATCHED_ROWS } from '../../../src/core/model/output-page.ts';
import { seenText } from '../../../src/core/offload/control-sequences.ts';
import { searchOutput } from '../../../src/core/offload/output-search.ts';
import type { OutputQuery, SearchContext } from '../../../src/core/offload/output-search.ts';
import { renderTerminal } from '../../../src/core/text/terminal-text.ts';
import { openOutput } from '../../../src/core/offload/output-bytes.ts';
import { PagedOutput } from '../../../src/core/offload/paged-output.ts';
import { anyOutput, outputBytes, shelfOf } from '../../support/outputs.ts';

const none = () => Promise.resolve();

async function search(bytes: Uint8Array, query: Partial<OutputQuery>, context: Partial<SearchContext> = {}) {
  const shelf = shelfOf(bytes);
  const opened = await openOutput(shelf.output(), shelf.files);
  if (opened.kind === 'missing') throw new Error(opened.reason);
  return searchOutput(
    opened.bytes,
    { text: '', isCaseSensitive: false, ...query },
    { signal: new AbortController().signal, pause: none, ...context },
  );
}

describe('searching an output', () => {
  it('finds literal text in any case, line by line, and counts it', async () => {
    const bytes = outputBytes('one.\nOne, ONE\r\n\ntwo o.ne ONe.');
    expect(await search(bytes, { text: 'one' })).toEqual({
      matches: [
        { row: 0, line: 1, byte: 0, count: 1 },
        { row: 1, line: 2, byte: 5, count: 2 },
        { row: 3, line: 4, byte: 16, count: 1 },
      ],
      count: 4,
      isCut: false,
    });
    expect((await search(bytes, { text: 'ONE', isCaseSensitive: true })).count).toBe(1);
    expect((await search(bytes, { text: 'one.' })).count).toBe(2);
    expect((await search(bytes, { text: 'e\nO' })).count).toBe(0);
    expect((await search(bytes, { text: '' })).count).toBe(0);
  });

  it('takes letters one by one, whatever language the case is of', async () => {
    const bytes = outputBytes('ΟΔΟΣ ΟΔΟΣΑ İSTANBUL ÄRGER Straße');
    for (const text of ['οδοσ', 'ΟΔΟΣα', 'istanbul', 'ärger', 'STRAßE'])
      expect((await search(bytes, { text })).count, text).toBeGreaterThan(0);
    expect((await search(bytes, { text: 'STRASSE' })).count).toBe(0);
  });

  it('X10: finds what is seen: control sequences are no part of it, and do not part it', async () => {
    const bytes = outputBytes(
      '\u001b[31mer\u001b[1mror\u001b[0m: \u001b]8;;https://example.org/31m\u0007link\u001b]8;;\u0007\u0007ed',
    );
    expect((await search(bytes, { text: 'error: linked' })).count).toBe(1);
    expect((await search(bytes, { text: 'example' })).count).toBe(0);
    expect((await search(bytes, { text: '31m' })).count).toBe(0);
  });

  it('X10: what was written over on a row is not seen, and not found', async () => {
    const bytes = outputBytes(
      'counting 10%\rcounting 55%\rfinal shown\ncounting\r\u001b[Kdone\u001b[31m!\u001b[0m\r\nabx\bc\n',
    );
    expect((await search(bytes, { text: 'counting' })).count).toBe(0);
    for (const [text, line] of [
      ['final shown', 1],
      ['done!', 2],
      ['abc', 3],
    ] as const)
      expect(await search(bytes, { text }), text).toMatchObject({ count: 1, matches: [{ line, count: 1 }] });
    const part = fc.constantFrom(
      'a',
      'b',
      'ab',
      '🙂',
      '\r',
      '\r\n',
      '\n',
      '\b',
      '\u001b[K',
      '\u001b[2K',
      '\u001b[1m',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 40 }), async (parts) => {
        const raw = parts.join('');
        const { count } = await search(outputBytes(raw), { text: 'ab' });
        expect(count).toBe(renderTerminal(raw).split('ab').length - 1);
      }),
    );
  });

  it('C12: finds what lies across two pieces of a line, in the row that it begins in', async () => {
    const line = 'x'.repeat(700_000);
    for (const at of [0, 1_590, 1_595, 255_990, 255_999, 256_000, 511_995, 699_990]) {
      const bytes = outputBytes(`first\n${line.slice(0, at)}needle${line.slice(at + 6)}\nneedle`);
      const { matches, count } = await search(bytes, { text: 'NEEDLE' });
      expect(count, `at ${at}`).toBe(2);
      const page = await pageAt(bytes, 6 + at);
      expect(matches[0], `at ${at}`).toMatchObject({ row: page.firstRow, line: 2, byte: page.rows[0]?.byte });
      expect(matches[1]).toMatchObject({ line: 3, byte: bytes.length - 6 });
    }
  });

  it('finds in any bytes what looking through the lines finds, and the rows that pages have', async () => {
    const text = fc.constantFrom('a', 'aa', 'é', '€€', '🙂', 'x', 'aé', '\ufffd', 'a\ta', 'b'.repeat(3));
    await fc.assert(
      fc.asyncProperty(anyOutput, text, fc.boolean(), async (any, needle, isCaseSensitive) => {
        const bytes = withoutMoves(any);
        const found = await search(bytes, { text: needle, isCaseSensitive });
        const lines = seenText(decode(bytes)).text.split('\n');
        const expected = lines.map(
          (line) => (isCaseSensitive ? line : line.toLowerCase()).split(needle).length - 1,
        );
        expect(found.count).toBe(expected.reduce((sum, count) => sum + count, 0));
        const byLine = new Map<number, number>();
        for (const { line, count } of found.matches) byLine.set(line, (byLine.get(line) ?? 0) + count);
        expect([...byLine]).toEqual(
          expected.flatMap((count, index) => (count > 0 ? [[index + 1, count]] : [])),
        );
        for (const { row, byte } of found.matches.slice(0, 5))
          expect(await pageAt(bytes, byte)).toMatchObject({ firstRow: row, rows: [{ byte }] });
      }),
      { numRuns: 300 },
    );
  });

  it('finds in a text of many chunks what it finds in one', async () => {
    const block = 'lorem ipsum \u001b[32mdolor\u001b[39m sit\n'.repeat(3) + `${'amet '.repeat(30_000)}\r\n`;
    const bytes = outputBytes(block.repeat(12));
    const { count, matches } = await search(bytes, { text: 'dolor sit' });
    expect({ count, rows: matches.length }).toEqual({ count: 36, rows: 36 });
    expect((await search(bytes, { text: 'amet' })).count).toBe(12 * 30_000);
    expect((await search(bytes, { text: 'amet amet' })).count).toBe(12 * 15_000);
  });

  it('keeps a bounded number of rows, and counts on', async () => {
    const bytes = outputBytes('yes yes\nno\n'.repeat(MOST_MATCHED_ROWS + 5));
    const found = await search(bytes, { text: 'yes' });
    expect(found).toMatchObject({ count: 2 * MOST_MATCHED_ROWS + 10, isCut: true });
    expect(found.matches).toHaveLength(MOST_MATCHED_ROWS);
    expect(found.matches.at(-1)).toMatchObject({ row: 2 * MOST_MATCHED_ROWS - 2, count: 2 });
    const all = await search(bytes.subarray(0, 11 * MOST_MATCHED_ROWS), { text: 'yes' });
    expect(all).toMatchObject({ count: 2 * MOST_MATCHED_ROWS, isCut: false });
  });

  it('stops when it is given up', async () => {
    const giveUp = new AbortController();
    const bytes = outputBytes('a line\n'.repeat(200_000));
    let turns = 0;
    const pause = () => {
      turns += 1;
      if (turns === 2) giveUp.abort();
      return Promise.resolve();
    };
    await expect(search(bytes, { text: 'line' }, { signal: giveUp.signal, pause })).rejects.toThrow(
      /another search/,
    );
    expect(turns).toBe(2);
  });
});

describe('what is seen of a text', () => {
  it('is the same in pieces as in one, wherever it is cut', () => {
    const part = fc.constantFrom(
      '\u001b',
      '[',
      ']',
      '8;;',
      'm',
      '\\',
      '\u0007',
      '3',
      ' ',
      '\n',
      'x',
      'P',
      '(',
      '€',
      '\u0001',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.nat(), (parts, at) => {
        const text = parts.join('');
        const cut = at % (text.length + 1);
        const first = seenText(text.slice(0, cut));
        const second = seenText(first.held + text.slice(cut));
        expect(first.text + second.text).toBe(seenText(text).text);
      }),
      { numRuns: 5_000 },
    );
  });

  it('costs no more than its length, whatever is left open in it', () => {
    for (const unit of ['\u001b]', '\u001b[', '\u001b[3', '\u001b', '\u001b]8;;\u001b', '\u001bP \u001b(']) {
      const begun = performance.now();
      seenText(unit.repeat(256_000 / unit.length));
      expect(performance.now() - begun, JSON.stringify(unit)).toBeLessThan(2_000);
    }
  });
});

/** Nothing in it is written over. */
const withoutMoves = (bytes: Uint8Array) =>
  bytes.map((byte, at) =>
    byte === 0x08 || byte === 0x4b || (byte === 0x0d && bytes[at + 1] !== 0x0a) ? 0x2e : byte,
  );

const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

async function pageAt(bytes: Uint8Array, byte: number) {
  const shelf = shelfOf(bytes);
  const page = await new PagedOutput(shelf.files, none).page(shelf.output(), { byte }, 1);
  if (page.kind === 'missing') throw new Error(page.reason);
  return page;
}
