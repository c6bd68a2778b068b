import { rmSync } from 'node:fs';
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
