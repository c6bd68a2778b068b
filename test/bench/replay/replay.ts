import type { RecordedMessage } from '../recorded.ts';
import type { RecordedUsage, ReplayWorld } from '../replay-engine.ts';
import type { Contender, ReplayEngine, View } from './engines.ts';
import type { Layout } from './ruler.ts';
import { commonPrefix, layoutOf, measuredBlock, namesIn, objectionTo, textOf, tokensOf } from './ruler.ts';
import type { ReplaySession } from './session.ts';
import { Stopwatch } from './stopwatch.ts';
import type { Summarise } from './summaries.ts';

export interface ReplayOptions {
  readonly contender: Contender;
  /** tokens */
  readonly window: number;
  readonly summarise: Summarise;
}

/** What a session came to under an engine. */
export interface Outcome {
  readonly rounds: number;
  /** rounds with a request that fits and is valid */
  readonly accepted: number;
  /** input tokens of all that was answered, summaries included */
  readonly input: number;
  readonly cached: number;
  /** output tokens of summaries */
  readonly written: number;
  /** requests refused for their size, whoever sent them */
  readonly refused: number;
  /** objections other than size, with how often each */
  readonly objections: ReadonlyMap<string, number>;
  /** share of the names of each next step that were still in view, by round */
  readonly support: readonly number[];
  /** milliseconds of the processor, by round */
  readonly cpu: readonly number[];
  /** text of the last request, empty where it was not accepted */
  readonly lastText: string;
  readonly engine: ReplayEngine;
}

const MOST_RECOVERIES = 2;

export async function replay(session: ReplaySession, options: ReplayOptions): Promise<Outcome> {
  const whole = new Replay(session, options);
  await whole.go();
  return whole.outcome();
}

/** Sends what the engine would send at each round of a recorded session. The recorded future does not depend on it. */
export class Replay {
  readonly #session: ReplaySession;
  #next = 0;
  readonly #window: number;
  readonly #watch = new Stopwatch();
  readonly #engine: ReplayEngine;
  readonly #needs: readonly (readonly string[])[];
  readonly #cpu: number[] = [];
  readonly #support: number[] = [];
  readonly #objections = new Map<string, number>();
  readonly #sums = { rounds: 0, accepted: 0, input: 0, cached: 0, written: 0, refused: 0 };
  #last: Layout | undefined;
  /** summaries of this round: a later one may begin as an earlier one does */
  #summaries: Layout[] = [];
  #lastAccepted: Layout | undefined;

  constructor(session: ReplaySession, { contender, window, summarise }: ReplayOptions) {
    this.#session = session;
    this.#window = window;
    this.#needs = needsOf(session);
    const world: ReplayWorld = {
      window,
      countTokens: tokensOf,
      untimed: (work) => this.#watch.pause(work),
      summarize: (request) => this.#watch.pause(() => this.#summary(request as never, summarise)),
    };
    this.#engine = contender.create(world);
  }

  /** So many rounds more, or to the end of the session. */
  async go(rounds = Number.POSITIVE_INFINITY): Promise<void> {
    for (let done = 0; done < rounds && this.#next < this.#session.messages.length; this.#next += 1) {
      const message = this.#session.messages[this.#next];
      if (message?.role !== 'assistant') continue;
      await this.#round(this.#next, message);
      done += 1;
    }
  }

  async #round(index: number, assistant: RecordedMessage): Promise<void> {
    this.#sums.rounds += 1;
    this.#summaries = [];
    const { view, layout } = await this.#request(index);
    const objection = view.refused ?? (layout.total > this.#window ? 'too long' : objectionTo(view.messages));
    if (objection === undefined) this.#accept(layout);
    else this.#objections.set(objection, (this.#objections.get(objection) ?? 0) + 1);
    const isAccepted = objection === undefined;
    this.#support.push(...supportOf(this.#needs[index] ?? [], isAccepted ? layout : undefined));
    this.#lastAccepted = isAccepted ? layout : undefined;
    const output = assistant.content.reduce((sum, block) => sum + tokensOf(textOf(block)), 0);
    this.#engine.observe?.({ usage: { input_tokens: layout.total, output_tokens: output }, assistant });
  }

  async #request(index: number): Promise<{ readonly view: View; readonly layout: Layout }> {
    const { messages, system, tools } = this.#session;
    const history = messages.slice(0, index);
    this.#watch.start();
    let view = await this.#engine.view(history, system, tools);
    let ms = this.#watch.stop();
    let layout = layoutOf({ ...view, tools });
    for (let count = 0; layout.total > this.#window && count < MOST_RECOVERIES; count += 1) {
      this.#sums.refused += 1;
      if (this.#engine.recover === undefined) break;
      this.#watch.start();
      view = await this.#engine.recover({ tokens: layout.total, window: this.#window });
      ms += this.#watch.stop();
      layout = layoutOf({ ...view, tools });
    }
    this.#cpu.push(ms);
    return { view, layout };
  }

  #accept(layout: Layout): void {
    this.#sums.accepted += 1;
    this.#sums.input += layout.total;
    this.#sums.cached += commonPrefix(this.#last, layout);
    this.#last = layout;
  }

  #summary(
    request: Parameters<ReplayWorld['summarize']>[0] & View,
    summarise: Summarise,
  ): Promise<{ readonly text: string; readonly usage: RecordedUsage }> {
    const layout = layoutOf(request);
    if (layout.total > this.#window) {
      this.#sums.refused += 1;
      return Promise.reject(
        new Error(`prompt is too long: ${layout.total} tokens > ${this.#window} maximum`),
      );
    }
    const text = summarise(request.messages);
    const written = tokensOf(text);
    this.#sums.input += layout.total;
    this.#sums.cached += Math.max(
      ...[this.#last, ...this.#summaries].map((before) => commonPrefix(before, layout)),
    );
    this.#sums.written += written;
    this.#summaries.push(layout);
    return Promise.resolve({ text, usage: { input_tokens: layout.total, output_tokens: written } });
  }

  outcome(): Outcome {
    return {
      ...this.#sums,
      objections: this.#objections,
      support: this.#support,
      cpu: this.#cpu,
      lastText: this.#lastAccepted?.row.map(({ text }) => text).join('\n') ?? '',
      engine: this.#engine,
    };
  }
}

/** For each message of the assistant: the names in it that it can only know from what came before. */
function needsOf({ system, tools, messages }: ReplaySession): readonly (readonly string[])[] {
  const told = namesIn(`${system} ${JSON.stringify(tools)}`);
  const seen = new Set<string>();
  return messages.map(({ role, content }) => {
    const names = content.map((block) => measuredBlock(role, block).names);
    const own = role === 'assistant' ? [...new Set(names.flatMap((set) => [...set]))] : [];
    const needs = own.filter((name) => seen.has(name) && !told.has(name));
    for (const set of names) for (const name of set) seen.add(name);
    return needs;
  });
}

function supportOf(needs: readonly string[], layout: Layout | undefined): readonly number[] {
  if (needs.length === 0) return [];
  const held = needs.filter((name) => layout?.row.some(({ names }) => names.has(name)));
  return [held.length / needs.length];
}

/** Price per accepted round in units of one plain input token. */
export function priceOf({ input, cached, written, accepted }: Outcome): number {
  return (1.25 * (input - cached) + 0.1 * cached + 5 * written) / Math.max(1, accepted);
}
