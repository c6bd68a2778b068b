import type { ReadonlySignal } from '@preact/signals';
import { batch, computed, signal } from '@preact/signals';
import type { MemoryId } from '../../src/core/model/memory.ts';
import type { AnswerProposalRequest, MemoryRow } from '../../src/protocol/memory.ts';
import type { AskHost } from './host-link.ts';
import { reasonOf } from './host-link.ts';

/** What a person has made of a proposal so far. */
interface Handled {
  /** in place of what was proposed */
  readonly text?: string;
  readonly trouble?: string;
  readonly isAnswered?: boolean;
}

/** Where the focus goes when a proposal is answered: to the next one, or where there is none out of the inbox. */
interface AfterAnswer {
  readonly next: MemoryId | undefined;
}

/** What the extractor proposes, until somebody has answered it. */
export class MemoryInbox {
  readonly #ask: AskHost;
  readonly #proposals: ReadonlySignal<readonly MemoryRow[]>;
  readonly #handled = signal<ReadonlyMap<MemoryId, Handled>>(new Map());

  /** what was done last, for who listens */
  readonly said = signal('');

  /** what is to take the focus; it resets it */
  readonly focus = signal<AfterAnswer | undefined>(undefined);

  /** without those that are answered and of which the host has not yet said so */
  readonly proposals = computed((): readonly MemoryRow[] =>
    this.#proposals.value.filter(({ id }) => this.#handled.value.get(id)?.isAnswered !== true),
  );

  constructor(ask: AskHost, proposals: ReadonlySignal<readonly MemoryRow[]>) {
    this.#ask = ask;
    this.#proposals = proposals;
  }

  textOf({ id, text }: MemoryRow): string {
    return this.#handled.value.get(id)?.text ?? text;
  }

  troubleOf({ id }: MemoryRow): string | undefined {
    return this.#handled.value.get(id)?.trouble;
  }

  edit({ id }: MemoryRow, text: string): void {
    this.#handle(id, { text });
  }

  /** Never rejects: why it was refused is part of the state, and so is what was typed. */
  async answer(row: MemoryRow, answer: AnswerProposalRequest['answer']): Promise<void> {
    const { id } = row;
    const text = this.textOf(row);
    const request = { id, answer, ...(answer === 'accept' && text !== row.text && { text }) };
    try {
      await this.#ask('answerProposal', request);
    } catch (error) {
      const typed = this.#handled.peek().get(id)?.text;
      this.#handle(id, { ...(typed !== undefined && { text: typed }), trouble: reasonOf(error) });
      return;
    }
    const shown = this.proposals.peek();
    const index = shown.findIndex((other) => other.id === id);
    const next = shown[index + 1] ?? shown[index - 1];
    batch(() => {
      this.#handle(id, { isAnswered: true });
      this.said.value = answer === 'accept' ? 'Remembered.' : 'Rejected.';
      this.focus.value = { next: next?.id };
    });
  }

  #handle(id: MemoryId, handled: Handled): void {
    this.#handled.value = new Map(this.#handled.peek()).set(id, handled);
  }
}
