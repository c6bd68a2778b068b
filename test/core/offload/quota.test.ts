import fc from 'fast-check';
import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesOf, expire, measureOutputs, planQuota } from '../../../src/core/offload/quota.ts';
import type { SessionOutputs } from '../../../src/core/offload/quota.ts';
import { createDiskFiles } from '../../../src/node/disk-files.ts';
import { temporaryFolder } from '../../support/tool-bench.ts';

const of = (sessionId: string, bytes: number, newestMs: number): SessionOutputs => ({
  sessionId,
  bytes,
  newestMs,
});
const ids = (outputs: readonly SessionOutputs[]) => outputs.map(({ sessionId }) => sessionId).join(' ');

describe('what has to go', () => {
  const outputs = [
    of('now', 50, 9),
    of('old', 30, 1),
    of('gone-new', 20, 8),
    of('new', 40, 7),
    of('gone-old', 10, 2),
  ];
  const plan = (quota: number | null) => {
    const { remove, ask } = planQuota(outputs, {
      quota,
      current: 'now',
      exists: ({ sessionId }) => !sessionId.startsWith('gone'),
    });
    return [ids(remove), ids(ask)];
  };

  it.each([
    [null, '', ''],
    [150, '', ''],
    [145, 'gone-old', ''],
    [120, 'gone-old gone-new', ''],
    [119, 'gone-old gone-new', 'old'],
    [80, 'gone-old gone-new', 'old new'],
    [0, 'gone-old gone-new', 'old new'],
  ] as const)('for a quota of %s bytes', (quota, remove, ask) => {
    expect(plan(quota)).toEqual([remove, ask]);
  });

  it('never the current session, nothing twice, and no more than is needed', () => {
    const session = fc.record({ bytes: fc.nat(100), newestMs: fc.nat(100), isGone: fc.boolean() });
    fc.assert(
      fc.property(fc.array(session, { maxLength: 20 }), fc.nat(1_000), (sessions, quota) => {
        const all = sessions.map(({ bytes, newestMs }, index) => of(`s${index}`, bytes, newestMs));
        const exists = ({ sessionId }: SessionOutputs) =>
          sessions[Number(sessionId.slice(1))]?.isGone !== true;
        const { remove, ask, total } = planQuota(all, { quota, current: 's0', exists });
        const going = [...remove, ...ask];
        expect(going.map(({ sessionId }) => sessionId)).not.toContain('s0');
        expect(new Set(going).size).toBe(going.length);
        expect(remove.every((session) => !exists(session))).toBe(true);
        const without = total - bytesOf(going.slice(0, -1));
        if (going.length > 0) expect(without).toBeGreaterThan(quota);
      }),
    );
  });
});

describe('on the disk', () => {
  const files = createDiskFiles();
  let folder: string;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const put = (name: string, bytes: number, seconds: number) => {
    mkdirSync(path.dirname(`${folder}/${name}`), { recursive: true });
    writeFileSync(`${folder}/${name}`, 'x'.repeat(bytes));
    utimesSync(`${folder}/${name}`, seconds, seconds);
  };

  it('the outputs of each session are measured, and removed with their folder', async () => {
    put('.gitignore', 2, 1);
    put('a/0001-x.txt', 10, 5);
    put('a/0002-x.txt', 20, 7);
    put('b/0001-x.txt', 40, 3);
    symlinkSync(folder, `${folder}/link`);
    const measured = await measureOutputs(files, folder);
    expect(new Set(measured)).toEqual(new Set([of('a', 30, 7_000), of('b', 40, 3_000)]));
    expect(await expire(files, folder, [of('a', 30, 7_000)])).toEqual({ bytes: 30, failed: 0 });
    expect(existsSync(`${folder}/a`)).toBe(false);
    expect(existsSync(`${folder}/b/0001-x.txt`)).toBe(true);
    expect(existsSync(`${folder}/.gitignore`)).toBe(true);
  });

  it('a disk that fails is counted, and the rest goes on', async () => {
    put('b/0001-x.txt', 40, 3);
    const failing = {
      ...files,
      remove: (file: string) =>
        file.endsWith('/a') ? Promise.reject(new Error('EPERM')) : files.remove(file),
      list: () => Promise.reject(new Error('EMFILE')),
    };
    expect(await expire(failing, folder, [of('a', 1, 1), of('b', 40, 3)])).toEqual({ bytes: 40, failed: 1 });
    expect(await measureOutputs(failing, folder)).toEqual([]);
    expect(await measureOutputs(files, `${folder}/nowhere`)).toEqual([]);
  });
});
