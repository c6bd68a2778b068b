import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { estimateTokens } from '../../src/core/context/estimate-tokens.ts';
import { MemoryFile } from '../../src/core/memory/memory-file.ts';
import { ProjectMemory } from '../../src/core/memory/project-memory.ts';
import { TextCounts } from '../../src/core/memory/text-counts.ts';
import type { FilePort } from '../../src/core/ports/files.ts';
import type { MemoryStore } from '../../src/core/ports/memory-store.ts';
import type { MemoryDraft } from '../../src/core/ports/project-memory.ts';
import { createDiskFiles } from '../../src/node/disk-files.ts';
import { newMemoryId } from '../../src/node/memory/memory-id.ts';
import { openMemoryStore } from '../../src/node/memory/open-memory-store.ts';
import { toLocation } from '../../src/node/disk-path.ts';
import { fixedClock } from './fixed-clock.ts';
import { loadTestSql } from './load-test-sql.ts';

const MEMORY_PATH = '.plimsoll/MEMORY.md';

/** A project on a real disk, and any number of windows on it. */
export class MemoryRig {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-memory-'));
  readonly root = path.join(this.folder, 'project');
  readonly storage = path.join(this.folder, 'store');
  readonly file = path.join(this.root, MEMORY_PATH);
  readonly clock = fixedClock('2026-05-04T10:00:00Z');
  isAutomatic = false;
  /** an editor tab has changes of the file that are not saved */
  isBeingEdited = false;
  /** the same, of a file of this name only */
  editedFile: string | undefined;
  readonly #stores: MemoryStore[] = [];

  /** Opens the project's memory as another window would. @param root where a worktree is */
  async window({ files = createDiskFiles(), root = this.root }: { files?: FilePort; root?: string } = {}) {
    const store = await openMemoryStore({ folder: this.storage, name: 'project', loadSql: loadTestSql });
    this.#stores.push(store);
    return new ProjectMemory({
      store,
      file: new MemoryFile({
        ...{ files, root: toLocation(root), path: MEMORY_PATH },
        isBeingEdited: (file) => this.isBeingEdited || file === this.editedFile,
      }),
      clock: this.clock,
      newId: newMemoryId,
      counts: new TextCounts({ count: () => Promise.resolve(undefined) }, estimateTokens),
      isAutomatic: () => this.isAutomatic,
      onChanged: () => undefined,
    });
  }

  read(): string {
    return readFileSync(this.file, 'utf8');
  }

  write(text: string): void {
    writeFileSync(this.file, text);
  }

  async end(): Promise<void> {
    for (const store of this.#stores) await store.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function draft(text: string, rest: Partial<MemoryDraft> = {}): MemoryDraft {
  return {
    text,
    category: 'fact',
    importance: 3,
    origin: { sessionId: '20260504-100000-00000000', entryId: 'e7' },
    ...rest,
  };
}
