import { DEFAULT_CONTEXT, DEFAULT_MEMORY, DEFAULT_OFFLOAD } from '../../src/core/model/settings.ts';
import { Session } from '../../src/core/agent/session.ts';
import type { SessionDeps } from '../../src/core/agent/session.ts';
import { TokenTable } from '../../src/core/context/token-table.ts';
import type { AgentEvent } from '../../src/core/model/event.ts';
import type { PromptSection } from '../../src/core/model/entry.ts';
import type { Settings } from '../../src/core/model/settings.ts';
import type { TokenCounter } from '../../src/core/ports/token-counter.ts';
import { systemClock } from '../../src/node/clock.ts';
import { OutputStore } from '../../src/core/offload/output-store.ts';
import { Transcript } from '../../src/core/sessions/transcript.ts';
import type { Tool } from '../../src/core/tools/define-tool.ts';
import { createToolSet } from '../../src/core/tools/tool-set.ts';
import { sha256 } from '../../src/node/hash.ts';
import { fixedClock } from './fixed-clock.ts';
import { MemoryLogStore } from './memory-log-store.ts';
import type { ScriptedModel } from './scripted-model.ts';

export interface TestSessionOptions {
  readonly model: ScriptedModel;
  readonly tools?: readonly Tool[];
  readonly settings?: Partial<Settings>;
  readonly sections?: () => Promise<readonly PromptSection[]>;
  readonly store?: MemoryLogStore;
  readonly trusted?: boolean;
  /** parts of the world that are real */
  readonly world?: Partial<SessionDeps['world']>;
  readonly counter?: TokenCounter;
}

export const HEADER = { workspace: ['/ws'], product: '0.0.0' };

/** A session on a scripted model, with a log in memory: `events` is what a panel would hear. */
export async function testSession(options: TestSessionOptions) {
  const store = options.store ?? new MemoryLogStore();
  const clock = fixedClock();
  const { transcript } = await Transcript.open('s', { store, clock });
  const events: AgentEvent[] = [];
  const granted = new Set<string>();
  const world = { ...worldOf(options.trusted ?? true), ...options.world };
  const deps: SessionDeps = {
    model: options.model,
    tools: createToolSet(options.tools ?? []),
    outputs: new OutputStore({ ...world, fallback: '/outputs', clock: systemClock }),
    world,
    grants: {
      has: (key) => granted.has(key),
      add: (keys) => Promise.resolve(keys.forEach((key) => granted.add(key))),
    },
    clock,
    counter: options.counter ?? { count: () => Promise.resolve(undefined) },
    tokens: new TokenTable(),
    settings: () => ({
      model: '',
      maxOutputTokens: 1_000,
      approvalMode: 'ask',
      maxRounds: 50,
      context: DEFAULT_CONTEXT,
      offload: DEFAULT_OFFLOAD,
      memory: DEFAULT_MEMORY,
      ...options.settings,
    }),
    sections: options.sections ?? (() => Promise.resolve([{ name: 'base', text: 'You are a test.' }])),
    random: () => 0.5,
  };
  const session = new Session(transcript, { deps, onEvent: (event) => events.push(event) });
  await session.prepare(HEADER);
  const ended = () => waitFor(() => !session.isRunning);
  return {
    session,
    transcript,
    events,
    store,
    clock,
    granted,
    ended,
    say: (text: string) => session.send(text).then(ended),
  };
}

/** Waits for something the session does by itself. @throws when it does not happen in time */
export async function waitFor(holds: () => boolean, patienceMs = 10_000): Promise<void> {
  const giveUpAt = Date.now() + patienceMs;
  while (!holds()) {
    if (Date.now() > giveUpAt) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The world of tools that touch nothing. */
function worldOf(isTrusted: boolean): SessionDeps['world'] {
  const absent = () => Promise.reject(new Error('no such thing in this test'));
  return {
    files: {
      stat: absent,
      realPath: absent,
      read: absent,
      write: absent,
      append: absent,
      appendLimit: () => undefined,
      remove: absent,
      list: absent,
    },
    workspace: { roots: () => [{ name: 'ws', location: '/ws' }], isTrusted: () => isTrusted },
    shell: { shellName: 'none', run: absent },
    search: { search: absent },
    codec: { decode: () => ({ kind: 'binary' }), encode: () => undefined },
    hash: sha256,
  };
}
