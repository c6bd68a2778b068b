import type { Clock } from '../ports/clock.ts';
import type { FileLocation, FilePort, WorkspacePort } from '../ports/files.ts';
import { OUTPUTS_FOLDER } from '../model/offloaded.ts';
import { pathInside } from '../model/path-inside.ts';
import type { OutputListener, OutputName } from './output-writer.ts';
import { OutputWriter } from './output-writer.ts';

const MAX_NAME = 40;

export interface OutputStoreOptions {
  readonly files: FilePort;
  readonly workspace: WorkspacePort;
  /** where outputs go while no folder is open */
  readonly fallback: FileLocation;
  readonly clock: Clock;
}

/** Where the outputs of a workspace are kept. */
export interface OutputsFolder {
  readonly location: FileLocation;
  /** as the tools take it */
  readonly label: string;
}

/** Keeps outputs of tools in files: one folder for each session, one file for each output, named by number and tool. */
export class OutputStore {
  readonly #options: OutputStoreOptions;
  /** last number given, by folder of a session */
  readonly #last = new Map<FileLocation, Promise<number>>();

  constructor(options: OutputStoreOptions) {
    this.#options = options;
  }

  /** An output that is about to come; a file is made of it when it turns out to be long. */
  begin(sessionId: string, tool: string, listener: OutputListener): OutputWriter {
    const { files, clock } = this.#options;
    return new OutputWriter({ files, clock, name: () => this.#nextName(sessionId, tool), ...listener });
  }

  /** The first folder's, and where none is open the product's own. */
  folder(): OutputsFolder {
    const { workspace, fallback } = this.#options;
    const [root, ...others] = workspace.roots();
    if (root === undefined) return { location: fallback, label: fallback };
    const label = others.length === 0 ? OUTPUTS_FOLDER : `${root.name}/${OUTPUTS_FOLDER}`;
    return { location: `${root.location}/${OUTPUTS_FOLDER}`, label };
  }

  /** @throws Error where outputs cannot be kept */
  async #nextName(sessionId: string, tool: string): Promise<OutputName> {
    const { location, label } = this.folder();
    const session = safeName(sessionId);
    const folder = await this.#prepare(location, session);
    const number = await this.#nextNumber(folder);
    const name = `${String(number).padStart(4, '0')}-${safeName(tool)}`;
    const file = (part: number) => (part === 1 ? `${name}.txt` : `${name}.part${part}.txt`);
    return { location: (part) => `${folder}/${file(part)}`, label: `${label}/${session}/${file(1)}` };
  }

  /**
   * Keeps outputs out of version control.
   * @returns real location of the session's folder
   * @throws Error when a link leads it out of the workspace
   */
  async #prepare(folder: FileLocation, session: string): Promise<FileLocation> {
    const { files, workspace } = this.#options;
    const [root] = workspace.roots();
    const real = await files.realPath(`${folder}/${session}`);
    if (root === undefined) return real;
    if (pathInside(await files.realPath(root.location), real) === undefined)
      throw new Error(`${OUTPUTS_FOLDER} leads out of the workspace`);
    const ignore = `${folder}/.gitignore`;
    if ((await files.stat(ignore)) === undefined) await files.write(ignore, new TextEncoder().encode('*\n'));
    return real;
  }

  /** Outputs come side by side, so each asks behind the one before. */
  #nextNumber(folder: FileLocation): Promise<number> {
    const last = this.#last.get(folder) ?? this.#highest(folder);
    const next = last.then((number) => number + 1);
    this.#last.set(folder, next);
    next.catch(() => this.#last.delete(folder));
    return next;
  }

  /** The highest number among the files of a session that was opened again. */
  async #highest(folder: FileLocation): Promise<number> {
    const { files } = this.#options;
    if ((await files.stat(folder)) === undefined) return 0;
    const numbers = (await files.list(folder)).map(({ name }) => Number(/^(\d+)-/.exec(name)?.[1] ?? 0));
    return Math.max(0, ...numbers);
  }
}

/** A name that every system takes. */
function safeName(text: string): string {
  return text.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME) || 'unnamed';
}
