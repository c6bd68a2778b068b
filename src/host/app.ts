import path from 'node:path';
import * as vscode from 'vscode';
import type { SessionDeps } from '../core/agent/session.ts';
import type { Session } from '../core/agent/session.ts';
import type { AgentEvent } from '../core/model/event.ts';
import type { ModelPort } from '../core/ports/model.ts';
import { systemClock } from '../node/clock.ts';
import { createDiskFiles } from '../node/disk-files.ts';
import { DiskLogStore } from '../node/disk-log-store.ts';
import { SessionDirectory } from '../node/session-directory.ts';
import { createTextCodec } from '../node/text-codec.ts';
import { WorkerTokenCounter } from '../node/worker-token-counter.ts';
import { isRunning } from '../protocol/activity.ts';
import { forPanel } from '../protocol/for-panel.ts';
import type { OpenOutput } from '../protocol/output-pages.ts';
import { initialPanelState, resumedPanelState } from '../protocol/reduce.ts';
import type { PanelState } from '../protocol/view-model.ts';
import { createAnthropicModel } from '../providers/anthropic.ts';
import { onApiKeyChanged, readApiKey } from './api-key.ts';
import { ContextKeys } from './context-keys.ts';
import { DiffView } from './diff-view.ts';
import { FileGrantStore } from './grant-store.ts';
import { locationOf } from './locations.ts';
import { KeptForReload, openOutputFrom } from './kept-for-reload.ts';
import { stateOf } from './memory-handlers.ts';
import { MemoryHost } from './memory-host.ts';
import { OutputQuota } from './output-quota.ts';
import { Panel } from './panel.ts';
import { panelHandlers } from './panel-handlers.ts';
import type { PanelHost } from './panel-handlers.ts';
import { SessionHost } from './session-host.ts';
import { sessionDeps } from './session-deps.ts';
import { onSettingsChanged, readBaseUrl, readSettings } from './settings.ts';
import { tellOfSettings } from './settings-notice.ts';
import { LoadStatus } from './status-bar.ts';
import { onWorkspaceChanged, workspace } from './workspace.ts';

const NAMING_PATIENCE_MS = 10_000;

/** What comes hundreds of times a second, and changes nothing outside of the panel. */
const PASSING: ReadonlySet<AgentEvent['type']> = new Set(['text_delta', 'thinking_delta', 'tool_output']);

/**
 * The running product: one session, its panel, and what connects them. Made on first use, not on activation.
 */
export class App implements vscode.Disposable, PanelHost {
  readonly panel: Panel;
  readonly diffs: DiffView;
  readonly sessions: SessionHost;
  readonly drafts: KeptForReload<string>;
  readonly memory: MemoryHost;
  readonly openOutputs: KeptForReload<OpenOutput | undefined>;
  readonly #context: vscode.ExtensionContext;
  readonly #store: DiskLogStore;
  readonly #counter: WorkerTokenCounter;
  readonly #grants: FileGrantStore;
  readonly #quota: OutputQuota;
  readonly #status = new LoadStatus();
  readonly #keys = new ContextKeys();
  readonly #disposables: vscode.Disposable[];
  #model: Required<ModelPort>;
  #opened: Promise<void> | undefined;

  constructor(context: vscode.ExtensionContext) {
    this.#context = context;
    const storage = context.globalStorageUri.fsPath;
    const disk = createDiskFiles();
    this.#store = new DiskLogStore(path.join(storage, 'sessions'));
    this.#grants = new FileGrantStore(disk, path.join(storage, 'grants'), roots);
    const dist = path.join(context.extensionPath, 'dist');
    this.#counter = new WorkerTokenCounter({
      script: path.join(dist, 'tokenizer-worker.js'),
      ranks: path.join(dist, 'o200k_base.json'),
    });
    this.#model = this.#connect();
    this.diffs = new DiffView(createTextCodec());
    const directory = new SessionDirectory(storage);
    this.drafts = new KeptForReload({
      load: () => directory.draftOf(roots()),
      save: (text) => directory.setDraft(roots(), text),
    });
    this.openOutputs = new KeptForReload({
      load: async () => openOutputFrom(await directory.openOutputOf(roots())),
      save: (open) => directory.setOpenOutput(roots(), open === undefined ? '' : JSON.stringify(open)),
    });
    this.memory = new MemoryHost({
      ...{ storage, dist, counter: this.#counter },
      onChanged: () => void this.#tellMemory(),
    });
    const deps = this.#deps();
    this.sessions = new SessionHost({
      deps,
      store: this.#store,
      clock: systemClock,
      directory,
      workspace,
      product: String((context.extension.packageJSON as { readonly version?: unknown }).version),
      onEvent: (event) => this.#hear(event),
    });
    this.panel = new Panel(initialPanelState({ sessionId: '', environment: this.#environment(false) }), {
      extensionUri: context.extensionUri,
      handlers: panelHandlers(this),
    });
    this.#quota = new OutputQuota({
      outputs: deps.outputs,
      files: deps.world.files,
      current: () => this.sessions.current?.id,
      hasLog: (id) => this.#store.has(id),
      memory: context.workspaceState,
    });
    this.#disposables = [
      this.#quota,
      this.memory,
      this.diffs.register(),
      onSettingsChanged(() => this.#surroundingsChanged()),
      tellOfSettings(),
      onApiKeyChanged(context.secrets, () => this.#surroundingsChanged()),
      onWorkspaceChanged(() => this.#surroundingsChanged()),
      this.#status,
      this.#counter,
    ];
  }

  /** Brings the session back, once. */
  open(): Promise<void> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined; // the next look at the panel tries again
      throw error;
    });
    return this.#opened;
  }

  async newSession(): Promise<void> {
    await this.open();
    this.#show(await this.sessions.newSession());
    this.panel.focusComposer();
  }

  async send(text: string): Promise<void> {
    if (text.trim() === '') return;
    await this.open();
    await this.#grants.load();
    await this.sessions.send(text);
    void this.drafts.save('').catch(() => undefined); // at worst the sent text is offered again
  }

  async goOn(): Promise<void> {
    await this.#grants.load();
    await this.sessions.goOn();
  }

  /** Stops what runs, be it a turn or a relief between turns. */
  async stop(): Promise<void> {
    await this.sessions.stop();
  }

  /** @throws when there is nothing to be made smaller */
  async compact(focus?: string): Promise<void> {
    await this.open();
    await this.sessions.compact(focus);
  }

  /** For a command: its refusal is said where commands speak. */
  async compactVisibly(focus?: string): Promise<void> {
    try {
      await this.compact(focus);
    } catch (error) {
      void vscode.window.showInformationMessage(`Plimsoll: ${toError(error).message}`);
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  /** Stops what runs and waits until everything said is on the disk. */
  async shutDown(): Promise<void> {
    this.dispose();
    await this.sessions.close();
    await this.memory.close();
    await this.#store.dispose();
  }

  async #open(): Promise<void> {
    const { session, notice } = await this.sessions.open();
    this.#show(session);
    await this.#lookAround();
    if (notice !== undefined) void vscode.window.showWarningMessage(`Plimsoll: ${notice}`);
  }

  #show(session: Session): void {
    const { environment, model } = this.panel.state;
    const beginning = { sessionId: session.id, environment, ...(model === undefined ? {} : { model }) };
    const state: PanelState = resumedPanelState(beginning, session.entries);
    const ledger = session.lastLedger();
    // The folded total is the newest; the session knows the parts of the last request that was answered.
    const hasParts = ledger !== undefined && ledger.total === state.ledger?.total;
    this.panel.dispatch({ type: 'session_opened', state: hasParts ? { ...state, ledger } : state });
    this.#showAround();
  }

  #hear(event: AgentEvent): void {
    this.panel.dispatch(forPanel(event));
    this.#quota.hear(event);
    if (!PASSING.has(event.type)) this.#showAround();
  }

  /** What is told outside of the panel is read off the panel's own state: two accounts would differ one day. */
  #showAround(): void {
    const { ledger, activity, afterRelief } = this.panel.state;
    this.#status.show(ledger);
    this.#keys.set('plimsoll.running', isRunning(activity));
    this.#keys.set('plimsoll.compacting', afterRelief !== undefined);
  }

  /** Never rejects: a panel that is told nothing asks. */
  async #tellMemory(): Promise<void> {
    try {
      const open = this.panel.isShown ? await this.memory.current() : undefined;
      if (open !== undefined) this.panel.tellMemory(await stateOf(open, this.sessions.current?.id ?? ''));
    } catch {
      // What is wrong with it is told where it is asked for.
    }
  }

  #deps(): SessionDeps {
    // The model may be replaced while the session lives: a new address, a new key.
    const model: Required<ModelPort> = {
      provider: this.#model.provider,
      resolve: (id, signal) => this.#model.resolve(id, signal),
      stream: (request, info, signal) => this.#model.stream(request, info, signal),
      summarize: (ask, info, signal) => this.#model.summarize(ask, info, signal),
      countTokens: (request, info, signal) => this.#model.countTokens(request, info, signal),
    };
    const storage = locationOf(this.#context.globalStorageUri);
    return sessionDeps({
      ...{ model, grants: this.#grants, counter: this.#counter, memory: this.memory },
      storage,
    });
  }

  #connect(): Required<ModelPort> {
    return createAnthropicModel({ apiKey: () => readApiKey(this.#context.secrets), baseUrl: readBaseUrl() });
  }

  #surroundingsChanged(): void {
    this.#model = this.#connect();
    void this.#lookAround();
  }

  /** Tells the panel what surrounds it, and in its own time which model would answer. Never rejects. */
  async #lookAround(): Promise<void> {
    const hasKey = await this.#hasKey();
    this.#dispatchEnvironment(hasKey);
    if (hasKey) void this.#nameModel();
  }

  async #nameModel(): Promise<void> {
    try {
      const { displayName } = await this.#model.resolve(
        readSettings().model,
        AbortSignal.timeout(NAMING_PATIENCE_MS),
      );
      this.panel.dispatch({ type: 'model_resolved', model: displayName });
    } catch {
      // The next request says what is wrong, where something can be done about it.
    }
  }

  #dispatchEnvironment(hasKey: boolean): void {
    this.panel.dispatch({ type: 'environment_changed', environment: this.#environment(hasKey) });
  }

  #environment(hasKey: boolean) {
    return { hasKey, isTrusted: workspace.isTrusted(), hasFolder: workspace.roots().length > 0 };
  }

  /** A server of one's own may need none. Never rejects: a secret storage that fails has no key. */
  async #hasKey(): Promise<boolean> {
    if (readBaseUrl() !== undefined) return true;
    return (await readApiKey(this.#context.secrets).catch(() => undefined)) !== undefined;
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function roots(): readonly string[] {
  return workspace.roots().map(({ location }) => location);
}
