import type { PanelEvent } from '../protocol/messages.ts';

/** Two frames of a screen: nobody sees it sooner, and a model may send hundreds of deltas a second. */
const DELAY_MS = 32;

/** Collects events and hands them on together; what was streamed in between travels as one delta. */
export class EventBatch {
  #events: PanelEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #deliver: (events: readonly PanelEvent[]) => void;

  constructor(deliver: (events: readonly PanelEvent[]) => void) {
    this.#deliver = deliver;
  }

  add(event: PanelEvent): void {
    const last = this.#events.at(-1);
    const joined = last && joinedDelta(last, event);
    if (joined) this.#events[this.#events.length - 1] = joined;
    else this.#events.push(event);
    this.#timer ??= setTimeout(() => this.#flush(), DELAY_MS);
  }

  /** Forgets what has not been delivered. */
  clear(): void {
    this.#events = [];
  }

  dispose(): void {
    this.clear();
    clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#timer = undefined;
    const events = this.#events;
    this.clear();
    if (events.length > 0) this.#deliver(events);
  }
}

function joinedDelta(first: PanelEvent, second: PanelEvent): PanelEvent | undefined {
  if (first.type === 'text_delta' && second.type === 'text_delta')
    return { ...first, text: first.text + second.text };
  if (first.type === 'thinking_delta' && second.type === 'thinking_delta')
    return { ...first, text: first.text + second.text };
  const isSameTool =
    first.type === 'tool_output' && second.type === 'tool_output' && first.toolUseId === second.toolUseId;
  return isSameTool ? { ...first, text: first.text + second.text } : undefined;
}
