import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ShellResult } from '../../../src/core/ports/shell.ts';
import { liveOutput } from '../../../src/core/tools/live-output.ts';
import { makePatch } from '../../../src/core/tools/patch.ts';
import { findText, replaceText } from '../../../src/core/tools/replace-text.ts';
import { renderTerminal } from '../../../src/core/text/terminal-text.ts';
import { toolBench } from '../../support/tool-bench.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

/*
 * A long run of anything is read in the time that reading takes. What is quadratic in it takes minutes, so that
 * coming to an end within a test's time is the whole proof; nothing is timed.
 */

const LENGTH = 240_000;
const fill = (unit: string) => unit.repeat(LENGTH / unit.length);

/** Long runs: what an expression that begins anew at every place, or reads to the end from there, stumbles over. */
const RUNS = [
  ...[' ', 'a', '=', '0', '\t', '\n', '\r', '\r\n', '\\', '/', '[', '<', '*', '.', ' a', ' \n', 'a,', '1\t'],
  ...['\b', '\u001b', '\u001b[', '\u001b[0;', '\u001b]', '\u001b]8;;a', '\u001b[2Kx', '\u001b[K\rx', 'x\b\b'],
  ...['\u0301', '🎉', '👨‍👩‍👧‍👦', '\ud800'],
];
const named = RUNS.map((unit) => [JSON.stringify(unit), unit] as const);

let bench: ToolBench;
afterEach(() => bench.dispose());

describe('a long run, and something else behind it,', () => {
  describe('printed by a command', () => {
    const printing = (parts: Partial<ShellResult>) => ({
      shellName: 'sh',
      run: () =>
        Promise.resolve<ShellResult>({
          ...{
            exitCode: 0,
            end: 'exited',
            head: '',
            tail: '',
            totalBytes: 0,
            droppedBytes: 0,
            durationMs: 0,
          },
          ...parts,
        }),
    });

    it.each(named)('%s', async (_, unit) => {
      const text = `x${fill(unit)}!`;
      bench = toolBench({ context: { shell: printing({ head: text }) } });
      expect((await bench.text('run_command', { command: 'x' })).length).toBeLessThanOrEqual(40_000);
      bench.dispose();
      bench = toolBench({ context: { shell: printing({ head: text, tail: text, droppedBytes: 1 }) } });
      expect((await bench.text('run_command', { command: 'x' })).length).toBeLessThanOrEqual(40_000);
      let shown = 0;
      const push = liveOutput((piece) => void (shown += piece.length));
      for (let at = 0; at < text.length; at += 16_000) push(text.slice(at, at + 16_000));
      expect(shown).toBeLessThanOrEqual(101_000);
    });

    it('a long line that is erased and written at its end, over and over', () => {
      const line = 'a'.repeat(LENGTH / 2) + '\u001b[2Kx'.repeat(LENGTH / 10);
      expect(renderTerminal(line).trimStart()).toMatch(/^x$/);
    });
  });

  describe('in a file', () => {
    beforeEach(() => (bench = toolBench()));

    it.each(named)('%s', async (_, unit) => {
      const text = `${fill(unit)}!`;
      bench.put('ws/f', text);
      const read = await bench.text('read_file', { path: 'f' });
      expect(read.length).toBeLessThanOrEqual(40_000);
      await bench.text('read_file', { path: 'f', byte_offset: 1_000 });
      for (const pattern of ['(a?){21}b', '(.*)*=$'])
        expect((await bench.text('search', { pattern })).length).toBeLessThanOrEqual(40_000);
      const wellFormed = unit.toWellFormed();
      const all = { path: 'f', replace_all: true };
      await bench.refusal('edit_file', { ...all, old_text: `${fill(wellFormed)}?`, new_text: '' });
      await bench.refusal('edit_file', { ...all, old_text: `?${fill(wellFormed)}`, new_text: '' });
      await bench.call('edit_file', { ...all, old_text: wellFormed.repeat(50), new_text: 'b\n' });
    });
  });

  it.each([';', ';\n'])('half a million places in one line, each exchanged for %j', (now) => {
    bench = toolBench();
    const text = fill('a,');
    const { text: after } = replaceText(text, findText(text, ','), { old: ',', now });
    expect(after).toBe(fill('a,').replaceAll(',', now));
  });

  it.each(named)('%s, looked for in as much of itself', (_, unit) => {
    bench = toolBench();
    const text = fill(unit);
    expect(findText(`${text}!`, text.slice(0, text.length / 2)).length).toBeGreaterThan(0);
    expect(findText(text, `${text.slice(0, text.length / 2)}!`)).toEqual([]);
  });

  it.each(named)('%s, in a patch', (_, unit) => {
    bench = toolBench();
    const { patch } = makePatch({ label: 'f', before: `${fill(unit)}!`, after: `${fill(` ${unit}`)}?` });
    expect(patch.length).toBeLessThanOrEqual(41_000);
  });

  it.each(named)('%s, for a path, a glob, a pattern or a command', async (_, unit) => {
    bench = toolBench();
    const text = `${fill(unit)}!`.toWellFormed();
    const refused = { code: 'invalid_input' };
    expect(await bench.refusal('read_file', { path: text })).toMatchObject(refused);
    expect(await bench.refusal('list_files', { path: text })).toMatchObject(refused);
    expect(await bench.refusal('search', { pattern: text })).toMatchObject(refused);
    expect(await bench.refusal('search', { pattern: 'x', glob: text })).toMatchObject(refused);
    await expect(bench.call('run_command', { command: text })).rejects.toThrow();
  });
});

describe('names and ignore files that were made to be slow', () => {
  beforeEach(() => (bench = toolBench()));
  const PARTS = ['*a', '*?', '*[ab]', '**/', 'a/**/', '*', '[a', '\\', '!', '{a,', '+(a|aa)', '{a*,a*}'];

  it.each(PARTS)('%s over and over', async (part) => {
    const deep = 'a/'.repeat(150);
    bench.put(`ws/${'a'.repeat(254)}`, 'found\n');
    bench.put(`ws/${deep}${'a'.repeat(254)}`, 'found\n');
    for (const count of [6, 30, 300]) {
      const rule = `${part.repeat(count)}x`.slice(0, 1_000);
      bench.put('ws/.gitignore', `${rule}\n${part.repeat(10_000)}x\n`);
      expect(await bench.text('list_files', { depth: 20 })).toContain('a/a/a/');
      // A glob that makes no sense may be refused.
      await bench.text('search', { pattern: 'found', glob: rule }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'invalid_input' });
      });
    }
  });
});
