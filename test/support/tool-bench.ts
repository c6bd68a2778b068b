import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FileSeen } from '../../src/core/model/entry.ts';
import { ToolError } from '../../src/core/model/errors.ts';
import type { ToolErrorCode } from '../../src/core/model/errors.ts';
import type { PreparedCall, ToolContext, ToolOutput } from '../../src/core/tools/define-tool.ts';
import { rememberSeen } from '../../src/core/tools/seen.ts';
import { standardTools } from '../../src/core/tools/standard-tools.ts';
import { createToolSet } from '../../src/core/tools/tool-set.ts';
import { createWalkSearch } from '../../src/core/tools/walk-search.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createDiskFiles } from '../../src/node/disk-files.ts';
import { sha256 } from '../../src/node/hash.ts';
import { createShell } from '../../src/node/shell.ts';
import { createTextCodec } from '../../src/node/text-codec.ts';

/** The real tools on a real folder; what an agent adds (consent, log) is left out. */
export interface ToolBench {
  /** a folder of its own for the test: the workspace is in it */
  readonly base: string;
  /** the first root */
  readonly ws: string;
  readonly context: ToolContext;
  /** writes a file below the base, folders included */
  put(file: string, content: string | Uint8Array): void;
  bytes(file: string): Buffer;
  prepare(tool: string, input: unknown): Promise<PreparedCall>;
  /** prepares, executes, and remembers what was seen */
  call(tool: string, input: unknown): Promise<ToolOutput>;
  text(tool: string, input: unknown): Promise<string>;
  /** the error that the call ends in */
  refusal(tool: string, input: unknown): Promise<{ readonly code: ToolErrorCode; readonly message: string }>;
  dispose(): void;
}

export interface ToolBenchOptions {
  /** names of the roots, below the base */
  readonly roots?: readonly string[];
  readonly trusted?: boolean;
  readonly context?: Partial<ToolContext>;
}

/** Keeps nothing, changes nothing. */
function openSink(): ToolContext['sink'] {
  let follower: (bytes: Uint8Array) => void = () => undefined;
  return {
    write: (bytes) => Promise.resolve(follower(bytes)),
    end: () => undefined,
    follow: (next) => void (follower = next),
  };
}

export function toolBench({ roots = ['ws'], trusted = true, context }: ToolBenchOptions = {}): ToolBench {
  const base = temporaryFolder();
  for (const root of roots) mkdirSync(path.join(base, root), { recursive: true });
  const seen = new Map<string, FileSeen>();
  const files = createDiskFiles();
  const codec = createTextCodec();
  const workspace = {
    roots: () => roots.map((name) => ({ name, location: `${base}/${name}` })),
    isTrusted: () => trusted,
  };
  const world: ToolContext = {
    ...{ files, codec, workspace, seen },
    shell: createShell(),
    search: createWalkSearch({ files, codec, clock: systemClock }),
    hash: sha256,
    transcript: () => [],
    origin: { sessionId: 's', entryId: 'e7' },
    clock: systemClock,
    signal: new AbortController().signal,
    onOutput: () => undefined,
    sink: openSink(),
    ...context,
  };
  const tools = createToolSet(standardTools);
  const prepare = (tool: string, input: unknown) => tools.prepare(tool, input, world);
  const call = async (tool: string, input: unknown) => {
    const output = await (await prepare(tool, input)).execute();
    rememberSeen(seen, output.details);
    return output;
  };
  return {
    ...{ base, context: world, prepare, call },
    ws: `${base}/${roots[0] ?? ''}`,
    put(file, content) {
      mkdirSync(path.dirname(path.join(base, file)), { recursive: true });
      writeFileSync(path.join(base, file), content);
    },
    bytes: (file) => readFileSync(path.join(base, file)),
    text: async (tool, input) => textOf(await call(tool, input)),
    refusal: (tool, input) => call(tool, input).then(unexpected, expectToolError),
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** A new folder, by its real path. */
export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(path.join(os.tmpdir(), 'plimsoll-tools-')));
}

/** The tools of the bench answer in plain text. */
function textOf({ content }: ToolOutput): string {
  if (typeof content === 'string') return content;
  throw new Error('blocks where a text was expected');
}

function unexpected(output: ToolOutput): never {
  throw new Error(`expected a refusal, got: ${textOf(output)}`);
}

function expectToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  throw error;
}
