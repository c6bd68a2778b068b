import { promises as fs } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { FileLocation } from '../../core/ports/files.ts';
import { createDiskFiles } from '../disk-files.ts';
import { sha256 } from '../hash.ts';

const DRAFT = z.object({ text: z.string(), base: z.string() });
type Draft = z.infer<typeof DRAFT>;

/**
 * What was typed and not saved of one MEMORY.md. It lies beside the store, which all worktrees of a repository share:
 * each has a text, and so a draft, of its own.
 */
export class DraftFile {
  readonly #file: string;

  /** @param store the store's folder on this machine */
  constructor(store: string, memory: FileLocation) {
    this.#file = path.join(store, `draft-${sha256(memory).slice(0, 32)}.json`);
  }

  /** Undefined where there is none, or a damaged one. */
  async load(): Promise<Draft | undefined> {
    try {
      return DRAFT.parse(JSON.parse(await fs.readFile(this.#file, 'utf8')));
    } catch {
      return undefined; // none was kept, or it is damaged
    }
  }

  /** @throws the system's own error */
  async keep(draft: Draft | undefined): Promise<void> {
    if (draft === undefined) await fs.rm(this.#file, { force: true });
    else await createDiskFiles().write(this.#file, Buffer.from(JSON.stringify(draft)));
  }
}
