import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  /** arguments, separated by NUL */
  readonly commandLine: string;
}

/** Every process of this machine (Linux). Processes come and go meanwhile: one that is gone is left out. */
function listProcesses(): readonly ProcessInfo[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

function readProcess(pid: number): ProcessInfo | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may itself hold brackets and spaces.
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(parent), commandLine: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
  } catch {
    return undefined;
  }
}

export function childrenOf(pid: number, processes = listProcesses()): readonly ProcessInfo[] {
  return processes.filter(({ parent }) => parent === pid);
}

function descendantsOf(pid: number, processes: readonly ProcessInfo[]): readonly number[] {
  return childrenOf(pid, processes).flatMap((child) => [child.pid, ...descendantsOf(child.pid, processes)]);
}

/** False for a zombie too: it does nothing any more, whoever has to collect it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

const EXIT_TIMEOUT_MS = 10_000;

/** @throws Error when the process is still there after 10 s */
export async function waitForExit(pid: number): Promise<void> {
  await waitForOneToEnd([pid]);
}

/** Resolves when one of the processes, or all of none, have ended. @throws Error when that takes over 10 s */
export async function waitForOneToEnd(pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + EXIT_TIMEOUT_MS;
  while (pids.length > 0 && pids.every(isAlive)) {
    if (Date.now() > deadline)
      throw new Error(`still running after ${EXIT_TIMEOUT_MS} ms: ${pids.join(', ')}`);
    await sleep(20);
  }
}

/** Kills a process and all that it started, at once. Synchronous, so that it also works in an exit handler. */
export function killTree(pid: number): void {
  for (const target of [pid, ...descendantsOf(pid, listProcesses())]) kill(target);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended by itself between the listing and now.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
