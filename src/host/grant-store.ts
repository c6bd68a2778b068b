import path from 'node:path';
import * as z from 'zod';
import type { GrantStore } from '../core/ports/approvals.ts';
import type { FilePort } from '../core/ports/files.ts';
import { workspaceKey } from '../node/workspace-key.ts';

const grantsSchema = z.object({ workspace: z.array(z.string()), grants: z.array(z.string()) });

/**
 * What was allowed "always" in a workspace: one small file per workspace in the global storage. A file that cannot be
 * read grants nothing and is not overwritten.
 */
export class FileGrantStore implements GrantStore {
  readonly #files: FilePort;
  readonly #folder: string;
  readonly #workspace: () => readonly string[];
  #loaded: { readonly file: string; readonly grants: ReadonlySet<string> } | undefined;

  constructor(files: FilePort, folder: string, workspace: () => readonly string[]) {
    this.#files = files;
    this.#folder = folder;
    this.#workspace = workspace;
  }

  /** Reads the workspace's grants; called before each turn, for another window may have added some. */
  async load(): Promise<void> {
    const file = this.#file();
    this.#loaded = { file, grants: new Set(await this.#read(file).catch(() => [])) };
  }

  has(key: string): boolean {
    return this.#loaded?.file === this.#file() && this.#loaded.grants.has(key);
  }

  async add(keys: readonly string[]): Promise<void> {
    const file = this.#file();
    const grants = [...new Set([...(await this.#read(file)), ...keys])];
    const text = JSON.stringify({ workspace: this.#workspace(), grants }, undefined, 2);
    await this.#files.write(file, Buffer.from(text));
    this.#loaded = { file, grants: new Set(grants) };
  }

  async #read(file: string): Promise<readonly string[]> {
    if ((await this.#files.stat(file)) === undefined) return [];
    const text = Buffer.from(await this.#files.read(file)).toString('utf8');
    return grantsSchema.parse(JSON.parse(text)).grants;
  }

  #file(): string {
    return path.join(this.#folder, `${workspaceKey(this.#workspace())}.json`);
  }
}
