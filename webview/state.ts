import type { ReadonlySignal, Signal } from '@preact/signals';
import { computed, effect, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { assertNever } from '../src/core/model/assert-never.ts';
import type { EntryId } from '../src/core/model/entry.ts';
import type { RequestBody, RequestName, Response } from '../src/protocol/channel.ts';
import { WebviewChannel } from '../src/protocol/channel.ts';
import type { HostPush } from '../src/protocol/messages.ts';
import type { OpenOutput } from '../src/protocol/output-pages.ts';
import { reduce } from '../src/protocol/reduce.ts';
import type { PanelState } from '../src/protocol/view-model.ts';
import { MemoryTab } from './memory/memory-tab.ts';
import type { PanelTab, ScrollPlace } from './saved-state.ts';
import { isOpenOutput, readSavedState } from './saved-state.ts';
import type { VsCodeApi } from './vscode-api.ts';
import { editorPipe } from './vscode-api.ts';

/** All that the components read and can do. */
export interface Store {
  /** undefined until the host has answered */
  readonly panel: ReadonlySignal<PanelState | undefined>;
  readonly draft: Signal<string>;
  /** where to come back to; undefined at the end of the conversation */
  readonly scroll: Signal<ScrollPlace | undefined>;
  /** the output that is read instead of the conversation */
  readonly output: Signal<OpenOutput | undefined>;
  /** the part of the panel that is shown */
  readonly tab: Signal<PanelTab>;
  /** the project's memory */
  readonly memory: MemoryTab;
  /** counts up each time the composer should take the focus */
  readonly focusRequests: ReadonlySignal<number>;
  /** counts up each time the account behind the meter should open and take the focus */
  readonly contextRequests: ReadonlySignal<number>;
  /** the entry to bring into sight; the conversation takes it */
  readonly jump: Signal<EntryId | undefined>;
  readonly requestComposerFocus: () => void;
  /** why the last request was refused, in the host's words */
  readonly refusal: Signal<string | undefined>;
  /** Resolves to whether the host did it; a refusal is shown, never thrown. */
  readonly ask: <Name extends RequestName>(name: Name, body: RequestBody<Name>) => Promise<boolean>;
  /**
   * The host's answer, for who shows a refusal in its own place.
   * @throws Error with the host's words when it refuses
   */
  readonly get: <Name extends RequestName>(name: Name, body: RequestBody<Name>) => Promise<Response<Name>>;
}

export const StoreContext = createContext<Store | undefined>(undefined);

/** @throws Error outside of a panel */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error('no store');
  return store;
}

export function createStore(api: VsCodeApi): Store {
  const saved = readSavedState(api);
  const panel = signal<PanelState | undefined>(undefined);
  const focusRequests = signal(0);
  const contextRequests = signal(0);
  const refusal = signal<string | undefined>(undefined);
  const draft = signal(saved.draft);
  const scroll = signal(saved.scroll);
  const output = signal(saved.output);
  const tab = signal<PanelTab>(saved.tab ?? 'chat');
  const jump = signal<EntryId | undefined>(undefined);
  const mirror = mirrorOf(panel);
  const receive = receiverOf({ mirror, tab, focusRequests, contextRequests, memory: () => memory });
  const channel: WebviewChannel = new WebviewChannel(editorPipe(api), receive);
  const memory = new MemoryTab((name, body) => channel.request(name, body));

  const report = (error: unknown) => {
    refusal.value = error instanceof Error ? error.message : String(error);
    return false;
  };
  effect(() =>
    api.setState({ draft: draft.value, scroll: scroll.value, output: output.value, tab: tab.value }),
  );
  // A pager begins where it is told to as it is drawn.
  void restoreOutput(output, channel)
    .then(() => channel.request('ready', undefined))
    .then((state) => mirror.begin(state), report);
  void restoreDraft(draft, channel);
  keep(draft, (text) => channel.request('saveDraft', { text }));
  keep(output, (open) => channel.request('saveOutput', { output: open }));
  loadMemory(panel, memory);
  goToConversation(jump, { tab, output });

  return {
    panel,
    draft,
    scroll,
    output,
    tab,
    memory,
    focusRequests,
    contextRequests,
    jump,
    requestComposerFocus: () => void focusRequests.value++,
    refusal,
    ask: (name, body) => {
      refusal.value = undefined;
      return channel.request(name, body).then(() => true, report);
    },
    get: (name, body) => channel.request(name, body),
  };
}

interface Receivers extends Pick<Store, 'tab'> {
  readonly mirror: ReturnType<typeof mirrorOf>;
  readonly focusRequests: Signal<number>;
  readonly contextRequests: Signal<number>;
  readonly memory: () => MemoryTab;
}

function receiverOf({ mirror, tab, focusRequests, contextRequests, memory }: Receivers) {
  const show = (part: PanelTab, requests: Signal<number>) => {
    tab.value = part;
    requests.value++;
  };
  return (push: HostPush): void => {
    switch (push.push) {
      case 'events':
        return mirror.receive(push);
      case 'focusComposer':
        return show('chat', focusRequests);
      case 'showContext':
        return show('chat', contextRequests);
      case 'memory':
        return memory().receive(push.state);
      case 'showMemory':
        return show('memory', memory().focusRequests);
      default:
        return assertNever(push);
    }
  };
}

const KEEP_DELAY_MS = 300;

/**
 * The editor may lose a webview's state when the window reloads soon after a change, or give back an older one, so the
 * host keeps what matters too. Losing it is the worst that can happen here: no failure is worth a word.
 */
function keep<Value>(kept: Signal<Value>, save: (value: Value) => Promise<unknown>): void {
  let saved = kept.value;
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const value = kept.value;
    clearTimeout(timer);
    if (value === saved) return;
    timer = setTimeout(() => {
      saved = value;
      save(value).catch(() => undefined);
    }, KEEP_DELAY_MS);
  });
}

async function restoreDraft(draft: Signal<string>, channel: WebviewChannel): Promise<void> {
  const before = draft.value;
  const kept = await channel.request('loadDraft', undefined).catch(() => undefined);
  if (kept !== undefined && draft.value === before) draft.value = kept.text; // else somebody types already
}

async function restoreOutput(output: Signal<OpenOutput | undefined>, channel: WebviewChannel): Promise<void> {
  const kept = await channel.request('loadOutput', undefined).catch(() => undefined);
  if (kept !== undefined) output.value = isOpenOutput(kept.output) ? kept.output : undefined;
}

/** Asks for the memory whenever what surrounds it is another: the folder, its trust, a setting, the session. */
function loadMemory(panel: ReadonlySignal<PanelState | undefined>, memory: MemoryTab): void {
  const environment = computed(() => panel.value?.environment);
  const sessionId = computed(() => panel.value?.sessionId);
  effect(() => {
    if (sessionId.value !== undefined && environment.value !== undefined) void memory.load();
  });
}

/** Who follows a source wants to see where it leads. */
function goToConversation(
  jump: ReadonlySignal<EntryId | undefined>,
  { tab, output }: Pick<Store, 'tab' | 'output'>,
): void {
  effect(() => {
    if (jump.value === undefined) return;
    tab.value = 'chat';
    output.value = undefined;
  });
}

/** Folds every event at once, and shows the outcome once per frame: deltas come faster than anybody can see. */
function mirrorOf(panel: Signal<PanelState | undefined>) {
  let current: PanelState | undefined;
  let isScheduled = false;
  const show = () => {
    isScheduled = false;
    panel.value = current;
  };
  return {
    begin(state: PanelState): void {
      current = state;
      show();
    },
    /** What comes before the whole state is part of it already. */
    receive(push: HostPush & { readonly push: 'events' }): void {
      if (current === undefined) return;
      current = push.events.reduce(reduce, current);
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(show);
    },
  };
}
