import type { Conversation } from '../context/conversation.ts';
import type { Cut } from '../context/cut.ts';
import { orderOf } from '../model/entry-order.ts';
import { AbortedError } from '../model/errors.ts';
import type { ModelCallEvent } from '../model/event.ts';
import type { ModelInfo } from '../model/request.ts';
import type { FailedSummary, SummaryOutcome, WrittenSummary } from './summary-outcome.ts';

/** A summary that is being written, or is ready, while the agent works. */
export interface Prepared {
  readonly cut: Cut;
  readonly outcome: Promise<SummaryOutcome>;
  /** once it is there; what failed is no longer on the desk */
  readonly ready: WrittenSummary | undefined;
}

export interface Preparation {
  readonly cut: Cut;
  readonly conversation: Conversation;
  /** the model it is written for */
  readonly info: ModelInfo;
  readonly write: (signal: AbortSignal) => AsyncGenerator<ModelCallEvent, SummaryOutcome>;
}

interface Job {
  readonly cut: Cut;
  readonly model: string;
  readonly conversation: { readonly compaction: Conversation['compaction']; readonly brokenAt: number };
  readonly abort: AbortController;
  outcome: Promise<SummaryOutcome>;
  ready: WrittenSummary | undefined;
}

/** A summary that failed in the background is tried again when the load has grown by so many rounds. */
const ROUNDS_AFTER_FAILURE = 2;
/** The load has to grow by so much before the same is said again. */
const REPEAT_GROWTH = 1.25;

/** One session's background summary: at most one at a time, and only as long as what it covers stands as it was. */
export class SummaryDesk {
  #job: Job | undefined;
  #cancel: AbortController | undefined;
  #failure: { readonly outcome: FailedSummary; readonly round: number } | undefined;
  #skippedUntil = 0;
  #isMuted = false;
  #asked: { readonly focus: string | undefined } | undefined;
  readonly #told = new Set<string>();

  /** Starts one; `write` gets the signal that ends it. Nobody waits for it, and it never rejects unheard. */
  prepare({ cut, conversation, info, write }: Preparation): Promise<SummaryOutcome> {
    const abort = new AbortController();
    // Of the moment: the conversation itself grows on.
    const { compaction, brokenAt, rounds } = conversation;
    const outcome = finish(write(abort.signal));
    const job: Job = {
      cut,
      model: info.id,
      conversation: { compaction, brokenAt },
      abort,
      outcome,
      ready: undefined,
    };
    job.outcome = outcome.then((ended) => {
      if (ended.kind === 'written') job.ready = ended;
      else if (this.#job === job) {
        this.#job = undefined;
        this.#failure = { outcome: ended, round: rounds };
      }
      return ended;
    });
    this.#job = job;
    return job.outcome;
  }

  /** How the last one failed, where it is too early to try again: for so many model calls nothing would be different. */
  recentFailure(rounds: number): FailedSummary | undefined {
    const failure = this.#failure;
    if (failure === undefined || rounds < failure.round) return undefined; // a rewind has gone behind it
    return rounds - failure.round < ROUNDS_AFTER_FAILURE ? failure.outcome : undefined;
  }

  /** Whether the one on the desk is another than that. */
  isWritingAnother(outcome: Promise<SummaryOutcome>): boolean {
    return this.#job !== undefined && this.#job.outcome !== outcome;
  }

  /** What was prepared, if it still fits the conversation; what no longer does is thrown away. */
  find(conversation: Conversation, info: ModelInfo): Prepared | undefined {
    const job = this.#job;
    if (job === undefined) return undefined;
    const { compaction, brokenAt } = job.conversation;
    const through = orderOf(job.cut.through);
    const stands =
      job.model === info.id &&
      conversation.compaction === compaction &&
      conversation.brokenAt === brokenAt &&
      conversation.spoken.some(({ id }) => orderOf(id) === through);
    if (!stands) this.drop();
    return stands ? job : undefined;
  }

  /** The person asks for a compaction: it is carried out before the next request. */
  ask(focus: string | undefined): void {
    this.#asked = { focus };
  }

  get isAsked(): boolean {
    return this.#asked !== undefined;
  }

  takeAsked(): { readonly focus: string | undefined } | undefined {
    const asked = this.#asked;
    this.#asked = undefined;
    return asked;
  }

  /** True once for each matter: what need not be told twice. */
  isNews(matter: string): boolean {
    const isNew = !this.#told.has(matter);
    this.#told.add(matter);
    return isNew;
  }

  /** Whether this was said already: a compaction in vain is told once, until the load has grown. */
  wasSkipped(tokens: number): boolean {
    const was = tokens < this.#skippedUntil;
    if (!was) this.#skippedUntil = tokens * REPEAT_GROWTH;
    return was;
  }

  /** When nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#job?.outcome;
  }

  /** Ends when the person calls off the relief that is waited for. */
  cancellation(): AbortSignal {
    this.#cancel = new AbortController();
    return this.#cancel.signal;
  }

  /** The person's word: no relief now, neither the one waited for nor the one in the background. */
  cancel(): void {
    this.#cancel?.abort();
    if (this.#job !== undefined) this.#isMuted = true;
    this.drop();
  }

  /** The person called off a summary in the background: no other is begun before the next compaction. */
  get isMuted(): boolean {
    return this.#isMuted;
  }

  /** After a compaction: what was prepared for another one is of no use any more. */
  done(): void {
    this.#isMuted = false;
    this.#failure = undefined;
    this.drop();
  }

  /** Gives up what is prepared. */
  drop(): void {
    this.#job?.abort.abort();
    this.#job = undefined;
  }
}

async function finish(writing: AsyncGenerator<ModelCallEvent, SummaryOutcome>): Promise<SummaryOutcome> {
  try {
    for (let next = await writing.next(); ; next = await writing.next())
      if (next.done === true) return next.value;
  } catch (error) {
    const reason = error instanceof AbortedError ? 'cancelled' : String(error);
    return { kind: 'failed', reason };
  }
}
