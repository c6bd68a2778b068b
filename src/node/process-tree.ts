import { execFile } from 'node:child_process';
import { promises as fs } from 'node:fs';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

const run = promisify(execFile);

/** The processes that one command started. */
export interface ProcessTree {
  /** of the first process, which leads a process group of its own */
  readonly pid: number;
  /** `NAME=value` in the environment of every process of the tree: finds those that left the group, where it can */
  readonly mark: string;
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly isZombie: boolean;
}

const POLL_MS = 25;

/**
 * Ends every process of the tree: asks first, and after `graceMs` no longer asks. Resolves when none is left (or when
 * what is left cannot be killed by this user).
 */
export async function endTree(tree: ProcessTree, graceMs: number): Promise<void> {
  if (process.platform === 'win32') return endWindowsTree(tree.pid);
  if (await signalUntilGone(tree, 'SIGTERM', graceMs)) return;
  await signalUntilGone(tree, 'SIGKILL', 2_000);
}

async function signalUntilGone(tree: ProcessTree, signal: NodeJS.Signals, forMs: number): Promise<boolean> {
  const signalled = new Set<number>();
  const rounds = Math.max(1, Math.ceil(forMs / POLL_MS));
  for (let round = 0; round < rounds; round++) {
    const alive = await membersOf(tree);
    if (alive.length === 0) return true;
    // One asks once; a killed tree may still be forking, so there every newcomer is killed as well.
    for (const pid of alive.filter((one) => !signalled.has(one))) {
      signalled.add(pid);
      sendSignal(pid, signal);
      // A stopped process hears nothing but SIGKILL until it is continued.
      sendSignal(pid, 'SIGCONT');
    }
    await sleep(POLL_MS);
  }
  return (await membersOf(tree)).length === 0;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone in the meantime, or not ours to kill: the next look at the tree tells.
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** In the group, descended from a member, or marked; zombies are gone already, their parent only has not looked. */
async function membersOf(tree: ProcessTree): Promise<readonly number[]> {
  const rows = await listProcesses();
  const marked = await Promise.all(rows.map((row) => isMarked(row.pid, tree.mark)));
  const own = rows.filter((row, index) => row.pid === tree.pid || row.group === tree.pid || marked[index]);
  const members = new Set(own.map((row) => row.pid));
  for (let grown = true; grown;) {
    const children = rows.filter((row) => members.has(row.parent) && !members.has(row.pid));
    for (const child of children) members.add(child.pid);
    grown = children.length > 0;
  }
  members.delete(process.pid);
  return rows.filter((row) => members.has(row.pid) && !row.isZombie).map((row) => row.pid);
}

async function listProcesses(): Promise<readonly ProcessRow[]> {
  if (process.platform === 'linux') return listByProc();
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=']);
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (state === undefined) return [];
    return [
      { pid: Number(pid), parent: Number(parent), group: Number(group), isZombie: state.startsWith('Z') },
    ];
  });
}

async function listByProc(): Promise<readonly ProcessRow[]> {
  const pids = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(pids.map(readProcStat));
  return rows.filter((row) => row !== undefined);
}

async function readProcStat(pid: string): Promise<ProcessRow | undefined> {
  const stat = await readOrEmpty(`/proc/${pid}/stat`);
  // `pid (any name at all) state ppid pgrp …`
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || group === undefined) return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    isZombie: state === 'Z' || state === 'X',
  };
}

async function isMarked(pid: number, mark: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  return (await readOrEmpty(`/proc/${pid}/environ`)).split('\0').includes(mark);
}

/** Another user's process, or one that has just ended, has nothing to say. */
async function readOrEmpty(file: string): Promise<string> {
  return fs.readFile(file, 'latin1').catch(() => '');
}

async function endWindowsTree(pid: number): Promise<void> {
  // Fails when the process is gone already, which is what is wanted.
  await run('taskkill', ['/pid', String(pid), '/T', '/F']).catch(() => undefined);
}
