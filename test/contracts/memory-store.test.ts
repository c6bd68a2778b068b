import { rmSync } from 'node:fs';
import { openMemoryStore } from '../../src/node/memory/open-memory-store.ts';
import { loadTestSql } from '../support/load-test-sql.ts';
import { temporaryFolder } from '../support/tool-bench.ts';
import { describeMemoryStore } from './memory-store.ts';

const onDisk = (checkpointLines: number) => () => {
  const folder = temporaryFolder();
  return {
    open: () => openMemoryStore({ folder, name: 'project', loadSql: loadTestSql, checkpointLines }),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
};

describeMemoryStore('on disk', onDisk(1_000));
describeMemoryStore('on disk, with a checkpoint after every line', onDisk(1));
