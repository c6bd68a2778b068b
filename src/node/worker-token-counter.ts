import { Worker } from 'node:worker_threads';
import type { TokenCounter } from '../core/ports/token-counter.ts';
import { inGroups, sampleText } from './text-sample.ts';

/** Characters in one message: bounds the copy, and the time until the worker answers. */
const MESSAGE_CHARS = 512 * 1024;

/** After so many failures in a row the worker is given up. */
const MAX_FAILURES = 3;

/** Loading the ranks takes seconds, a message at most two; whoever is slower hangs. */
const DEADLINE_MS = 60_000;

export interface WorkerTokenCounterOptions {
  /** path of the built worker program */
  readonly script: string;
  /** path of the tokenizer's ranks, as JSON */
  readonly ranks: string;
  readonly deadlineMs?: number;
}

/**
 * Counts in a worker thread that starts at the first use and never keeps the process alive. Requests are answered in
 * order. A worker that fails makes the running request resolve to undefined; the next one starts a new worker, unless
 * it has failed three times in a row.
 */
export class WorkerTokenCounter implements TokenCounter {
  readonly #options: WorkerTokenCounterOptions;
  #worker: Worker | undefined;
  #failures = 0;
  #isDisposed = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerTokenCounterOptions) {
    this.#options = options;
  }

  count(texts: readonly string[]): Promise<readonly number[] | undefined> {
    const counts = this.#last.then(() => this.#countAll(texts));
    this.#last = counts;
    return counts;
  }

  /** Ends the worker; what is still asked resolves to undefined. */
  dispose(): void {
    this.#isDisposed = true;
    this.#discard(this.#worker);
  }

  async #countAll(texts: readonly string[]): Promise<readonly number[] | undefined> {
    const samples = texts.map(sampleText);
    const counts: number[] = [];
    for (const group of inGroups(
      samples.flatMap(({ parts }) => parts),
      MESSAGE_CHARS,
    )) {
      const answer = await this.#ask(group);
      if (answer === undefined) return undefined;
      counts.push(...answer);
    }
    let next = 0;
    return samples.map(({ parts, scale }) => {
      const own = counts.slice(next, next + parts.length);
      next += parts.length;
      return Math.round(own.reduce((sum, count) => sum + count, 0) * scale);
    });
  }

  /** One message and its answer; there is never more than one under way. */
  #ask(texts: readonly string[]): Promise<readonly number[] | undefined> {
    const worker = this.#started();
    if (worker === undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const settle = (counts: readonly number[] | undefined): void => {
        clearTimeout(timer);
        worker.off('message', onAnswer).off('exit', onExit);
        if (counts === undefined) this.#failures++;
        else this.#failures = 0;
        resolve(counts);
      };
      const onAnswer = (counts: readonly number[]): void => settle(counts);
      const onExit = (): void => settle(undefined);
      const timer = setTimeout(() => this.#discard(worker), this.#options.deadlineMs ?? DEADLINE_MS);
      timer.unref();
      worker.on('message', onAnswer).on('exit', onExit);
      // Again, because listening for messages takes a reference.
      worker.unref();
      worker.postMessage(texts);
    });
  }

  #started(): Worker | undefined {
    if (this.#isDisposed || this.#failures >= MAX_FAILURES) return undefined;
    this.#worker ??= this.#start();
    return this.#worker;
  }

  #start(): Worker | undefined {
    const { script, ranks } = this.#options;
    try {
      // The environment may hold a key, and the worker needs none of it.
      const worker = new Worker(script, { workerData: { ranks }, env: {}, execArgv: [] });
      worker.on('error', () => this.#discard(worker));
      worker.on('exit', () => this.#discard(worker));
      return worker;
    } catch {
      this.#failures++;
      return undefined;
    }
  }

  #discard(worker: Worker | undefined): void {
    if (worker === undefined) return;
    if (this.#worker === worker) this.#worker = undefined;
    void worker.terminate();
  }
}
