import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../../../src/core/model/entry.ts';
import { assistant, logOf, result, text, toolUse, user } from '../../../support/builders/entries.ts';
import { toolBench } from '../../../support/tool-bench.ts';
import type { ToolBench } from '../../../support/tool-bench.ts';

const PATH = '.plimsoll/tool_results/s1/0001-run_command.txt';

let entries: readonly Entry[];
let bench: ToolBench;
beforeEach(() => {
  bench = toolBench({ context: { transcript: () => entries } });
});
afterEach(() => bench.dispose());

/** A session whose result holds a preview of the output. */
function session(output: string, parts: readonly string[] = [output]): void {
  const files = parts.map((part, index) => {
    const file = index === 0 ? PATH : PATH.replace('.txt', `.part${index + 1}.txt`);
    bench.put(`ws/${file}`, part);
    return { file: `${bench.ws}/${file}`, bytes: Buffer.byteLength(part) };
  });
  const lines = output.split('\n').length - (output.endsWith('\n') ? 1 : 0);
  const kept = { path: PATH, parts: files, bytes: Buffer.byteLength(output), lines };
  entries = logOf(
    user('build it'),
    assistant(toolUse('a', { command: 'make' })),
    result('a', 'the beginning of the preview', {
      name: 'run_command',
      target: 'make',
      details: { output: kept },
    }),
    assistant(text('Built.')),
  );
}

const filler = (count: number) => Array.from({ length: count }, (_, n) => `step ${n} is done\n`).join('');
const recall = (input: object) => bench.text('recall', input);

describe('recall in kept outputs', () => {
  it('finds words that are only in the file, and says where', async () => {
    session(`${filler(5_000)}\u001b[31mwarning: the plover is loose\u001b[0m\n${filler(5_000)}`);
    const found = await recall({ query: 'plover loose' });
    expect(found).toContain('1 hit in 4 entries');
    expect(found).toContain('and 1 kept output.');
    expect(found).toContain(
      `e3 output of run_command, 1 round ago, read_file {"path": "${PATH}", "offset": 5001}`,
    );
    expect(found).toContain('  > warning: the plover is loose');
    expect(await bench.text('read_file', { path: PATH, offset: 5_001, limit: 1 })).toContain('plover');
  });

  it('in the part that holds them, where an output is in several', async () => {
    const parts = [filler(100), `${filler(10)}the plover\n`];
    session(parts.join(''), parts);
    const path = PATH.replace('.txt', '.part2.txt');
    expect(await recall({ query: 'plover' })).toContain(`read_file {"path": "${path}", "offset": 11}`);
  });

  it('a file of any size in its beginning and its end, and says so', async () => {
    const middle = filler(300_000);
    session(`first heron\n${middle}hidden stork\n${middle}last plover\n`);
    expect(await recall({ query: 'heron' })).toContain('"offset": 1}');
    const found = await recall({ query: 'plover' });
    expect(found).toContain('"offset": 600003}');
    expect(found).toContain('Too large to be searched in full here: the kept outputs of e3.');
    expect(await recall({ query: 'stork' })).toMatch(/^Nothing found[^]*search with their path does\.\]$/);
  });

  it('a file that is gone is passed over', async () => {
    session('the plover\n');
    entries = JSON.parse(JSON.stringify(entries).replaceAll('/0001-', '/0009-')) as readonly Entry[];
    expect(await recall({ query: 'plover' })).toMatch(/^Nothing found/);
    expect(await recall({ query: 'beginning of the preview' })).toContain('e3 result of run_command');
    expect(await recall({ entry: 'e3' })).toMatch(/is no longer kept\.\]$/);
  });

  it('an entry by its id says where its whole output is', async () => {
    session('one\ntwo\n');
    expect(await recall({ entry: 'e3' })).toContain(
      `\n[Its whole output (8 bytes, 2 lines): read_file {"path": "${PATH}"}.]`,
    );
  });

  it('keeps to the room it is given, and says how to get the rest', async () => {
    session(Array.from({ length: 300 }, (_, n) => `a plover of kind ${'x'.repeat(n)}\n`).join(''));
    for (const input of [{ query: 'plover' }, { entry: 'e3' }])
      for (const maxChars of [500, 1_000]) {
        const { content } = await (await bench.prepare('recall', input)).execute(maxChars);
        expect(content.length).toBeLessThanOrEqual(maxChars);
      }
    const { content } = await (await bench.prepare('recall', { query: 'plover' })).execute(500);
    expect(content).toMatch(/the same call again shows all of it\.\]$/);
  });
});
