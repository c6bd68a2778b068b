import type { ReadonlySignal } from '@preact/signals';
import { batch, computed, signal } from '@preact/signals';
import type { MemoryState } from '../../src/protocol/memory.ts';
import type { AskHost } from './host-link.ts';
import { reasonOf } from './host-link.ts';
import { MemoryInbox } from './memory-inbox.ts';
import { MemoryList } from './memory-list.ts';
import { MemoryText } from './memory-text.ts';

/** What the Memory tab knows and can do. */
export class MemoryTab {
  readonly #ask: AskHost;
  readonly #state = signal<MemoryState | undefined>(undefined);
  readonly #trouble = signal<string | undefined>(undefined);
  #loads = 0;
  #hasBegun = false;

  /** counts up each time the text should take the focus */
  readonly focusRequests = signal(0);

  /** why the last request that is not about the text, a memory or a proposal was refused */
  readonly refusal = signal<string | undefined>(undefined);
  readonly text: MemoryText;
  readonly list: MemoryList;
  readonly inbox: MemoryInbox;

  constructor(ask: AskHost) {
    this.#ask = ask;
    this.text = new MemoryText({ ask, onState: (state) => this.receive(state) });
    this.list = new MemoryList(
      ask,
      computed(() => this.#state.value?.memories ?? []),
    );
    this.inbox = new MemoryInbox(
      ask,
      computed(() => this.#state.value?.proposals ?? []),
    );
  }

  /** undefined until the host has answered, and where there is no memory */
  get state(): ReadonlySignal<MemoryState | undefined> {
    return this.#state;
  }

  /** why there is none */
  get trouble(): ReadonlySignal<string | undefined> {
    return this.#trouble;
  }

  /** Asks for it anew: there may be another memory, or one at last. Never rejects. */
  async load(): Promise<void> {
    const load = ++this.#loads;
    try {
      const draft = this.#hasBegun ? undefined : await this.#draft();
      const state = await this.#ask('memory', undefined);
      if (load !== this.#loads) return;
      batch(() => {
        if (!this.#hasBegun && draft !== undefined) this.text.resume(draft);
        this.#hasBegun = true;
        this.receive(state);
      });
    } catch (error) {
      if (load !== this.#loads) return;
      this.#state.value = undefined;
      this.#trouble.value = reasonOf(error);
    }
  }

  /** What comes before the first answer is part of it already. */
  receive(state: MemoryState): void {
    if (!this.#hasBegun) return;
    batch(() => {
      this.#trouble.value = undefined;
      this.#state.value = state;
      this.text.receive(state);
    });
  }

  /** Opens MEMORY.md in an editor tab. */
  async open(): Promise<void> {
    this.refusal.value = undefined;
    await this.#ask('openMemory', undefined).catch(
      (error: unknown) => (this.refusal.value = reasonOf(error)),
    );
  }

  #draft() {
    return this.#ask('loadMemoryDraft', undefined).catch(() => undefined); // then what is saved is shown
  }
}
