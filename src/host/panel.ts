import * as vscode from 'vscode';
import { HostChannel } from '../protocol/channel.ts';
import type { Pipe, RequestHandlers } from '../protocol/channel.ts';
import type { MemoryState } from '../protocol/memory.ts';
import type { HostMessage, HostPush, PanelEvent } from '../protocol/messages.ts';
import { reduce } from '../protocol/reduce.ts';
import type { PanelState } from '../protocol/view-model.ts';
import { EventBatch } from './event-batch.ts';
import { panelHtml } from './panel-html.ts';

/** All but `ready`, which is the panel's own affair. */
export type PanelHandlers = Omit<RequestHandlers, 'ready'>;

type FocusPush = Exclude<HostPush, { readonly push: 'events' | 'memory' }>;

interface Shown {
  readonly channel: HostChannel;
  readonly batch: EventBatch;
  /** its program runs and listens */
  isReady: boolean;
}

/** A webview that shows the panel, until it is disposed. */
export interface Attachment extends vscode.Disposable {
  /** To be called when the webview is hidden: the editor then throws its content away. */
  hidden(): void;
}

/**
 * The conversation as people see it, in any number of webviews. The state lives here: a webview is given the whole of
 * it when it is ready, and from then on what changes.
 */
export class Panel {
  #state: PanelState;
  readonly #shown = new Set<Shown>();
  /** where the focus is wanted, while no webview could take it: the next that is ready does */
  #wanted: FocusPush | undefined;
  readonly #extensionUri: vscode.Uri;
  readonly #handlers: PanelHandlers;

  constructor(
    state: PanelState,
    { extensionUri, handlers }: { extensionUri: vscode.Uri; handlers: PanelHandlers },
  ) {
    this.#state = state;
    this.#extensionUri = extensionUri;
    this.#handlers = handlers;
  }

  get state(): PanelState {
    return this.#state;
  }

  get isShown(): boolean {
    return [...this.#shown].some(({ isReady }) => isReady);
  }

  dispatch(event: PanelEvent): void {
    this.#state = reduce(this.#state, event);
    for (const { batch } of this.#shown) batch.add(event);
  }

  attach(webview: vscode.Webview, opened: Promise<void>): Attachment {
    const dist = vscode.Uri.joinPath(this.#extensionUri, 'dist');
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    const view = this.#connect(webview, opened);
    this.#shown.add(view);
    webview.html = panelHtml(webview, dist);
    return {
      hidden: () => void (view.isReady = false),
      dispose: () => {
        this.#shown.delete(view);
        view.batch.dispose();
        view.channel.close();
      },
    };
  }

  /** Puts the cursor into the composer, at once or as soon as there is one. */
  focusComposer(): void {
    this.#focus({ push: 'focusComposer' });
  }

  /** Opens the account behind the meter, at once or as soon as there is one. */
  showContext(): void {
    this.#focus({ push: 'showContext' });
  }

  /** Opens the Memory tab, at once or as soon as there is one. */
  showMemory(): void {
    this.#focus({ push: 'showMemory' });
  }

  /** To whoever is there: a webview that comes later asks by itself. */
  tellMemory(state: MemoryState): void {
    for (const { channel, isReady } of this.#shown) if (isReady) channel.push({ push: 'memory', state });
  }

  #focus(push: FocusPush): void {
    const ready = [...this.#shown].filter(({ isReady }) => isReady);
    this.#wanted = ready.length === 0 ? push : undefined;
    for (const { channel } of ready) channel.push(push);
  }

  #connect(webview: vscode.Webview, opened: Promise<void>): Shown {
    const ready = async (): Promise<PanelState> => {
      await opened;
      batch.clear(); // what has not been sent yet is part of the state
      view.isReady = true;
      if (this.#wanted !== undefined) this.#focus(this.#wanted);
      return this.#state;
    };
    const channel = new HostChannel(pipeOf(webview), { ...this.#handlers, ready });
    const batch = new EventBatch((events) => channel.push({ push: 'events', events }));
    const view: Shown = { channel, batch, isReady: false };
    return view;
  }
}

function pipeOf(webview: vscode.Webview): Pipe<HostMessage> {
  return {
    // Resolves to false, and may reject, when the webview is gone: then nobody misses the message.
    post: (message) => void webview.postMessage(message).then(undefined, () => undefined),
    subscribe(listener) {
      const subscription = webview.onDidReceiveMessage(listener);
      return () => void subscription.dispose();
    },
  };
}
