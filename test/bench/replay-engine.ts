import { isOver } from '../../src/core/agent/assemble-step.ts';
import { ContextFullError } from '../../src/core/agent/error-report.ts';
import { prepareRequest } from '../../src/core/agent/prepare-request.ts';
import { recover } from '../../src/core/agent/recover.ts';
import { SummaryDesk } from '../../src/core/agent/summary-desk.ts';
import type { Turn, TurnDeps } from '../../src/core/agent/turn-deps.ts';
import type { Assembled } from '../../src/core/context/assemble.ts';
import { countedPart } from '../../src/core/context/ledger.ts';
import { SUMMARY_SECTIONS } from '../../src/core/context/summary-prompt.ts';
import { TokenTable } from '../../src/core/context/token-table.ts';
import type { AssistantBlock } from '../../src/core/model/content.ts';
import { ModelError } from '../../src/core/model/errors.ts';
import type { AgentEvent } from '../../src/core/model/event.ts';
import type { ModelInfo, ModelRequest } from '../../src/core/model/request.ts';
import type { ContextRules } from '../../src/core/model/settings.ts';
import { DEFAULT_CONTEXT, DEFAULT_MEMORY, DEFAULT_OFFLOAD } from '../../src/core/model/settings.ts';
import type { ModelPort } from '../../src/core/ports/model.ts';
import { entryPage } from '../../src/core/tools/recall/recall-entry.ts';
import { sha256 } from '../../src/node/hash.ts';
import type { RecordedMessage, RecordedTool } from './recorded.ts';
import { toRecorded, toRecordedTools } from './recorded.ts';
import { ReplayLog } from './replay/replay-log.ts';

/** What a replay gives an engine: the stand-in for the model that writes summaries, and the common ruler. */
export interface ReplayWorld {
  /** tokens */
  readonly window: number;
  readonly maxOutput?: number;
  readonly summarize: (request: {
    readonly system: unknown;
    readonly messages: readonly RecordedMessage[];
    readonly tools?: readonly RecordedTool[];
    readonly maxTokens?: number;
    readonly wrap?: readonly [string, string];
  }) => Promise<{ readonly text: string; readonly usage: RecordedUsage }>;
  readonly countTokens: (text: string) => number;
  readonly untimed: <T>(work: () => T) => T;
  /** how the model is put to the engine, and what it thinks; default: one of no traits that does not think */
  readonly model?: ReplayModel;
}

export interface ReplayModel extends Pick<ModelPort, 'summarize'> {
  readonly info: Omit<ModelInfo, 'window'>;
  /** Takes a request as a server would; the reasoning that its reply begins with. */
  readonly take: (request: ModelRequest) => readonly AssistantBlock[];
}

export interface RecordedUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

const PLAIN_MODEL = {
  id: 'replayed',
  displayName: 'Replayed',
  provider: 'replay',
  thinking: 'none',
} as const;
/** The stand-in writes sections of its own; these make its summary one of ours. */
const REST: readonly [string, string] = [
  '',
  `\n${SUMMARY_SECTIONS.filter((title) => title !== 'Goal')
    .map((title) => `## ${title}\n- none`)
    .join('\n')}`,
];

/**
 * The engine as the agent drives it, from the log to the request, for a replay: the recorded session takes the place
 * of user, model and tools.
 */
export function createReplayEngine(world: ReplayWorld, rules: Partial<ContextRules> = {}) {
  const info: ModelInfo = { ...(world.model?.info ?? PLAIN_MODEL), window: world.window };
  const log = new ReplayLog(info);
  const turn = turnOf(world, { log, info, rules });
  let taken = 0;
  let last: Assembled | undefined;
  const drive = async (steps: AsyncGenerator<AgentEvent, Assembled>) => {
    const assembled = await drained(steps);
    last = assembled;
    await turn.deps.desk.settled();
    return world.untimed(() => toRecorded(assembled.request));
  };
  return {
    async view(history: readonly RecordedMessage[], system: string, tools: readonly RecordedTool[]) {
      world.untimed(() => {
        log.setPrompt(system, tools);
        for (const message of history.slice(taken)) log.add(message);
        taken = history.length;
      });
      try {
        return await drive(prepareRequest(turn));
      } catch (error) {
        if (!(error instanceof ContextFullError)) throw error;
        return { system, messages: [], refused: error.message };
      }
    },
    async recover({ tokens, window }: { readonly tokens: number; readonly window: number }) {
      const error = new ModelError('too_long', `prompt is too long: ${tokens} tokens > ${window} maximum`, {
        learntLimit: window,
      });
      if (last === undefined) throw error;
      return drive(recover(turn, last, { error, isFirst: true }));
    },
    observe({ usage, assistant }: { readonly usage: RecordedUsage; readonly assistant: RecordedMessage }) {
      if (last === undefined) return;
      const { budget, total: estimated } = last.ledger;
      const real = { input: usage.input_tokens, cacheRead: 0, cacheWrite: 0, output: usage.output_tokens };
      const counted = countedPart(last.added, real);
      const lastEntryId = log.entries.at(-1)?.id ?? 'e1';
      const thoughts = world.model?.take(last.request) ?? [];
      const assistantId = log.append(log.draftOf(assistant, thoughts)).id;
      taken += 1;
      log.append({
        kind: 'usage',
        assistantId,
        lastEntryId,
        provider: info.provider,
        model: info.id,
        usage: real,
        estimated,
        ...(counted && { counted }),
        budget,
      });
    },
    /** What one default call of `recall` on an id in view gives back. */
    recoverable() {
      const ids = new Set(JSON.stringify(last?.request.messages ?? []).match(/\be\d+\b/g) ?? []);
      return log.entries
        .filter(
          ({ id, kind }) =>
            ids.has(id) && (kind === 'tool_result' || kind === 'assistant' || kind === 'user'),
        )
        .map(({ id }) => ({ ref: id, text: entryPage(log.entries, id, 1) }));
    },
    stats() {
      const kinds: Record<string, number> = {};
      for (const entry of log.entries)
        if (['eviction', 'compaction'].includes(entry.kind)) {
          const name = entry.kind === 'compaction' ? entry.method : entry.kind;
          kinds[name] = (kinds[name] ?? 0) + 1;
        } else if (entry.kind === 'note')
          kinds[entry.relief ?? 'note'] = (kinds[entry.relief ?? 'note'] ?? 0) + 1;
      return { ...kinds, overBudget: last !== undefined && isOver(last) ? 1 : 0 };
    },
    entries: () => log.entries,
  };
}

async function drained(steps: AsyncGenerator<AgentEvent, Assembled>): Promise<Assembled> {
  for (let next = await steps.next(); ; next = await steps.next()) if (next.done === true) return next.value;
}

interface Played {
  readonly log: ReplayLog;
  readonly info: ModelInfo;
  readonly rules: Partial<ContextRules>;
}

function turnOf(world: ReplayWorld, { log, info, rules }: Played): Turn {
  const summarize = world.model?.summarize;
  const deps = {
    transcript: log,
    model: {
      provider: info.provider,
      resolve: () => Promise.resolve(info),
      stream: streamWith(world),
      ...(summarize && { summarize }),
    },
    tools: {
      get schemas() {
        return log.schemas;
      },
    },
    world: { hash: sha256 },
    clock: {
      now: () => new Date(0),
      sleep: () => new Promise<void>(() => undefined),
      deadline: () => new AbortController().signal,
    },
    counter: {
      count: (texts: readonly string[]) =>
        Promise.resolve(world.untimed(() => texts.map((text) => world.countTokens(text)))),
    },
    tokens: new TokenTable(),
    desk: new SummaryDesk(),
    unsigned: new Set<string>(),
    learntWindows: new Map<string, number>(),
    sections: () => Promise.resolve(log.sections),
    tell: () => undefined,
    random: () => 0,
  };
  return {
    // What a turn does beside deciding what the model sees (tools, approvals) is not replayed.
    deps: deps as unknown as TurnDeps,
    info,
    settings: {
      model: info.id,
      maxOutputTokens: world.maxOutput ?? 32_000,
      approvalMode: 'ask',
      maxRounds: 200,
      context: { ...DEFAULT_CONTEXT, ...rules },
      offload: DEFAULT_OFFLOAD,
      memory: DEFAULT_MEMORY,
    },
    signal: new AbortController().signal,
  };
}

function streamWith(world: ReplayWorld): TurnDeps['model']['stream'] {
  return async function* (request: ModelRequest) {
    world.model?.take(request);
    const { system, messages, tools } = toRecorded(request);
    const reply = await world.summarize({
      system,
      messages,
      ...(request.tools.length > 0 && { tools: tools ?? toRecordedTools(request) }),
      maxTokens: request.maxTokens,
      wrap: REST,
    });
    yield {
      type: 'message',
      message: {
        id: 'msg_summary',
        model: request.model,
        blocks: [{ type: 'text', text: reply.text }],
        stopReason: 'end_turn',
        usage: {
          input: reply.usage.input_tokens,
          cacheRead: 0,
          cacheWrite: 0,
          output: reply.usage.output_tokens,
        },
      },
    };
  };
}
