import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileGlob } from '../../../src/core/tools/path-glob.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { createRipgrep } from '../../../src/node/ripgrep.ts';
import { toolBench } from '../../support/tool-bench.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

const OUTPUT = '.plimsoll/tool_results/s1/0001-run_command.txt';

let bench: ToolBench;
afterEach(() => bench.dispose());

const put = (content: string | Uint8Array) => bench.put(`ws/${OUTPUT}`, content);

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
    bench = toolBench({
      context: engine === 'by ripgrep' ? { search: ripgrep } : {},
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

  it('in a long line gives every match, each with its byte, up to some', async () => {
    const at = { path: OUTPUT };
    for (const filler of [900, 60_000]) {
      put(`first needle 1${'x'.repeat(filler)}needle 2${'x'.repeat(filler)}needle 3 last\nneedle\n`);
      const bytes = [6, 14 + filler, 22 + 2 * filler];
      const found = await search(at);
      expect(
        [...found.matchAll(/^ {5}1\t.*needle.* \[byte (\d+)\]$/gm)].map(([, byte]) => Number(byte)),
      ).toEqual(bytes);
      expect(found).toMatch(/\n {5}2\tneedle$/);
    }
    put(`${'needle '.repeat(8_000)}\n`);
    const many = await search(at);
    expect(many.split('\n')).toHaveLength(22);
    expect(many).toContain(
      '[of 1 very long lines only the first matches are given: read on from their bytes]',
    );
    put(`needle${'é'.repeat(22_400)}needle needle${'é'.repeat(60_000)}`);
    expect((await search(at)).match(/\[byte \d+\]/g)).toEqual(['[byte 0]', '[byte 44806]']);
  });

  it('in a very long line says where a match of all of it would not be found', async () => {
    const at = { path: OUTPUT };
    put(`first needle 1${'x'.repeat(60_000)}needle 2${'x'.repeat(60_000)}needle 3 last`);
    const note = '[1 very long lines were searched in parts: a match longer than a part is not found]';
    for (const pattern of ['first needle.*$', 'first needle.*last'])
      expect(await search({ ...at, pattern }), pattern).toBe(`(no matches)\n${note}`);
    for (const pattern of ['first needle', 'last$', 'nothing', 'a\\*'])
      expect(await search({ ...at, pattern }), pattern).not.toContain('in parts');
    put(`first needle ${'x'.repeat(60_000)} last`);
    expect(await search({ ...at, pattern: 'first.*last$' })).toMatch(/first needle x+… \[byte 0\]$/);
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
    bench = toolBench({ context: { clock } });
    put(`needle\n${'x\n'.repeat(100)}needle\n`);
    expect(await search({ path: OUTPUT })).toMatch(
      /\n {5}1\tneedle\n\[the time was up before all was searched/,
    );
  });
});
