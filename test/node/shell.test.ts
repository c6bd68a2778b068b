import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ShellRequest } from '../../src/core/ports/shell.ts';
import { createShell } from '../../src/node/shell.ts';
import { temporaryFolder } from '../support/tool-bench.ts';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (line: string, more: Partial<ShellRequest> & { readonly env?: NodeJS.ProcessEnv } = {}) =>
  createShell(more.env ?? process.env).run({
    line,
    cwd: folder,
    timeoutMs: 60_000,
    keepBytes: 100_000,
    signal: new AbortController().signal,
    onOutput: () => undefined,
    ...more,
  });

const isAlive = (pid: number): boolean => {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  // A zombie is dead; only its parent has not looked.
  return stat !== '' && !/\) [ZX] /.test(stat);
};

/** Process ids that the command wrote into files of its folder. */
async function pids(...names: readonly string[]): Promise<number[]> {
  for (const name of names)
    while (!existsSync(`${folder}/${name}`) || readFileSync(`${folder}/${name}`, 'utf8').trim() === '')
      await sleep(10);
  return names.map((name) => Number(readFileSync(`${folder}/${name}`, 'utf8')));
}

/** A child, a grandchild that ignores a polite request, and one that has left the process group. */
const FAMILY = [
  "sh -c 'echo $$ >child; sleep 300' &",
  'sh -c \'trap "" TERM; echo $$ >stubborn; while :; do sleep 1; done\' &',
  "setsid sh -c 'echo $$ >daemon; sleep 300' &",
  'echo $$ >shell',
].join('\n');
const MEMBERS = ['child', 'stubborn', 'daemon'] as const;

describe('the whole tree is gone at the end', () => {
  it('when the command ends by itself and leaves things in the background', async () => {
    const running = run(
      `${FAMILY}\nwhile [ ! -s child ] || [ ! -s stubborn ] || [ ! -s daemon ]; do :; done\necho done`,
    );
    const family = await pids(...MEMBERS, 'shell');
    const result = await running;
    expect(result).toMatchObject({ end: 'exited', exitCode: 0, head: 'done\n' });
    expect(family.filter(isAlive)).toEqual([]);
  });

  it('when it is stopped', async () => {
    const controller = new AbortController();
    const running = run(`${FAMILY}\nwait`, { signal: controller.signal });
    const family = await pids(...MEMBERS, 'shell');
    expect(family.filter(isAlive)).toHaveLength(4);
    controller.abort();
    expect(await running).toMatchObject({ end: 'aborted', exitCode: null });
    expect(family.filter(isAlive)).toEqual([]);
  });

  it('at the time limit, and what was printed is kept', async () => {
    const running = run(`${FAMILY}\necho begun; wait`, { timeoutMs: 1_500 });
    const family = await pids(...MEMBERS, 'shell');
    expect(await running).toMatchObject({ end: 'timed_out', exitCode: null, head: 'begun\n' });
    expect(family.filter(isAlive)).toEqual([]);
  });

  it('a process that is suspended as well', async () => {
    const controller = new AbortController();
    const running = run("sh -c 'echo $$ >child; kill -STOP $$; sleep 300'", { signal: controller.signal });
    const family = await pids('child');
    controller.abort();
    await running;
    expect(family.filter(isAlive)).toEqual([]);
  });
});

describe('a run', () => {
  it('that is stopped before it starts does nothing', async () => {
    expect(await run('touch made', { signal: AbortSignal.abort() })).toMatchObject({
      end: 'aborted',
      totalBytes: 0,
    });
    expect(existsSync(`${folder}/made`)).toBe(false);
  });

  it('has no input: what asks for some gets its end', async () => {
    expect(await run('cat; read answer || echo nobody')).toMatchObject({ head: 'nobody\n' });
  });

  it('keeps the order of both streams', async () => {
    const { head } = await run('for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done');
    expect(head).toBe([1, 2, 3, 4, 5].map((i) => `out${i}\nerr${i}\n`).join(''));
  });

  it('takes the line as it is: quotes, dollars, newlines, a syntax error', async () => {
    expect((await run(`echo "a'b" '$HOME' $((1+1))\necho 'two`.concat("'"))).head).toBe("a'b $HOME 2\ntwo\n");
    const broken = await run('echo "open');
    expect(broken.exitCode).not.toBe(0);
    expect(broken.head).not.toBe('');
  });

  it('in a folder that is not there fails', async () => {
    await expect(run('pwd', { cwd: `${folder}/nowhere` })).rejects.toThrow('The shell cannot be started');
  });

  it('says null where a signal ended the command', async () => {
    expect(await run('kill -9 $$')).toMatchObject({ end: 'exited', exitCode: null });
  });

  it('passes output on while it runs', async () => {
    const pieces: string[] = [];
    await run('echo one; sleep 0.5; echo two', { onOutput: (text) => void pieces.push(text) });
    expect(pieces).toEqual(['one\n', 'two\n']);
  });

  it('a character that comes in two pieces is one', async () => {
    const pieces: string[] = [];
    const line = "printf '\\303'; sleep 0.4; printf '\\251'";
    expect((await run(line, { onOutput: (text) => void pieces.push(text) })).head).toBe('é');
    expect(pieces.join('')).toBe('é');
  });
});

describe('X9: output of any size', () => {
  it('50 MB take bounded memory: the beginning, the end, and how much is missing', async () => {
    let passedOn = 0;
    const before = process.memoryUsage.rss();
    const result = await run("yes '0123456789abcde' | head -c 52428800", {
      onOutput: (text) => void (passedOn += text.length),
    });
    expect(result).toMatchObject({ end: 'exited', exitCode: 0, totalBytes: 52_428_800 });
    expect(result.head.length + result.tail.length + result.droppedBytes).toBe(52_428_800);
    expect(result.head).toHaveLength(50_000);
    expect(result.tail.endsWith('0123456789abcde\n')).toBe(true);
    expect(passedOn).toBeLessThan(20_000_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000);
  });

  it('P1: cuts fall between characters', async () => {
    const { head, tail } = await run("yes '🎉世' | head -n 50000 | tr -d '\\n'", { keepBytes: 1_001 });
    expect(head + tail).toMatch(/^(?:🎉|世)+$/u);
  });
});

describe('X3: the shell', () => {
  it('needs no integration: output comes by pipe, from a shell that knows nothing', async () => {
    expect(await run('echo plain', { env: { ...process.env, SHELL: '/bin/sh', TERM: '' } })).toMatchObject({
      head: 'plain\n',
    });
  });

  it('does not wait for a profile', async () => {
    mkdirSync(`${folder}/home`);
    for (const name of ['.profile', '.bash_profile', '.bashrc', '.zshrc', '.zprofile'])
      writeFileSync(`${folder}/home/${name}`, 'sleep 6\necho profile\n');
    const result = await run('echo quick', { env: { ...process.env, HOME: `${folder}/home` } });
    expect(result.head).toBe('quick\n');
  });

  it('a shell that speaks another language is passed over', () => {
    expect(createShell({ SHELL: '/usr/bin/fish' }).shellName).toMatch(/^(?:ba)?sh$/);
    expect(createShell({ SHELL: '/bin/sh' }).shellName).toBe('sh');
  });

  it('Z6: commands do not inherit the key that the editor was given', async () => {
    const env = {
      ...process.env,
      ANTHROPIC_API_KEY: 'sk-ant-first',
      ANTHROPIC_AUTH_TOKEN: 'sk-ant-second',
      anthropic_api_key: 'sk-ant-third',
      ANTHROPIC_BASE_URL: 'http://kept',
    };
    const { head } = await run('env', { env });
    expect(head).not.toContain('sk-ant-');
    expect(head).toMatch(/^ANTHROPIC_BASE_URL=http:..kept$/m);
  });

  it('commands find no terminal, no pager, and nothing of the editor', async () => {
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', VSCODE_PID: '1', PAGER: 'less', MINE: 'kept' };
    const { head } = await run('env', { env });
    expect(head).toMatch(/^PAGER=cat$/m);
    expect(head).toMatch(/^GIT_PAGER=cat$/m);
    expect(head).toMatch(/^MINE=kept$/m);
    expect(head).not.toMatch(/^(?:ELECTRON_|VSCODE_|NO_COLOR)/m);
  });
});
