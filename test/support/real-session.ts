import { DEFAULT_CONTEXT, DEFAULT_MEMORY, DEFAULT_OFFLOAD } from '../../src/core/model/settings.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Session } from '../../src/core/agent/session.ts';
import type { SessionDeps } from '../../src/core/agent/session.ts';
import { TokenTable } from '../../src/core/context/token-table.ts';
import type { AgentEvent } from '../../src/core/model/event.ts';
import type { Settings } from '../../src/core/model/settings.ts';
import type { ProjectMemory } from '../../src/core/memory/project-memory.ts';
import type { Clock } from '../../src/core/ports/clock.ts';
import type { TokenCounter } from '../../src/core/ports/token-counter.ts';
import { readInstructions } from '../../src/core/prompt/instructions.ts';
import { buildSections } from '../../src/core/prompt/sections.ts';
import { OutputStore } from '../../src/core/offload/output-store.ts';
import { Transcript } from '../../src/core/sessions/transcript.ts';
import { standardTools } from '../../src/core/tools/standard-tools.ts';
import { createToolSet } from '../../src/core/tools/tool-set.ts';
import { createWalkSearch } from '../../src/core/tools/walk-search.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createDiskFiles } from '../../src/node/disk-files.ts';
import { DiskLogStore } from '../../src/node/disk-log-store.ts';
import { sha256 } from '../../src/node/hash.ts';
import { createShell } from '../../src/node/shell.ts';
import { createTextCodec } from '../../src/node/text-codec.ts';
import { createAnthropicModel } from '../../src/providers/anthropic.ts';
import { HEADER, waitFor } from './test-session.ts';

export interface RealSessionOptions {
  /** address of the model server */
  readonly url: string;
  readonly settings?: Partial<Settings>;
  readonly now?: () => Date;
  /** the workspace and the logs of a session to go on with */
  readonly place?: SessionPlace;
  /** default: there is none, and everything is estimated */
  readonly counter?: TokenCounter;
  /** the project's memory; default: it has none */
  readonly memory?: ProjectMemory;
  /** what is waited for before a retry takes no time, and is recorded */
  readonly skipsWaiting?: boolean;
}

export interface SessionPlace {
  readonly folder: string;
  readonly logs: string;
}

/** The product without the editor: real provider over HTTP, real tools on a real folder, a real log. */
export async function realSession({
  url,
  settings,
  now = () => new Date(),
  place = newPlace(),
  skipsWaiting = false,
  memory,
  counter = { count: () => Promise.resolve(undefined) },
}: RealSessionOptions) {
  const files = createDiskFiles();
  const codec = createTextCodec();
  const shell = createShell();
  const slept: number[] = [];
  const clock = { ...systemClock, now, ...(skipsWaiting && { sleep: quickSleep(slept) }) };
  const roots = [{ name: 'ws', location: place.folder }];
  const store = new DiskLogStore(place.logs);
  const { transcript, badLines } = await Transcript.open('s', { store, clock });
  const events: AgentEvent[] = [];
  const workspace = { roots: () => roots, isTrusted: () => true };
  const deps: SessionDeps = {
    model: createAnthropicModel({ apiKey: () => Promise.resolve('test-key'), baseUrl: url }),
    tools: createToolSet(standardTools),
    outputs: new OutputStore({ files, workspace, fallback: '/outputs', clock: systemClock }),
    world: {
      files,
      workspace,
      shell,
      codec,
      search: createWalkSearch({ files, codec, clock }),
      hash: sha256,
      ...(memory && { memory }),
    },
    grants: { has: () => false, add: () => Promise.resolve() },
    clock,
    counter,
    tokens: new TokenTable(),
    settings: () => ({
      model: '',
      maxOutputTokens: 4_000,
      approvalMode: 'auto',
      maxRounds: 200,
      context: DEFAULT_CONTEXT,
      offload: DEFAULT_OFFLOAD,
      memory: DEFAULT_MEMORY,
      ...settings,
    }),
    sections: async () => {
      const remembered = await memory?.section();
      return buildSections({
        environment: { now: now(), os: 'linux', shell: shell.shellName, roots },
        instructions: await readInstructions(files, roots),
        ...(remembered !== undefined && { memory: remembered }),
      });
    },
    random: Math.random,
  };
  const session = new Session(transcript, { deps, onEvent: (event) => events.push(event) });
  await session.prepare(HEADER);
  const ended = () => waitFor(() => !session.isRunning, 60_000);
  const say = (text: string) => session.send(text).then(ended);
  return { session, events, slept, place, badLines, ended, say, close: () => store.dispose() };
}

/** What the engine waits for its tokenizer is real. */
function quickSleep(slept: number[]): Clock['sleep'] {
  return (ms, signal) => {
    if (ms < 500) return systemClock.sleep(ms, signal);
    slept.push(ms);
    return systemClock.sleep(0, signal);
  };
}

function newPlace(): SessionPlace {
  const base = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-session-'));
  return { folder: path.join(base, 'ws'), logs: path.join(base, 'logs') };
}

export function removePlace({ folder }: SessionPlace): void {
  rmSync(path.dirname(folder), { recursive: true, force: true });
}
