import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AbortedError } from '../../../src/core/model/errors.ts';
import { toolBench } from '../../support/tool-bench.ts';
import type { ToolBench } from '../../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => (bench = toolBench()));
afterEach(() => bench.dispose());

const run = async (command: string, more: object = {}) =>
  (await bench.text('run_command', { command, ...more })).replace(/, \d+\.\d s\]$/, ']');

describe('the result', () => {
  it('is what the command prints, both streams in their order, and its exit code', async () => {
    expect(await run('echo one; echo two >&2; echo three')).toBe('one\ntwo\nthree\n\n[exit code 0]');
  });

  it('a command that fails is an answer, not an error of the tool', async () => {
    const output = await bench.call('run_command', { command: 'echo bad; exit 3' });
    expect(output.content).toMatch(/^bad\n\n\[exit code 3, \d+\.\d s\]$/);
    expect(output.isError).toBeUndefined();
    expect(output.details).toEqual({ exitCode: 3, totalBytes: 4 });
  });

  it.each(['mkdir -p x', "printf ' \\n\\t\\n'", "printf '\\033[0m'"])(
    'P2: %s prints nothing, and says so',
    async (line) => {
      expect(await run(line)).toBe('(no output)\n\n[exit code 0]');
    },
  );

  it('runs in the workspace, or in the folder asked for', async () => {
    bench.put('ws/sub/x', '');
    expect(await run('pwd')).toContain(`${bench.ws}\n`);
    expect(await run('pwd', { cwd: 'sub' })).toContain(`${bench.ws}/sub\n`);
    expect(await bench.refusal('run_command', { command: 'pwd', cwd: 'nowhere' })).toMatchObject({
      code: 'not_found',
    });
  });

  it('names its access before it runs: the line, and the folder by real path', async () => {
    const { access, target } = await bench.prepare('run_command', { command: 'touch made', cwd: '../' });
    expect({ access, target }).toEqual({
      access: { kind: 'command', line: 'touch made', cwd: { location: bench.base, label: bench.base } },
      target: 'touch made',
    });
  });
});

describe('X10: control sequences are rendered before the size is measured', () => {
  it('a progress bar is its last state, and colours and links leave their text', async () => {
    expect(await run("printf '0%%\\r1%%\\r100%%\\n'")).toBe('100%\n\n[exit code 0]');
    expect(
      await run("printf '\\033[31mred\\033[0m \\033]8;;http://x\\033\\\\link\\033]8;;\\033\\\\\\n'"),
    ).toBe('red link\n\n[exit code 0]');
  });

  it('200,000 steps of progress are one line', async () => {
    const line = "i=0; while [ $i -lt 20000 ]; do printf '\\r%d%%' $i; i=$((i+1)); done; echo";
    expect(await run(line)).toBe('19999%\n\n[exit code 0]');
  });
});

describe('X9: size', () => {
  it('50 MB come back as beginning and end, at most 40,000 characters', async () => {
    const output = await bench.call('run_command', {
      command: "echo first; yes '0123456789' | head -c 52428800; echo; echo last",
    });
    expect(output.content.length).toBeLessThanOrEqual(40_000);
    expect(output.content).toMatch(/^first\n0123456789\n/);
    expect(output.content).toMatch(/\[… the middle of 52428812 bytes is left out …\]/);
    expect(output.content).toMatch(/\nlast\n\n\[exit code 0, /);
    expect(output.details?.totalBytes).toBe(52_428_812);
  });

  it('P1: the cut leaves whole characters', async () => {
    const output = await bench.text('run_command', {
      command: "for i in 1 2 3 4 5 6 7 8 9; do yes '🎉👨‍👩‍👧‍👦世' | head -n 900 | tr -d '\\n'; done",
    });
    expect(output.length).toBeLessThanOrEqual(40_000);
    expect(output.isWellFormed()).toBe(true);
    expect(output.split('\n[…')[0]).toMatch(/(?:🎉|👨‍👩‍👧‍👦|世)$/u);
  });
});

describe('its end', () => {
  it('at the time limit it is stopped; what it printed is kept', async () => {
    const output = await bench.call('run_command', { command: 'echo begun; sleep 60', timeout_seconds: 1 });
    expect(output.isError).toBe(true);
    expect(output.content).toMatch(
      /^begun\n\n\[stopped after 1 s, the time limit; what it printed until then is above\./,
    );
  });

  it('a stop is no answer', async () => {
    const controller = new AbortController();
    bench.dispose();
    bench = toolBench({ context: { signal: controller.signal, onOutput: () => controller.abort() } });
    await expect(bench.call('run_command', { command: 'echo begun; sleep 60' })).rejects.toBeInstanceOf(
      AbortedError,
    );
  });
});

it('people see the output as it comes, plain', async () => {
  const pieces: string[] = [];
  bench.dispose();
  bench = toolBench({ context: { onOutput: (text) => void pieces.push(text) } });
  await bench.call('run_command', { command: "printf '\\033[1mone\\033[0m\\n'; sleep 0.5; echo two" });
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe('one\ntwo\n');
});
