import type { ServerResponse } from 'node:http';
import { readConversation } from './conversation.ts';
import type { ScenarioRequest } from './conversation.ts';
import { CacheDiagnostics } from './diagnostics.ts';
import type { Fault } from './faults.ts';
import { sendJson, sendRefusal, sendStream } from './http.ts';
import type { ModelServerOptions } from './options.ts';
import { PromptCache } from './prompt-cache.ts';
import type { CacheUse } from './prompt-cache.ts';
import type { RecordedRequest, Recording } from './recording.ts';
import { errorTypeOf } from './refusal.ts';
import { planReply, planSummary } from './reply.ts';
import type { PlannedReply } from './reply.ts';
import { summaryOf } from './rules/compaction.ts';
import type { CheckedRequest } from './rules/rule.ts';
import { chooseReply, text } from './scenario.ts';
import type { Part, Scenario } from './scenario.ts';
import { plausibleSummary } from './summaries.ts';
import type { SummaryScript } from './summaries.ts';
import type { TokenCounter } from './tokens.ts';
import { blocksOf, streamBeats, wholeMessage } from './wire-reply.ts';
import type { UsageMode, WireContext } from './wire-reply.ts';

const DELTA_CHARS = 24;

type Failing = Extract<Part, { kind: 'fail' }>;

export interface MessagesExchange {
  readonly response: ServerResponse;
  readonly recorded: RecordedRequest;
  readonly request: CheckedRequest;
  /** what goes wrong with the reply */
  readonly fault: Fault | undefined;
}

/** `POST /v1/messages`, once the request is found good. */
export class MessagesEndpoint {
  readonly #options: ModelServerOptions;
  readonly #counter: TokenCounter;
  readonly #recording: Recording;
  readonly #cache: PromptCache;
  readonly #diagnostics = new CacheDiagnostics();
  #scenario: Scenario;
  #script: SummaryScript;
  #served = 0;
  #summaries = 0;

  constructor(options: ModelServerOptions, counter: TokenCounter, recording: Recording) {
    this.#options = options;
    this.#counter = counter;
    this.#recording = recording;
    this.#scenario = options.scenario;
    this.#script = options.summaries ?? [];
    this.#cache = new PromptCache({ now: options.now ?? Date.now });
  }

  play(scenario: Scenario): void {
    this.#scenario = scenario;
    this.#served = 0;
  }

  summarize(script: SummaryScript): void {
    this.#script = script;
    this.#summaries = 0;
  }

  reset(): void {
    this.summarize(this.#options.summaries ?? []);
    this.#cache.clear();
    this.#diagnostics.clear();
    this.#served = 0;
  }

  async serve(exchange: MessagesExchange): Promise<void> {
    const { request, response, recorded } = exchange;
    let reply: PlannedReply;
    try {
      const planned = this.#plan(request);
      if (planned.kind === 'fail') return this.#fail(exchange, planned);
      reply = planned.reply;
    } catch (error) {
      // A scenario is a test's own code: whatever it throws is a failure of the test, told to both sides.
      const message = String(error);
      this.#recording.failScenario(recorded, message);
      return sendRefusal(response, { status: 500, type: 'api_error', message });
    }
    const cache = this.#read(request);
    recorded.usage = {
      input: cache.uncached,
      cacheRead: cache.read,
      cacheWrite: cache.written,
      output: reply.outputTokens,
    };
    await this.#send(exchange, reply, cache);
  }

  /** What is read of the request, and from where. */
  #read({ body, prefix, profile }: CheckedRequest): CacheUse {
    const cache = this.#cache.use(body, prefix, { minTokens: profile.minCachedPrefix, stores: true });
    const { clipsAt = Number.POSITIVE_INFINITY } = this.#options;
    if (prefix.tokens <= clipsAt) return cache;
    return { read: 0, written: 0, writtenForAnHour: 0, uncached: clipsAt };
  }

  #plan(request: CheckedRequest): { readonly kind: 'reply'; readonly reply: PlannedReply } | Failing {
    const { body, messages } = request;
    const facts = { served: this.#served, covered: summaryOf(request) };
    const conversation = readConversation(body, messages, facts);
    const isBeside = conversation.summaryAsk !== undefined || conversation.asksForMemories;
    const parts = isBeside ? this.#beside(conversation) : chooseReply(this.#scenario, conversation);
    const failing = parts.find((part) => part.kind === 'fail');
    if (failing) return failing;
    if (!isBeside) this.#served++;
    const plan = body.compaction ? planSummary : planReply;
    return { kind: 'reply', reply: plan(parts, { request, conversation, counter: this.#counter }) };
  }

  /** What is asked beside the conversation itself. */
  #beside(conversation: ScenarioRequest): readonly Part[] {
    if (!conversation.asksForMemories) return this.#summary(conversation);
    return [this.#options.memories?.(conversation) ?? text('[]')].flat();
  }

  #summary(conversation: ScenarioRequest): readonly Part[] {
    const index = this.#summaries++;
    const script = this.#script;
    const step = typeof script === 'function' ? script : script[index];
    const reply = typeof step === 'function' ? step(conversation) : step;
    return [reply ?? plausibleSummary(conversation)].flat();
  }

  #fail({ response, recorded }: MessagesExchange, { status, message }: Failing): void {
    recorded.verdict = { kind: 'faulted', fault: { kind: 'status', status, message } };
    sendRefusal(response, { status, type: errorTypeOf(status), message });
  }

  async #send(exchange: MessagesExchange, reply: PlannedReply, cache: CacheUse): Promise<void> {
    const { request, response, recorded, fault } = exchange;
    const diagnosed = { body: request.body, prefix: request.prefix, cache };
    this.#diagnostics.remember(reply.id, diagnosed);
    const context: WireContext = {
      model: request.body.model,
      cache,
      diagnostics: this.#diagnostics.explain(diagnosed),
      usage: this.#usageMode(fault),
      isCompaction: Boolean(request.body.compaction),
      deltaChars: this.#options.deltaChars ?? DELTA_CHARS,
      paceMs: this.#options.paceMs ?? 0,
    };
    if (request.body.stream) {
      const { events, hungUp } = await sendStream(response, streamBeats(reply, context), fault);
      if (hungUp) {
        recorded.verdict = { kind: 'hung_up', events };
        return;
      }
    } else {
      sendJson(response, 200, wholeMessage(reply, context));
    }
    recorded.verdict = fault
      ? { kind: 'faulted', fault }
      : { kind: 'answered', stopReason: reply.stopReason, content: blocksOf(reply) };
  }

  #usageMode(fault: Fault | undefined): UsageMode {
    if (fault?.kind === 'no_usage' || this.#options.lacks?.includes('usage')) return 'none';
    return fault?.kind === 'zero_usage' ? 'zero' : 'truthful';
  }
}
