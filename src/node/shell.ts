import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { ShellPort, ShellRequest, ShellResult } from '../core/ports/shell.ts';
import { OutputKeeper } from './output-keeper.ts';
import { OutputStream } from './output-stream.ts';
import { endTree } from './process-tree.ts';
import type { ProcessTree } from './process-tree.ts';
import { shellEnv } from './shell-env.ts';

const MARK = 'PLIMSOLL_COMMAND';
/** How long a process may take to clean up after it was asked to end. */
const GRACE_MS = 1_000;
/** How long output that is already in the pipe may take to arrive once every writer is gone. */
const DRAIN_MS = 1_000;

/** Shells whose `-c` takes the language that models write; others (fish, nu) are passed over. */
const POSIX_SHELLS: ReadonlySet<string> = new Set(['bash', 'zsh', 'ksh', 'dash', 'sh']);

/**
 * Commands in the person's own shell, without its profile. Output is captured by pipe, so it needs no shell
 * integration; the process tree is found by group, by parent and (on Linux) by a mark in the environment.
 */
export function createShell(env: NodeJS.ProcessEnv = process.env): ShellPort {
  const shell = process.platform === 'win32' ? (env['ComSpec'] ?? 'cmd.exe') : findPosixShell(env['SHELL']);
  return {
    shellName: path.basename(shell),
    run: (request) =>
      request.signal.aborted ? Promise.resolve(neverStarted()) : runLine(shell, request, env),
  };
}

function findPosixShell(own: string | undefined): string {
  const candidates = [own, '/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'];
  const found = candidates.find(
    (shell) => shell !== undefined && POSIX_SHELLS.has(path.basename(shell)) && isExecutable(shell),
  );
  return found ?? '/bin/sh';
}

function isExecutable(file: string): boolean {
  const stats = path.isAbsolute(file) ? statSync(file, { throwIfNoEntry: false }) : undefined;
  return stats !== undefined && stats.isFile() && (stats.mode & 0o111) !== 0;
}

function neverStarted(): ShellResult {
  return {
    exitCode: null,
    end: 'aborted',
    head: '',
    tail: '',
    totalBytes: 0,
    droppedBytes: 0,
    durationMs: 0,
  };
}

async function runLine(shell: string, request: ShellRequest, env: NodeJS.ProcessEnv): Promise<ShellResult> {
  const startedAt = performance.now();
  const mark = randomUUID();
  const child = start(shell, request, { ...shellEnv(env), [MARK]: mark });
  // First of all: a process that the system had no room for has no streams either.
  const pid = await started(child);
  const keeper = new OutputKeeper(request.keepBytes);
  const stream = new OutputStream(request.onOutput);
  let totalBytes = 0;
  // What is cut out of the output must know nothing that the whole would not tell.
  request.sink?.follow((bytes) => keeper.add(Buffer.from(bytes)));
  const readers = [child.stdout, child.stderr].filter((reader) => reader !== null);
  for (const reader of readers)
    reader.on('data', (chunk: Buffer) => {
      totalBytes += chunk.length;
      if (request.sink === undefined) keeper.add(chunk);
      stream.add(chunk);
      void passedOn(chunk, reader, request.sink);
    });
  const tree = { pid, mark: `${MARK}=${mark}` };
  const { exitCode, end } = await waitForEnd(child, tree, request);
  // What the command left in the background goes too; only then can the pipes be trusted to close.
  await endTree(tree, GRACE_MS);
  await drained(readers);
  stream.end();
  request.sink?.end();
  const durationMs = Math.round(performance.now() - startedAt);
  return { exitCode, end, ...keeper.finish(), totalBytes, durationMs };
}

/** The pipe is held back, and with it the command, while the sink is busy. */
async function passedOn(chunk: Buffer, reader: Readable, sink: ShellRequest['sink']): Promise<void> {
  if (sink === undefined) return;
  let isDone = false;
  const written = sink.write(chunk).then(() => (isDone = true));
  await Promise.resolve(); // most writes are done at once
  if (isDone) return;
  reader.pause();
  await written;
  reader.resume();
}

/** @throws Error where the line is longer than the system takes */
function start(shell: string, request: ShellRequest, env: NodeJS.ProcessEnv): ChildProcess {
  try {
    return spawnShell(shell, request, env);
  } catch (cause) {
    throw notStarted(cause);
  }
}

function notStarted(cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Error(`The shell cannot be started: ${why}`, { cause });
}

function spawnShell(shell: string, request: ShellRequest, env: NodeJS.ProcessEnv): ChildProcess {
  const options = { cwd: request.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
  if (process.platform === 'win32')
    return spawn(shell, ['/d', '/s', '/c', `"${request.line}"`], {
      ...options,
      windowsVerbatimArguments: true,
      windowsHide: true,
    });
  // One pipe for both streams keeps their order; the redirection stands outside, so the line itself stays untouched.
  return spawn('/bin/sh', ['-c', 'exec "$0" -c "$1" 2>&1', shell, request.line], {
    ...options,
    detached: true,
  });
}

function started(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () =>
      child.pid === undefined ? reject(new Error('no process')) : resolve(child.pid),
    );
    child.once('error', (cause) => reject(notStarted(cause)));
  });
}

type Ending = Pick<ShellResult, 'exitCode' | 'end'>;

/** Resolves when the command has exited by itself, or was ended by the time limit or by the signal. */
async function waitForEnd(child: ChildProcess, tree: ProcessTree, request: ShellRequest): Promise<Ending> {
  let stopped: 'timed_out' | 'aborted' | undefined;
  const stop = (why: 'timed_out' | 'aborted') => {
    stopped ??= why;
    wake();
  };
  let wake = (): void => undefined;
  const woken = new Promise<void>((resolve) => (wake = resolve));
  const exited = exitOf(child);
  const timer = setTimeout(() => stop('timed_out'), request.timeoutMs);
  const onAbort = () => stop('aborted');
  request.signal.addEventListener('abort', onAbort, { once: true });
  if (request.signal.aborted) onAbort();
  try {
    await Promise.race([exited, woken]);
    if (stopped === undefined) return { exitCode: await exited, end: 'exited' };
    await endTree(tree, GRACE_MS);
    return { exitCode: null, end: stopped };
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', onAbort);
  }
}

/** The exit code; null for a process that a signal ended. */
function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

/** Waits until the pipes are read to their end, and lets go of what an unkillable process still holds open. */
async function drained(readers: readonly Readable[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, DRAIN_MS)));
  await Promise.race([Promise.all(readers.map(closed)), late]);
  clearTimeout(timer);
  for (const reader of readers) reader.destroy();
}

function closed(reader: Readable): Promise<void> {
  if (reader.closed || reader.readableEnded) return Promise.resolve();
  return new Promise((resolve) => reader.once('close', resolve));
}
