import type { ReadonlySignal } from '@preact/signals';
import { batch, computed, signal } from '@preact/signals';
import type { MemoryDraft, MemoryState } from '../../src/protocol/memory.ts';
import { plainLineEnds } from '../live-text.ts';
import type { AskHost } from './host-link.ts';
import { reasonOf } from './host-link.ts';
import { LiveMeasure } from './live-measure.ts';

/** How long nothing is typed before it is kept. */
const KEEP_DELAY_MS = 300;

export type Saving =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'failed'; readonly reason: string };

interface MemoryTextDeps {
  readonly ask: AskHost;
  /** hears the memory as it is after a save */
  readonly onState: (state: MemoryState) => void;
}

/** The text of MEMORY.md as a person edits it, and what it was made from. Nothing that is typed is lost. */
export class MemoryText {
  readonly #deps: MemoryTextDeps;
  readonly #measure: LiveMeasure;
  readonly #text = signal('');
  readonly #base = signal('');
  /** what MEMORY.md says */
  readonly #current = signal('');
  readonly #saving = signal<Saving>({ kind: 'idle' });
  readonly #conflicts = signal<readonly string[]>([]);
  #kept: MemoryDraft | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly isUnsaved = computed(() => !isSame(this.#text.value, this.#base.value));

  /** what MEMORY.md says by now, where that is not what the unsaved text was made from */
  readonly theirs = computed((): string | undefined => {
    if (!this.isUnsaved.value || this.#saving.value.kind === 'saving') return undefined;
    return isSame(this.#current.value, this.#base.value) ? undefined : this.#current.value;
  });

  constructor(deps: MemoryTextDeps) {
    this.#deps = deps;
    this.#measure = new LiveMeasure(deps.ask);
  }

  get text(): ReadonlySignal<string> {
    return this.#text;
  }

  get base(): ReadonlySignal<string> {
    return this.#base;
  }

  get measured(): LiveMeasure['measured'] {
    return this.#measure.measured;
  }

  get saving(): ReadonlySignal<Saving> {
    return this.#saving;
  }

  /** Sentences: what the last save found changed on both sides. */
  get conflicts(): ReadonlySignal<readonly string[]> {
    return this.#conflicts;
  }

  dismissConflicts(): void {
    this.#conflicts.value = [];
  }

  /** Takes up what was typed before the webview was made anew. */
  resume(draft: MemoryDraft): void {
    this.#kept = draft;
    this.#base.value = draft.base;
    this.#text.value = draft.text;
    this.#measure.want(draft.text);
  }

  type(text: string): void {
    this.#text.value = text;
    if (this.#saving.peek().kind !== 'saving') this.#saving.value = { kind: 'idle' };
    this.#measure.want(text);
    this.#keepSoon();
  }

  /** Another text of MEMORY.md takes the place of this one, unless there is something unsaved in it. */
  receive({ text, measure }: Pick<MemoryState, 'text' | 'measure'>): void {
    batch(() => {
      this.#current.value = text;
      if (this.isUnsaved.peek() && !isSame(text, this.#text.peek())) return;
      this.#text.value = text;
      this.#base.value = text;
      this.#measure.know(measure);
    });
    this.#keepSoon();
  }

  /** Never rejects: why it was refused is part of the state. */
  async save(): Promise<void> {
    if (!this.isUnsaved.peek() || this.#saving.peek().kind === 'saving') return;
    const [text, base] = [this.#text.peek(), this.#base.peek()];
    this.#saving.value = { kind: 'saving' };
    this.#conflicts.value = [];
    try {
      const saved = await this.#deps.ask('saveMemory', { text: withLineEndsOf(base, text), base });
      batch(() => {
        // What was typed since was made from what is saved now.
        this.#base.value = text;
        this.#conflicts.value = saved.conflicts;
        this.#saving.value = { kind: 'saved' };
        this.#deps.onState(saved.state);
      });
      this.keepDraft();
    } catch (error) {
      this.#saving.value = { kind: 'failed', reason: reasonOf(error) };
    }
  }

  /** At once: the webview may be gone in a moment. Losing a draft is the worst that can happen: no failure is worth a word. */
  keepDraft(): void {
    clearTimeout(this.#timer);
    const draft = this.isUnsaved.peek() ? { text: this.#text.peek(), base: this.#base.peek() } : undefined;
    if (draft?.text === this.#kept?.text && draft?.base === this.#kept?.base) return;
    this.#kept = draft;
    this.#deps.ask('saveMemoryDraft', draft).catch(() => undefined);
  }

  #keepSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.keepDraft(), KEEP_DELAY_MS);
  }
}

/** A field gives every line end back as `\n`. */
function isSame(one: string, other: string): boolean {
  return plainLineEnds(one) === plainLineEnds(other);
}

function withLineEndsOf(base: string, text: string): string {
  return base.includes('\r\n') ? plainLineEnds(text).replaceAll('\n', '\r\n') : text;
}
