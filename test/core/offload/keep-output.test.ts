import { afterEach, describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/core/context/estimate-tokens.ts';
import type { ResultBlock } from '../../../src/core/model/content.ts';
import type { KeptResult } from '../../../src/core/offload/keep-output.ts';
import { keepOutput, whereItIs } from '../../../src/core/offload/keep-output.ts';
import type { FilePort } from '../../../src/core/ports/files.ts';
import { renderTerminal } from '../../../src/core/text/terminal-text.ts';
import type { OutputBench } from '../../support/output-bench.ts';
import { outputBench } from '../../support/output-bench.ts';

let bench: OutputBench;
afterEach(() => bench.dispose());

interface Options {
  readonly isPaged?: boolean;
  readonly room?: number;
  readonly streamed?: Uint8Array;
  readonly files?: Partial<FilePort>;
}

async function keep(
  content: string | readonly ResultBlock[],
  { isPaged = false, room = 40_000, streamed, files }: Options = {},
) {
  bench = outputBench(files);
  const writer = bench.begin();
  if (streamed !== undefined) await writer.write(streamed);
  return keepOutput({ content, isPaged }, { threshold: 10_000, room, writer, estimate: estimateTokens });
}

const textOf = ({ content }: KeptResult) =>
  content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
const image: ResultBlock = { type: 'image', mediaType: 'image/png', data: 'AAAA', width: 10, height: 10 };
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`).join('\n');

describe('a result', () => {
  it('that is short enters the log as it is', async () => {
    expect(await keep('a\nb')).toEqual({ content: [{ type: 'text', text: 'a\nb' }] });
    expect(textOf(await keep('x'.repeat(10_000)))).toBe('x'.repeat(10_000));
  });

  it('that is long is kept in a file, with its ends and the next call in its place', async () => {
    const text = numbered(20_000);
    const kept = await keep(text);
    expect(bench.bytesOf(kept.output!).toString()).toBe(text);
    const shown = textOf(kept);
    expect(shown.startsWith('1\n2\n3\n')).toBe(true);
    const next = Number(/"offset": (\d+)/.exec(shown)![1]);
    expect(shown).toContain(`\n${next - 1}\n[… what is between`);
    expect(shown).toContain(`read_file {"path": "${kept.output!.path}"`);
    expect(shown).toContain(`search {"pattern": "…", "path": "${kept.output!.path}"}`);
  });

  it('O8: says how much is shown of how much, only where not all is', async () => {
    const text = numbered(5_000);
    const shown = textOf(await keep(text));
    expect(shown).toContain('5000\n\n[A long output. Above are the first');
    expect(shown).toContain(`all of it (${text.length.toLocaleString('en-US')} bytes, 5,000 lines) is in`);
    expect(textOf(await keep(numbered(1_000)))).toBe(numbered(1_000));
  });

  it('O2: of any shape goes through the same place', async () => {
    const long = 'word '.repeat(60_000);
    for (const content of [
      long,
      [{ type: 'text', text: long }],
      [
        { type: 'text', text: long.slice(0, 150_000) },
        { type: 'text', text: long.slice(0, 150_000) },
      ],
      [{ type: 'text', text: long }, image],
    ] as const) {
      const kept = await keep(content);
      expect(kept.output!.bytes).toBeGreaterThanOrEqual(300_000);
      expect(textOf(kept).length).toBeLessThan(5_000);
      const hadImage = typeof content !== 'string' && content.some(({ type }) => type === 'image');
      expect(kept.content.some(({ type }) => type === 'image')).toBe(hadImage);
    }
  });

  it('of 5 MB costs the view 1,500 tokens at most, whatever it is made of', async () => {
    const mega = (piece: string) => piece.repeat(Math.ceil(5_000_000 / piece.length));
    for (const piece of [
      'a',
      '漢字仮名',
      'QUJDREVG0123+/',
      '🎉',
      'one two three\n',
      '{"a":[1,2,3]},',
      '\n',
    ]) {
      const kept = await keep(mega(piece));
      expect(estimateTokens(textOf(kept))).toBeLessThanOrEqual(1_500);
      expect(textOf(kept).isWellFormed()).toBe(true);
    }
  });

  it('that is paged is never kept in a file', async () => {
    const kept = await keep('x'.repeat(30_000), { isPaged: true });
    expect(kept.output).toBeUndefined();
    expect(textOf(kept)).toBe('x'.repeat(30_000));
  });

  it('C13: is kept in a file when the step has no room for it', async () => {
    const kept = await keep('short\n'.repeat(1_000), { room: 3_000 });
    expect(kept.output).toBeDefined();
    expect(textOf(kept).length).toBeLessThan(4_000);
    expect(textOf(await keep('x'.repeat(9_000), { isPaged: true, room: 3_000 })).length).toBeLessThanOrEqual(
      3_000,
    );
  });

  it('Z1: has no known secrets in it, inline, in the preview and in the file', async () => {
    const key = `sk-ant-api03-${'Ab1-'.repeat(24)}AA`;
    expect(textOf(await keep(`key=${key}`))).not.toContain(key);
    const kept = await keep(`${key}\n${numbered(9_000)}\n${key}`);
    expect(textOf(kept)).not.toContain(key);
    expect(bench.bytesOf(kept.output!).toString()).not.toContain(key);
  });

  it('that was streamed is kept as it came, whatever of it the result tells', async () => {
    const raw = new TextEncoder().encode('\u001b[31mred\u001b[0m\n'.repeat(40_000));
    const kept = await keep('red\n'.repeat(9_000), { streamed: raw });
    expect(bench.bytesOf(kept.output!).equals(Buffer.from(raw))).toBe(true);
    expect(kept.output!.lines).toBe(40_000);
  });

  it('that was streamed and came to little is told whole, and where the rest of it is', async () => {
    const progress = new TextEncoder().encode(Array.from({ length: 5_000 }, (_, i) => `\r${i}%`).join(''));
    const kept = await keep('4999%', { streamed: progress });
    expect(textOf(kept)).toMatch(/^4999%\n\n\[More was printed than is shown: all of it \(/);
    expect(textOf(kept)).toContain(`read_file {"path": "${kept.output!.path}"`);
    expect(kept.output!.bytes).toBe(progress.length);
  });

  it('that was streamed and is told but for its colours is told as it is', async () => {
    const coloured = new TextEncoder().encode('\u001b[31mred apples\u001b[0m\n'.repeat(600));
    const kept = await keep('red apples\n'.repeat(600), { streamed: coloured });
    expect(kept.content).toEqual([{ type: 'text', text: 'red apples\n'.repeat(600) }]);
    expect(kept.output!.bytes).toBe(coloured.length);
  });

  it('that was streamed before its tool failed is told of with its file', async () => {
    const kept = await keep('The shell broke.', { streamed: Buffer.from(numbered(20_000)) });
    expect(textOf(kept)).toMatch(/^The shell broke\.\n\n\[More was printed than is shown: all of it/);
    expect(textOf(kept)).toContain(`is in ${kept.output!.path}.`);
  });

  it('O6: is bounded, with both ends and a word about the rest, where the disk fails', async () => {
    const failing = { append: () => Promise.reject(new Error('ENOSPC: no space left on device')) };
    const kept = await keep(`first line\n${'x\n'.repeat(300_000)}last line`, { files: failing });
    expect(kept.output).toBeUndefined();
    const shown = textOf(kept);
    expect(shown.length).toBeLessThanOrEqual(40_000);
    expect(shown.startsWith('first line')).toBe(true);
    expect(shown).toContain('last line');
    expect(shown).toContain('could not be kept in a file: ENOSPC');
  });

  it.each([
    ['its beginning', { lostBytes: 1_234, lostFirstBytes: 1_234 }, ' The first 1,234 bytes of it'],
    ['its end', { lostBytes: 1_234 }, ' The last 1,234 bytes of it'],
    [
      'both',
      { lostBytes: 1_239, lostFirstBytes: 5 },
      ' The first 5 bytes of it could not be kept, and are lost. The last 1,234 bytes of it',
    ],
  ])('O6: says which bytes are lost, where it is %s', (_, lost, note) => {
    const told = whereItIs({
      path: 'a.txt',
      parts: [{ file: '/a.txt', bytes: 9 }],
      bytes: 9,
      lines: 1,
      ...lost,
    });
    expect(told).toContain('what could be kept of it (9 bytes');
    expect(told.endsWith(`"path": "a.txt"}.${note} could not be kept, and are lost.`)).toBe(true);
  });

  it('O1: that is no UTF-8 is read on from where nothing of it is passed over', async () => {
    const raw = Buffer.from('\u00e9\u00e9[item]'.repeat(5_000), 'latin1');
    const shown = textOf(await keep(new TextDecoder().decode(raw), { streamed: raw }));
    const head = shown.slice(0, shown.indexOf('\n[… what is between'));
    expect(Number(/"byte_offset": (\d+)/.exec(shown)![1])).toBe(head.length);
  });

  it('that begins with blank lines, or in colour, is read on exactly where its beginning ends', async () => {
    const raw = `\r\n\n\u001b[0m\n${Array.from({ length: 9_000 }, (_, n) => `\u001b[32mline ${n}\u001b[0m\r\n`).join('')}`;
    const printed = renderTerminal(raw).replace(/^\n+/, '').trimEnd();
    const streamed = Buffer.from(raw);
    const shown = textOf(await keep(`${printed}\n\n[exit code 0, 1.0 s]`, { streamed }));
    const next = Number(/"offset": (\d+)/.exec(shown)![1]);
    const last = shown.slice(0, shown.indexOf('\n[… what is between')).split('\n').at(-1);
    expect(renderTerminal(raw).split('\n')[next - 2]).toBe(last);
  });

  it('that is long lines in colour is read on at the first byte that is not shown', async () => {
    const raw = `\n\n${'\u001b[32mé\u001b[0m→'.repeat(9_000)}`;
    const printed = renderTerminal(raw).trim();
    const shown = textOf(await keep(printed, { streamed: Buffer.from(raw) }));
    const head = shown.slice(0, shown.indexOf('\n[… what is between'));
    const offset = Number(/"byte_offset": (\d+)/.exec(shown)![1]);
    const rest = renderTerminal(Buffer.from(raw).subarray(offset).toString());
    expect(head + rest).toBe(printed);
  });

  it('what is said to be shown is the result, with what the tool says of it', async () => {
    const shown = textOf(await keep(`${'x'.repeat(12_000)}\n\n[exit code 0, 1.0 s]`));
    const [head = '', behind = ''] = shown.split('\n[… what is between is in the file …]\n');
    const [tail = ''] = behind.split('\n\n[A long output');
    const number = (of: string) => of.length.toLocaleString('en-US');
    expect(tail.endsWith('[exit code 0, 1.0 s]')).toBe(true);
    expect(shown).toContain(
      `Above are the first ${number(head)} and the last ${number(tail)} characters of the result;`,
    );
  });

  it('of one line without end is read on by bytes', async () => {
    const shown = textOf(await keep('x'.repeat(500_000)));
    const offset = Number(/"byte_offset": (\d+)/.exec(shown)![1]);
    expect(shown.slice(0, offset)).toBe('x'.repeat(offset));
    expect(shown[offset]).toBe('\n');
  });
});
