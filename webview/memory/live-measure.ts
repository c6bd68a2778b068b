import type { ReadonlySignal } from '@preact/signals';
import { signal } from '@preact/signals';
import type { MemoryMeasure } from '../../src/protocol/memory.ts';
import type { AskHost } from './host-link.ts';
import { reasonOf } from './host-link.ts';

/** How long nothing is typed before it is measured. */
const TYPING_PAUSE_MS = 150;

/** What a text takes. While another one is measured the last measure stands. */
export interface Measured {
  readonly measure?: MemoryMeasure;
  /** why the newest text could not be measured */
  readonly trouble?: string;
}

/** Measures what is typed: one text at a time, and the newest one last. */
export class LiveMeasure {
  readonly #ask: AskHost;
  readonly #measured = signal<Measured>({});
  /** undefined: what stands is right */
  #wanted: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;

  constructor(ask: AskHost) {
    this.#ask = ask;
  }

  get measured(): ReadonlySignal<Measured> {
    return this.#measured;
  }

  /** Somebody knows it already. */
  know(measure: MemoryMeasure): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = undefined;
    this.#measured.value = { measure };
  }

  want(text: string): void {
    clearTimeout(this.#timer);
    this.#wanted = text;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#measure();
    }, TYPING_PAUSE_MS);
  }

  /** Never rejects. */
  async #measure(): Promise<void> {
    const text = this.#wanted;
    // What is asked already asks again when its answer is not the one that is wanted.
    if (this.#isAsking || text === undefined) return;
    this.#isAsking = true;
    const measured = await this.#answer(text);
    this.#isAsking = false;
    if (this.#wanted === text) {
      this.#wanted = undefined;
      this.#measured.value = measured;
    } else if (this.#timer === undefined) void this.#measure();
  }

  async #answer(text: string): Promise<Measured> {
    try {
      return { measure: await this.#ask('measureMemory', { text }) };
    } catch (error) {
      const { measure } = this.#measured.peek();
      return { ...(measure && { measure }), trouble: reasonOf(error) };
    }
  }
}
