import { cite } from '../context/cite.ts';
import type { SpokenEntry } from '../context/conversation.ts';
import { estimateTokens } from '../context/estimate-tokens.ts';
import { summaryRoom } from '../context/summary-request.ts';
import { transcriptPieces } from '../context/transcript-text.ts';
import { objectionToText } from '../memory/checks.ts';
import type { Proposal } from '../memory/extract.ts';
import {
  EXTRACTION_TOKENS,
  extractionRequest,
  MOST_PROPOSALS,
  PROPOSALS_ROOM,
  readProposals,
} from '../memory/extract.ts';
import type { EntryId } from '../model/entry.ts';
import type { ModelInfo, ModelMessage, ModelRequest } from '../model/request.ts';
import type { Settings } from '../model/settings.ts';
import { contextRulesFor } from '../model/settings.ts';
import type { MemoryDraft, ProjectMemoryPort } from '../ports/project-memory.ts';
import { MEMORY_SEARCH } from '../tools/memory/memory-search.ts';
import { RECALL } from '../tools/recall/recall-text.ts';
import { memoryIn } from './memory-in.ts';
import { toldSection } from './prompt-step.ts';
import type { TurnDeps } from './turn-deps.ts';

/** Taken for a model that does not say its window. Tokens. */
const UNKNOWN_WINDOW = 32_000;
/** Nothing is in a cache here: more than this of what was said is not read at once. Tokens. */
const MOST_READ = 30_000;
/** With less room nothing is understood. Tokens. */
const LEAST_READ = 300;
/** Calls for one compaction; of a longer stretch the newest pieces are read. */
const MOST_PIECES = 3;

export type LearnerDeps = Pick<TurnDeps, 'transcript' | 'model' | 'settings' | 'world'>;

/**
 * Has what a compaction covers looked through for what later sessions should know, while the agent works on. One stretch
 * at a time, and nobody waits for it: what fails is given up without a word, as nothing is lost by it.
 */
export class Learner {
  readonly #deps: LearnerDeps;
  #running: AbortController | undefined;
  #waiting: readonly SpokenEntry[] = [];

  constructor(deps: LearnerDeps) {
    this.#deps = deps;
  }

  /** Must not throw. While one stretch is looked through, the next ones wait. */
  learn(covered: readonly SpokenEntry[]): void {
    this.#waiting = [...this.#waiting, ...covered.filter(isSaid)];
    if (this.#running === undefined) void this.#run();
  }

  stop(): void {
    this.#waiting = [];
    this.#running?.abort();
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const said = this.#waiting;
      this.#waiting = [];
      const abort = new AbortController();
      this.#running = abort;
      try {
        await this.#learnFrom(said, abort.signal);
      } catch {
        // Another compaction brings another chance; the work that goes on must not be disturbed by this one.
      }
    }
    this.#running = undefined;
  }

  async #learnFrom(said: readonly SpokenEntry[], signal: AbortSignal): Promise<void> {
    const settings = this.#deps.settings();
    const memory = memoryIn(this.#deps.world);
    if (memory === undefined || settings.memory.extract === 'off') return;
    const info = await this.#reader(settings, signal);
    const known = toldSection(this.#deps.transcript.entries, 'memory');
    const maxTokens = summaryRoom(info, PROPOSALS_ROOM);
    const room = roomFor(info, settings, maxTokens + estimateTokens(known ?? ''));
    if (room < LEAST_READ) return;
    const found: Proposal[] = [];
    for (const conversation of transcriptPieces(said, room).slice(-MOST_PIECES)) {
      const reply = await this.#ask(
        extractionRequest({ info, conversation, known, maxTokens }),
        info,
        signal,
      );
      found.push(...readProposals(textOf(reply), objectionToText));
      if (found.length >= MOST_PROPOSALS) break;
    }
    await this.#propose(memory, found.slice(0, MOST_PROPOSALS), { said, signal });
  }

  /** The model that writes the summaries. */
  async #reader({ model: id, context }: Settings, signal: AbortSignal): Promise<ModelInfo> {
    const { model } = this.#deps;
    const worker = await model.resolve(id, signal);
    const { compactionModel } = contextRulesFor(context, worker.id);
    const isOther = compactionModel !== '' && compactionModel !== worker.id;
    return isOther ? model.resolve(compactionModel, signal) : worker;
  }

  /** Tried once: what the server has no room for now is not worth the agent's own share of it. */
  async #ask(request: ModelRequest, info: ModelInfo, signal: AbortSignal): Promise<ModelMessage | undefined> {
    signal.throwIfAborted();
    for await (const event of this.#deps.model.stream(request, info, signal))
      if (event.type === 'message') return event.message;
    return undefined;
  }

  async #propose(
    memory: ProjectMemoryPort,
    found: readonly Proposal[],
    { said, signal }: { readonly said: readonly SpokenEntry[]; readonly signal: AbortSignal },
  ): Promise<void> {
    signal.throwIfAborted();
    if (found.length === 0) return;
    const { sessionId } = this.#deps.transcript;
    const sources = sourcesOf(found, said);
    const drafts = found.map((proposal, index): MemoryDraft => ({
      ...proposal,
      origin: { sessionId, entryId: sources[index] ?? said.at(-1)?.id ?? 'e1' },
    }));
    await memory.propose(drafts);
  }
}

/** What somebody said or a tool gave: no text of our own about it, and nothing that only repeats what was said before. */
function isSaid(entry: SpokenEntry): boolean {
  if (entry.kind === 'tool_result') return entry.name !== RECALL && entry.name !== MEMORY_SEARCH;
  return entry.kind === 'user' || entry.kind === 'assistant';
}

/** Of what was said in one piece. */
function roomFor(info: ModelInfo, { window: own }: Settings, taken: number): number {
  const window = Math.min(info.window ?? UNKNOWN_WINDOW, own ?? Number.POSITIVE_INFINITY);
  return Math.min(MOST_READ, Math.floor(window * 0.8 - taken - EXTRACTION_TOKENS));
}

/** The entry that each was most likely learnt from. */
function sourcesOf(
  found: readonly Proposal[],
  said: readonly SpokenEntry[],
): readonly (EntryId | undefined)[] {
  const [section] = cite([{ title: '', bullets: found.map(({ text }) => text) }], said);
  return section?.bullets.map(({ sources }) => sources[0]) ?? [];
}

function textOf(reply: ModelMessage | undefined): string {
  return (reply?.blocks ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
