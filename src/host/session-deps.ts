import type { SessionDeps } from '../core/agent/session.ts';
import { TokenTable } from '../core/context/token-table.ts';
import type { GrantStore } from '../core/ports/approvals.ts';
import type { ModelPort } from '../core/ports/model.ts';
import type { SearchPort } from '../core/ports/search.ts';
import type { TextCodec } from '../core/ports/text-codec.ts';
import { OutputStore } from '../core/offload/output-store.ts';
import type { FileLocation, FilePort } from '../core/ports/files.ts';
import type { TokenCounter } from '../core/ports/token-counter.ts';
import { readInstructions } from '../core/prompt/instructions.ts';
import { buildSections } from '../core/prompt/sections.ts';
import { compileGlob } from '../core/tools/path-glob.ts';
import { standardTools } from '../core/tools/standard-tools.ts';
import { createToolSet } from '../core/tools/tool-set.ts';
import { createWalkSearch } from '../core/tools/walk-search.ts';
import { systemClock } from '../node/clock.ts';
import { createDiskFiles } from '../node/disk-files.ts';
import { sha256 } from '../node/hash.ts';
import { createRipgrep } from '../node/ripgrep.ts';
import { createShell } from '../node/shell.ts';
import { createTextCodec } from '../node/text-codec.ts';
import { editorFiles } from './editor-files.ts';
import { isOnDisk } from './locations.ts';
import type { MemoryHost } from './memory-host.ts';
import { findRipgrep } from './ripgrep-binary.ts';
import { readSettings } from './settings.ts';
import { routedFiles } from './workspace-files.ts';
import { workspace } from './workspace.ts';

export interface HostServices {
  readonly model: ModelPort;
  readonly grants: GrantStore;
  readonly counter: TokenCounter;
  readonly memory: MemoryHost;
  /** real path of the product's own folder */
  readonly storage: FileLocation;
}

/** What a session works with in this editor. */
export function sessionDeps({ model, grants, counter, memory, storage }: HostServices): SessionDeps {
  const disk = createDiskFiles();
  const files = routedFiles(disk);
  const ownFiles = editorFiles(disk);
  const codec = createTextCodec();
  const shell = createShell();
  const world = {
    files,
    workspace,
    shell,
    codec,
    search: createSearch(files, codec),
    hash: sha256,
    memory: memory.port,
  };
  return {
    model,
    grants,
    counter,
    world,
    tools: createToolSet(standardTools),
    outputs: new OutputStore({
      files: ownFiles,
      workspace,
      fallback: `${storage}/tool_results`,
      clock: systemClock,
    }),
    clock: systemClock,
    tokens: new TokenTable(),
    settings: readSettings,
    random: Math.random,
    sections: async () => {
      const roots = workspace.roots();
      const environment = { now: systemClock.now(), os: process.platform, shell: shell.shellName, roots };
      // An untrusted folder's instructions are not believed.
      const instructions = workspace.isTrusted() ? await readInstructions(ownFiles, roots) : [];
      const remembered = await memory.section();
      return buildSections({
        environment,
        instructions,
        ...(remembered !== undefined && { memory: remembered }),
      });
    },
  };
}

/** The editor's ripgrep where the folder is on disk, else a walk through the file API. */
function createSearch(files: FilePort, codec: TextCodec): SearchPort {
  const walk = createWalkSearch({ files, codec, clock: systemClock });
  const binary = findRipgrep();
  if (binary === undefined) return walk;
  const ripgrep = createRipgrep({ binary, compileGlob });
  return { search: (request) => (isOnDisk(request.directory) ? ripgrep : walk).search(request) };
}
