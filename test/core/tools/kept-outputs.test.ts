import fc from 'fast-check';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/core/model/entry.ts';
import type { Clock } from '../../../src/core/ports/clock.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { toolBench } from '../../support/tool-bench.ts';
import { withoutControls } from '../../../src/core/text/terminal-text.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

const OUTPUT = '.plimsoll/tool_results/s1/0001-run_command.txt';

/** What no encoding of text has. */
const BINARY = [0x61, 0x62, 0x63, 0, 0, 0, 0xff, 0];

let bench: ToolBench;
let entries: Entry[];
beforeEach(() => {
  entries = [];
  bench = toolBench({ context: { transcript: () => entries } });
});
afterEach(() => bench.dispose());

const read = (input: object = {}) => bench.text('read_file', { path: OUTPUT, ...input });
const put = (content: string | Uint8Array) => bench.put(`ws/${OUTPUT}`, content);

/** All pages put together, each of which goes on. */
async function allPages(limit: number): Promise<string> {
  let text = '';
  for (let offset = 0; ;) {
    const page = await read({ byte_offset: offset, byte_limit: limit });
    const note = /\n\[bytes \d+–\d+ of \d+(?:; read on with byte_offset=(\d+)|, the end)\]$/.exec(page);
    text += page.slice(0, note?.index);
    if (note?.[1] === undefined) return text;
    expect(Number(note[1])).toBeGreaterThan(offset);
    offset = Number(note[1]);
  }
}

/** A result whose output is kept in the file. */
function keptResult(id: `e${number}`, file = `${bench.ws}/${OUTPUT}`): Entry {
  return {
    ...{
      id,
      at: '',
      kind: 'tool_result',
      toolUseId: 'u1',
      name: 'run_command',
      target: 'make',
      status: 'ok',
    },
    ...{ content: [{ type: 'text', text: 'preview' }], durationMs: 1 },
    details: { output: { path: OUTPUT, parts: [{ file, bytes: 5 }], bytes: 5, lines: 1 } },
  };
}

describe('read_file on a kept output', () => {
  it('X10: by lines shows what a terminal would show in the end', async () => {
    put('\u001b[32mgreen\u001b[0m\n0%\r50%\r100%\n\u001b]8;;https://host\u0007link\u001b]8;;\u0007\n');
    expect(await read()).toBe('     1\tgreen\n     2\t100%\n     3\tlink');
  });

  it('X10: by bytes loses control sequences only, and goes on by the bytes of the file', async () => {
    const raw =
      '\u001b[32mgreen\u001b[0m and \u001b]8;;https://host/path\u0007link\u001b]8;;\u0007\r\n0%\r1%\r\n'.repeat(
        40,
      );
    put(raw);
    for (const limit of [7, 50, 333, 39_800]) {
      let text = '';
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const page = await read({ byte_offset: offset, byte_limit: limit });
        const note = /\n\[bytes (\d+)–(\d+) of (\d+)(?:; read on with byte_offset=(\d+)|, the end)\]$/.exec(
          page,
        );
        expect(Number(note?.[1])).toBe(offset);
        expect(Number(note?.[3])).toBe(Buffer.byteLength(raw));
        text += page.slice(0, note?.index);
        offset = note?.[4] === undefined ? undefined : Number(note[4]);
      }
      if (limit > 20) expect(text).toBe('green and link\r\n0%\r1%\r\n'.repeat(40));
    }
  });

  it('X10: by bytes no string for the device is cut, and all pages are the whole', async () => {
    const numbers = Array.from({ length: 400 }, (_, n) => n);
    put(numbers.map((n) => `\u001bP${n}q#0\u001b\\${n};`).join(''));
    for (const limit of [50, 333, 1_001])
      expect(await allPages(limit)).toBe(numbers.map((n) => `${n};`).join(''));
  });

  it('by bytes of any value the pages go on, and are the whole', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 });
    const following = fc.uint8Array({ min: 0x80, max: 0xbf, minLength: 1, maxLength: 60 });
    const mixed = fc.string({ unit: fc.constantFrom('a', 'é', '世', '🎉', '\ufffd', '\u001b', '\u001bP1q') });
    const encoded = mixed.map((text) => Uint8Array.from(Buffer.from(`${text}.`)));
    const property = fc.asyncProperty(
      fc.oneof(bytes, following, encoded),
      fc.integer({ min: 1, max: 9 }),
      async (some, limit) => {
        const all = Uint8Array.from([...BINARY, ...some]);
        put(all);
        const shown = await allPages(limit);
        const whole = withoutControls(new TextDecoder('utf-8', { ignoreBOM: true }).decode(all));
        if (!all.includes(0x1b)) expect(noTextOnce(shown)).toBe(noTextOnce(whole));
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });

  /** How many marks stand for bytes that are no text depends on where these are cut. */
  const noTextOnce = (text: string) => text.replaceAll(/\ufffd+/g, '\ufffd');

  it('by bytes that are no text a page begins where it was asked to, and goes on', async () => {
    put(Uint8Array.from({ length: 3_000 }, (_, n) => BINARY[n - 2_990] ?? 0x80 + ((n * 7) % 64)));
    for (const offset of [1, 2, 3, 4, 5, 1_000])
      expect(await read({ byte_offset: offset, byte_limit: 1 })).toContain(
        `[bytes ${offset}–${offset + 4} of 3000;`,
      );
  });

  it('a file of the workspace keeps them', async () => {
    bench.put('ws/f', '\u001b[32mgreen\u001b[0m\r!\n');
    expect(await bench.text('read_file', { path: 'f' })).toBe('     1\t\u001b[32mgreen\u001b[0m\r!');
    expect(await bench.text('read_file', { path: 'f', byte_offset: 0 })).toContain('\u001b[32m');
  });

  it('is read even where it is no text', async () => {
    put(Buffer.from('a\0b\xff\nc\n', 'latin1'));
    expect(await read()).toMatch(/^ {5}1\tab\ufffd\n {5}2\tc/);
    expect(await read({ byte_offset: 0 })).toContain('ab');
  });

  it('that is gone says what the transcript still has', async () => {
    const { code, message } = await bench.refusal('read_file', { path: OUTPUT });
    expect(code).toBe('not_found');
    expect(message).toContain('is no longer kept');
    expect(message).toContain('recall');
    entries = [keptResult('e7')];
    expect((await bench.refusal('read_file', { path: OUTPUT })).message).toContain('recall with entry "e7"');
    expect((await bench.refusal('search', { pattern: 'x', path: OUTPUT })).message).toContain('e7');
    expect((await bench.refusal('list_files', { path: path.dirname(OUTPUT) })).message).toContain(
      'no longer kept',
    );
    expect((await bench.refusal('read_file', { path: 'other' })).message).toContain('list_files');
  });
});

describe('by lines, of a file too large to be held', () => {
  const line = (n: number) => `line ${n} ${'x'.repeat(80)}`;
  const putLines = () => {
    const all = Array.from({ length: 260_000 }, (_, n) => line(n + 1));
    put(`${all.join('\n')}\nthe needle\n`);
  };
  /** Counting is given up on a machine that is slow: not the one of the test. */
  const benchWith = (clock: Clock) => {
    bench.dispose();
    bench = toolBench({ context: { transcript: () => entries, clock } });
  };

  it('each line is reached, and the total is told', async () => {
    benchWith(fixedClock());
    putLines();
    const first = await read();
    expect(first.startsWith(`     1\t${line(1)}\n     2\t${line(2)}\n`)).toBe(true);
    expect(first.length).toBeLessThanOrEqual(40_000);
    const next = Number(/of 260001; read on with offset=(\d+)\]$/.exec(first)?.[1]);
    expect(await read({ offset: next, limit: 1 })).toContain(`${next}\t${line(next)}\n[`);
    expect(await read({ offset: 259_999 })).toBe(
      `259999\t${line(259_999)}\n260000\t${line(260_000)}\n260001\tthe needle\n[lines 259999–260001 of 260001, the end]`,
    );
    expect((await bench.refusal('read_file', { path: OUTPUT, offset: 260_002 })).message).toContain(
      '260001 lines',
    );
  });

  it('where counting them takes long only the lines are told, and how to read on', async () => {
    let ms = 0;
    benchWith({ ...fixedClock(), now: () => new Date((ms += 1_500)) });
    putLines();
    const page = await read({ limit: 2 });
    expect(page).toBe(
      `     1\t${line(1)}\n     2\t${line(2)}\n[lines 1–2 of more than 2; read on with offset=3]`,
    );
  });

  it('of a line that is longer than a page the beginning, and the byte to read on from', async () => {
    put(`short\r\n${'é'.repeat(12_000_000)}!\nend`);
    const page = await read();
    expect(page.split('\n')[0]).toBe('     1\tshort');
    const offset = Number(
      /line 2 has 24000001 bytes, of which 2000 are shown; read on with byte_offset=(\d+)\]/.exec(page)?.[1],
    );
    expect(offset).toBe(7 + 4_000);
    expect(page).toContain('     3\tend\n');
    expect(await read({ byte_offset: offset, byte_limit: 100 })).toMatch(/^é{50}\n\[bytes/);
  });
});
