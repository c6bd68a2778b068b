import { readFileSync, rmSync } from 'node:fs';
import { OutputStore } from '../../src/core/offload/output-store.ts';
import type { OutputWriter } from '../../src/core/offload/output-writer.ts';
import type { OffloadedOutput } from '../../src/core/model/offloaded.ts';
import type { FilePort } from '../../src/core/ports/files.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createDiskFiles } from '../../src/node/disk-files.ts';
import { temporaryFolder } from './tool-bench.ts';

export interface OutputBench {
  /** the workspace */
  readonly folder: string;
  readonly store: OutputStore;
  /** every state that was told of, the newest last */
  readonly told: OffloadedOutput[];
  begin(tool?: string, threshold?: number): OutputWriter;
  bytesOf(output: OffloadedOutput): Buffer;
  dispose(): void;
}

/** Outputs on a real disk, with some of its calls replaced. */
export function outputBench(changes: Partial<FilePort> = {}, clock = systemClock): OutputBench {
  const folder = temporaryFolder();
  const files = { ...createDiskFiles(), ...changes };
  const workspace = { roots: () => [{ name: 'ws', location: folder }], isTrusted: () => true };
  const store = new OutputStore({ files, workspace, fallback: `${folder}/fallback`, clock });
  const told: OffloadedOutput[] = [];
  return {
    ...{ folder, store, told },
    begin: (tool = 'run_command', threshold = 10_000) =>
      store.begin('session', tool, { threshold, onKept: (output) => told.push(output) }),
    bytesOf: ({ parts }) => Buffer.concat(parts.map(({ file }) => readFileSync(file))),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
