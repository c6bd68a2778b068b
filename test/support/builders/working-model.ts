import type { AssistantBlock } from '../../../src/core/model/content.ts';
import { ModelError } from '../../../src/core/model/errors.ts';
import type { ModelEvent, ModelInfo, ModelMessage, ModelRequest } from '../../../src/core/model/request.ts';
import type { ModelPort } from '../../../src/core/ports/model.ts';
import { MODEL, PROVIDER, text } from './entries.ts';
import { isExtractionCall, isSummaryCall, piecesOf, tokensIn } from './request-text.ts';
import { objectionTo } from './strict-request.ts';
import { summaryText } from './summary.ts';

type Answer = Partial<ModelMessage> | Error;
type Answering = (request: ModelRequest, signal: AbortSignal) => Answer | Promise<Answer>;

export interface WorkingModelOptions {
  readonly info?: Partial<ModelInfo>;
  /** other models that it offers, by id */
  readonly others?: Readonly<Record<string, Partial<ModelInfo>>>;
  /** what it does for every request that asks for no summary */
  readonly work: (request: ModelRequest, call: number) => Answer | Promise<Answer>;
  /** what it writes when it is asked for a summary: a good one, unless a test says otherwise */
  readonly summary?: Answering;
  /** what it answers when it is asked what is worth remembering: nothing, unless a test says otherwise */
  readonly memories?: Answering;
  /** tokens that it takes, whatever it says of itself: over them it answers "too long" */
  readonly limit?: number;
  /** false: it reports no usage */
  readonly bills?: boolean;
}

export interface WorkingModel extends ModelPort {
  /** those that were answered or refused, in order */
  readonly requests: ModelRequest[];
  readonly work: ModelRequest[];
  readonly summaries: ModelRequest[];
  readonly extractions: ModelRequest[];
}

const WINDOW = 100_000;

/**
 * A model that works and summarises, as strict as a server: it refuses what is not valid and what is too long, and
 * bills what it reads. Its thinking is signed over everything before it.
 */
export function workingModel(options: WorkingModelOptions): WorkingModel {
  const requests: ModelRequest[] = [];
  const work: ModelRequest[] = [];
  const summaries: ModelRequest[] = [];
  const extractions: ModelRequest[] = [];
  const bindings = new Bindings();
  const infoOf = (id: string): ModelInfo => ({
    id: id === '' ? MODEL : id,
    displayName: 'Working',
    provider: PROVIDER,
    thinking: 'none',
    window: WINDOW,
    ...(id === '' || id === MODEL ? options.info : options.others?.[id]),
  });
  return {
    provider: PROVIDER,
    requests,
    work,
    summaries,
    extractions,
    resolve: (id) => Promise.resolve(infoOf(id)),
    async *stream(request, info, signal): AsyncGenerator<ModelEvent> {
      const call = requests.push(request);
      const isSummary = isSummaryCall(request);
      const isExtraction = isExtractionCall(request);
      (isSummary ? summaries : isExtraction ? extractions : work).push(request);
      const tokens = tokensIn(request);
      refuse(request, info, options.limit);
      if (info.traits?.bindsThinking === true) bindings.check(request);
      const beside = isSummary ? (options.summary ?? goodSummary) : (options.memories ?? nothingToNote);
      const answer = await (isSummary || isExtraction
        ? beside(request, signal)
        : options.work(request, work.length));
      if (answer instanceof Error) throw answer;
      const message: ModelMessage = {
        id: `msg_${call}`,
        model: info.id,
        blocks: [],
        stopReason: 'end_turn',
        ...(options.bills !== false && { usage: { input: tokens, cacheRead: 0, cacheWrite: 0, output: 20 } }),
        ...answer,
      };
      if (!isSummary && !isExtraction) bindings.remember(request, message.blocks);
      for (const block of message.blocks) {
        if (block.type === 'text') yield { type: 'text_delta', text: block.text };
        yield { type: 'block_finished', block };
      }
      yield { type: 'message', message };
    },
  };
}

const goodSummary = (): Answer => ({ blocks: [text(summaryText({ Progress: 'the work goes on' }))] });

const nothingToNote = (): Answer => ({ blocks: [text('[]')] });

/** @throws as a server does, by its own rules */
function refuse(request: ModelRequest, info: ModelInfo, limit: number | undefined): void {
  const objection = objectionTo(request, info);
  if (objection !== undefined) throw new ModelError('invalid_request', objection, { status: 400 });
  const most = limit ?? (info.window ?? Number.POSITIVE_INFINITY) - request.maxTokens;
  const tokens = tokensIn(request);
  if (tokens > most)
    throw new ModelError('too_long', `prompt is too long: ${tokens} tokens > ${most} maximum`, {
      status: 400,
      learntLimit: most,
    });
}

/** What thinking was signed over: system, tools and all that had been said, without any thinking. */
class Bindings {
  readonly #made = new Map<string, readonly string[]>();

  remember(request: ModelRequest, blocks: readonly AssistantBlock[]): void {
    const said = [...piecesOf(withoutThinking(request))];
    for (const block of blocks) {
      if (block.type === 'thinking') this.#made.set(block.signature, [...said]);
      else said.push(JSON.stringify(['assistant', false, block]));
    }
  }

  /** @throws where a block stands behind anything else than what it was made behind */
  check(request: ModelRequest): void {
    request.messages.forEach((message, index) => {
      if (message.role !== 'assistant') return;
      message.content.forEach((block, at) => {
        if (block.type !== 'thinking') return;
        const before = [
          ...request.messages.slice(0, index),
          { ...message, content: message.content.slice(0, at) },
        ];
        const now = piecesOf(withoutThinking({ ...request, messages: before }));
        const made = this.#made.get(block.signature);
        const isBound = made !== undefined && (isSame(made, now) || isBehindSummary(request, made, now));
        if (!isBound)
          throw new ModelError('thinking_binding', 'bound to a different conversation', { status: 400 });
      });
    });
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((piece, index) => piece === b[index]);
}

/** A signed summary stands for what it covers: the frame and what follows it are as they were. */
function isBehindSummary(request: ModelRequest, made: readonly string[], now: readonly string[]): boolean {
  if (request.signedSummary === undefined) return false;
  const frame = 1 + request.system.length;
  const kept = now.slice(frame + 1);
  return (
    isSame(made.slice(0, frame), now.slice(0, frame)) && isSame(made.slice(made.length - kept.length), kept)
  );
}

function withoutThinking(request: ModelRequest): ModelRequest {
  const messages = request.messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, content: message.content.filter(({ type }) => type !== 'thinking') }
      : message,
  );
  return { ...request, messages };
}
