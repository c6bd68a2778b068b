import { render } from 'preact';
import { act } from 'preact/test-utils';
import { vi } from 'vitest';
import type { MemoryState } from '../../src/protocol/memory.ts';
import type { PanelEvent } from '../../src/protocol/messages.ts';
import { initialPanelState } from '../../src/protocol/reduce.ts';
import type { PanelState } from '../../src/protocol/view-model.ts';
import { App } from '../../webview/components/app.tsx';
import type { SavedState } from '../../webview/saved-state.ts';
import { createStore, StoreContext } from '../../webview/state.ts';
import { beginning } from '../protocol/panel-builders.ts';

interface Asked {
  readonly request: string;
  readonly id: number;
  readonly body: unknown;
}

/** What the host tells of a project that remembers nothing. */
export const noMemories: MemoryState = {
  store: 'harbour',
  path: '.plimsoll/MEMORY.md',
  text: '',
  measure: { entries: 0, bytes: 0, tokens: 0 },
  memories: [],
  proposals: [],
  notices: [],
};

/** What jsdom has no layout for. */
class NoResizes implements ResizeObserver {
  observe(): void {
    return;
  }
  unobserve(): void {
    return;
  }
  disconnect(): void {
    return;
  }
}

let mounted: HTMLElement | undefined;

interface MountOptions {
  readonly saved?: SavedState;
  /** what the host kept of the draft */
  readonly draft?: string;
  /** answer of the host to these requests */
  readonly refusals?: Readonly<Record<string, string>>;
  /** what the host answers to other requests, at once or in time; a thrown error is a refusal */
  readonly answers?: Readonly<Record<string, (body: never) => unknown>>;
}

/** The whole webview program in front of an editor that records what it is asked. */
export async function mountPanel(more: Partial<PanelState> = {}, options: MountOptions = {}) {
  globalThis.ResizeObserver = NoResizes;
  const state = { ...initialPanelState(beginning), ...more };
  const asked: Asked[] = [];
  const editor = { saved: options.saved as unknown };
  const { MessageEvent } = window; // an answer may come when the test is over and the window no longer the global one
  const deliver = (data: unknown) => hear(new MessageEvent('message', { data }));
  const api = {
    postMessage(message: unknown) {
      const { request, id, body } = message as Asked;
      const refusal = options.refusals?.[request];
      const answers: Readonly<Record<string, unknown>> = {
        ready: state,
        loadDraft: options.draft === undefined ? undefined : { text: options.draft },
        loadOutput: undefined,
        saveOutput: undefined,
        memory: noMemories,
        loadMemoryDraft: undefined,
        saveMemoryDraft: undefined,
      };
      if (!(request in answers)) asked.push({ request, id, body });
      const refuse = (error: string) => deliver({ reply: id, ok: false, error });
      const give = (answer: unknown) => deliver({ reply: id, ok: true, body: answer ?? answers[request] });
      queueMicrotask(() => {
        if (refusal !== undefined) return refuse(refusal);
        try {
          const answer = options.answers?.[request]?.(body as never);
          if (answer instanceof Promise)
            return void answer.then(give, (error: Error) => refuse(error.message));
          return give(answer);
        } catch (error) {
          return refuse((error as Error).message);
        }
      });
    },
    getState: () => editor.saved,
    setState: (saved: unknown) => (editor.saved = saved),
  };
  if (mounted !== undefined) render(null, mounted); // else it would go on listening
  document.body.replaceChildren();
  const root = document.createElement('div');
  mounted = root;
  document.body.append(root);
  const { made: store, hear } = listening(() => createStore(api));
  await act(async () => {
    render(
      <StoreContext.Provider value={store}>
        <App />
      </StoreContext.Provider>,
      root,
    );
    await settled();
  });
  return {
    root,
    asked,
    editor,
    button: (name: string) => buttonNamed(root, name),
    find: (selector: string) => found(root, selector),
    push: (...events: readonly PanelEvent[]) =>
      act(async () => {
        deliver({ push: 'events', events });
        await nextFrame();
      }),
    receive: (message: unknown) =>
      act(async () => {
        deliver(message);
        await settled();
      }),
  };
}

/** A store listens for as long as its window lives: what is said to this one must not reach those of other tests. */
function listening<T>(make: () => T) {
  const listeners: EventListener[] = [];
  const added = vi
    .spyOn(window, 'addEventListener')
    .mockImplementation((_: string, listener: unknown) => void listeners.push(listener as EventListener));
  const made = make();
  added.mockRestore();
  return { made, hear: (event: Event) => listeners.forEach((listener) => listener(event)) };
}

export async function click(element: HTMLElement): Promise<void> {
  await act(async () => {
    element.click();
    await settled();
  });
}

export async function type(field: Element, text: string): Promise<void> {
  await act(async () => {
    (field as HTMLInputElement).value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await settled();
  });
}

export async function press(
  field: Element,
  key: string,
  more: KeyboardEventInit = {},
): Promise<KeyboardEvent> {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  await act(async () => {
    field.dispatchEvent(event);
    await settled();
  });
  return event;
}

export function accessibleName(element: Element): string {
  return element.getAttribute('aria-label') ?? element.textContent.trim();
}

function buttonNamed(root: Element, name: string): HTMLButtonElement | undefined {
  return [...root.querySelectorAll('button')].find((button) => accessibleName(button) === name);
}

function found(root: Element, selector: string): HTMLElement {
  const element = root.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`nothing matches ${selector}`);
  return element;
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
