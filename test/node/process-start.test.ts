import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { processStart } from '../../src/node/process-start.ts';

it('tells one process from another, always the same, and nothing of one that is gone', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const start = await processStart(child.pid!);
  expect(start).toBeGreaterThan(0);
  expect(await processStart(child.pid!)).toBe(start);
  expect(await processStart(process.pid)).not.toBe(start);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await processStart(child.pid!)).toBeUndefined();
});

it.runIf(process.platform === 'linux')('a zombie is gone: only its parent has not looked', async () => {
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
  const [pid] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  await expect.poll(() => processStart(Number(pid))).toBeUndefined();
  expect(() => process.kill(Number(pid), 0)).not.toThrow();
  parent.kill('SIGKILL');
});
