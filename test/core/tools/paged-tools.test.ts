import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolOutput } from '../../../src/core/tools/define-tool.ts';
import { toolBench } from '../../support/tool-bench.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => (bench = toolBench()));
afterEach(() => bench.dispose());

function textOf(content: ToolOutput['content']): string {
  return typeof content === 'string' ? content : '';
}

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
