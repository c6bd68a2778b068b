import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/core/model/entry.ts';
import type { Clock } from '../../../src/core/ports/clock.ts';
import type { ToolOutput } from '../../../src/core/tools/define-tool.ts';
import { compileGlob } from '../../../src/core/tools/path-glob.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { createRipgrep } from '../../../src/node/ripgrep.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { toolBench } from '../../support/tool-bench.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

const OUTPUT = '.plimsoll/tool_results/s1/0001-run_command.txt';

let bench: ToolBench;
let entries: Entry[];
beforeEach(() => {
  entries = [];
  bench = toolBench({ context: { transcript: () => entries } });
});
afterEach(() => bench.dispose());

const read = (input: object = {}) => bench.text('read_file', { path: OUTPUT, ...input });
const put = (content: string | Uint8Array) => bench.put(`ws/${OUTPUT}`, content);

function textOf(content: ToolOutput['content']): string {
  return typeof content === 'string' ? content : '';
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

describe('a tool that pages keeps to the room it is given', () => {
  it('whatever there is to show, and says how to read on', async () => {
    bench.put(
      'ws/lines',
      Array.from({ length: 5_000 }, (_, n) => `found ${n} ${'x'.repeat(n % 200)}`).join('\n'),
    );
    bench.put('ws/long', `found ${'y'.repeat(100_000)}\n`.repeat(5));
    for (let n = 0; n < 200; n += 1) bench.put(`ws/${'d'.repeat(60)}${n}/f`, 'found\n');
    const calls: readonly (readonly [string, object])[] = [
      ['read_file', { path: 'lines' }],
      ['read_file', { path: 'long' }],
      ['read_file', { path: 'long', byte_offset: 5 }],
      ['search', { pattern: 'found' }],
      ['search', { pattern: 'found', path: 'long' }],
      ['list_files', {}],
    ];
    for (const maxChars of [500, 2_000, 10_000])
      for (const [tool, input] of calls) {
        const { content } = await (await bench.prepare(tool, input)).execute(maxChars);
        expect(content.length, `${tool} ${maxChars}`).toBeLessThanOrEqual(maxChars);
        expect(content, tool).toMatch(/read on with|there are more|cut after|only the beginning/);
      }
  });

  it('and every line is still reached', async () => {
    const lines = fc.array(fc.string({ maxLength: 150, unit: fc.constantFrom('a', 'é', '🎉', ' ') }), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(lines, async (all) => {
        bench.put('ws/f', `${all.join('\n')}\n`);
        const found: string[] = [];
        for (let offset: number | undefined = 1; offset !== undefined;) {
          const prepared = await bench.prepare('read_file', { path: 'f', offset });
          const content = textOf((await prepared.execute(700)).content);
          for (const line of content.split('\n'))
            if (/^ *\d+\t/.test(line)) found.push(line.slice(line.indexOf('\t') + 1));
          const next: string | undefined = /read on with offset=(\d+)\]$/.exec(content)?.[1];
          offset = next === undefined ? undefined : Number(next);
        }
        expect(found.map((line) => line.replace(/…$/, ''))).toEqual(
          all.map((line, n) => (found[n]?.endsWith('…') ? line.slice(0, found[n].length - 1) : line)),
        );
      }),
      { numRuns: 30 },
    );
  });
});

const ripgrep = createRipgrep({
  binary: path.join(
    path.dirname(
      createRequire(import.meta.url).resolve(
        `@vscode/ripgrep-${process.platform}-${process.arch}/package.json`,
      ),
    ),
    'bin',
    'rg',
  ),
  compileGlob,
});

describe.each(['by ripgrep', 'by walking'])('search %s', (engine) => {
  beforeEach(() => {
    bench.dispose();
    bench = toolBench({
      context: { transcript: () => entries, ...(engine === 'by ripgrep' && { search: ripgrep }) },
    });
    bench.put('ws/a.txt', 'needle here\n');
    put('\u001b[31mneedle\u001b[0m there\n');
  });
  const search = (more: object = {}) => bench.text('search', { pattern: 'needle', ...more });

  it.each([true, false])('finds nothing in kept outputs unless they are named (git: %s)', async (isGit) => {
    if (isGit) execFileSync('git', ['init', '-q'], { cwd: bench.ws });
    const found = `${OUTPUT}\n     1\tneedle there`;
    for (const ignore of [undefined, '*\n']) {
      if (ignore !== undefined) bench.put('ws/.plimsoll/tool_results/.gitignore', ignore);
      expect(await search()).toBe('a.txt\n     1\tneedle here');
      expect(await search({ path: '.plimsoll' })).toBe('(no matches)');
      expect(await search({ path: OUTPUT })).toBe(found);
      expect(await search({ path: path.dirname(OUTPUT) })).toBe(found);
      expect(await search({ path: '.plimsoll/tool_results', glob: '*.txt' })).toBe(found);
    }
    expect(await bench.text('list_files', { depth: 10 })).not.toContain('0001-run_command');
    expect(await bench.text('list_files', { path: '.plimsoll/tool_results', depth: 10 })).toContain(
      '0001-run_command',
    );
  });

  it('X10: finds what is shown of a line, wherever it is coloured, and what was written over is not found', async () => {
    put('\u001b[31mERR\u001b[0mOR 2999\r\n10%\r55%\rdone \u001b[1mnow\n');
    const at = { path: OUTPUT };
    const found = `${OUTPUT}\n     1\tERROR 2999`;
    for (const pattern of ['ERROR 2999', '^ERR', 'R 2999$', '^ERROR \\d+$'])
      expect(await search({ ...at, pattern }), pattern).toBe(found);
    expect(await search({ path: path.dirname(OUTPUT), pattern: '^ERR' })).toBe(found);
    expect(await search({ ...at, pattern: 'done now' })).toBe(`${OUTPUT}\n     2\tdone now`);
    for (const pattern of ['55%', '31m', '\\x1b'])
      expect(await search({ ...at, pattern }), pattern).toBe('(no matches)');
    expect((await bench.refusal('search', { ...at, pattern: 'f(' })).message).toContain(
      'not a valid regular',
    );
  });

  it('whatever bytes are around it', async () => {
    put(Buffer.from('a\0b\xff\n\0\0nee\0dle\0\n', 'latin1'));
    expect(await search({ path: OUTPUT })).toBe(`${OUTPUT}\n     2\tneedle`);
  });

  it('in a long line says where it matched, where that is known', async () => {
    for (const [x, y] of [
      [50_000, 40_000],
      [49_997, 200_000],
      [700_001, 3],
    ] as const) {
      put(`${'x'.repeat(x)}needle${'y'.repeat(y)}\nneedle\n`);
      const found = await search({ path: OUTPUT });
      expect(found).toMatch(/…x+needley+…? \[byte \d+\]\n {5}2\tneedle$/);
      expect(found).toContain(`[byte ${x}]`);
      expect(found.length).toBeLessThan(1_000);
      for (const pattern of ['^needle.', 'needle$', '\\bneedle', '^yy', 'xx$', 'x\\b'])
        expect(await search({ path: OUTPUT, pattern }), pattern).not.toContain('byte');
    }
    put(`${'é\u001b[31mx\u001b[0m'.repeat(20_000)}nee\u001b[1mdle${'z'.repeat(600)}\n`);
    expect(await search({ path: OUTPUT })).toContain(`[byte ${20_000 * 12}]`);
    expect(await search({ path: OUTPUT, pattern: '31m|\\[|\ufffd' })).toBe('(no matches)');
  });

  it('in a file of any size', async () => {
    put(`${`${'some words of an output '.repeat(9)}\n`.repeat(100_000)}nee\u001b[1mdle\n`);
    expect(await search({ path: OUTPUT })).toBe(`${OUTPUT}\n100001\tneedle`);
    expect(await search({ path: path.dirname(OUTPUT) })).toContain('needle');
  });

  it('is bounded in matches and in time, and says so', async () => {
    put('needle\n'.repeat(600));
    expect(await search({ path: OUTPUT })).toMatch(/\n\[the first 500 matches; there are more: /);
    bench.dispose();
    let now = 0;
    const clock = { ...systemClock, now: () => new Date((now += 1_000)) };
    bench = toolBench({ context: { transcript: () => entries, clock } });
    put(`needle\n${'x\n'.repeat(100)}needle\n`);
    expect(await search({ path: OUTPUT })).toMatch(
      /\n {5}1\tneedle\n\[the time was up before all was searched/,
    );
  });
});
