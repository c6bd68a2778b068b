import { rmSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createDiskFiles } from '../../src/node/disk-files.ts';
import { temporaryFolder } from '../support/tool-bench.ts';
import { describeFilePort } from './file-port.ts';

describeFilePort('disk', () => {
  const folder = temporaryFolder();
  return {
    files: createDiskFiles(),
    folder,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
});

describe.skipIf(process.platform === 'win32')('Z1: what is appended to', () => {
  it('is for its owner alone', async () => {
    const folder = temporaryFolder();
    await createDiskFiles().append(`${folder}/out/printed.txt`, new Uint8Array([1]));
    expect(statSync(`${folder}/out/printed.txt`).mode & 0o777).toBe(0o600);
    rmSync(folder, { recursive: true });
  });
});
