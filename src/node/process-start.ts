import { execFile } from 'node:child_process';
import { promises as fs } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * When a process began, as a number that only tells it from others that had or will have its pid: clock ticks since
 * boot on Linux, ms since 1970 elsewhere. undefined where it is gone; 0 where the system does not say (Windows).
 */
export async function processStart(pid: number): Promise<number | undefined> {
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'win32') return 0;
  return process.platform === 'linux' ? linuxStart(pid) : psStart(pid);
}

async function linuxStart(pid: number): Promise<number | undefined> {
  try {
    const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything; after it come the state and, nineteen fields on, the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : Number(fields[19]);
  } catch {
    return undefined; // it ended in the meantime
  }
}

async function psStart(pid: number): Promise<number | undefined> {
  try {
    // Both windows must read the same of it, whatever their language and time zone.
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], { env });
    return Date.parse(`${stdout.trim()} UTC`) || 0;
  } catch {
    return undefined; // `ps` fails for a process that is not there
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
