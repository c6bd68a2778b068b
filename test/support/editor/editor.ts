import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { bridgeExtension, callHost, hasBridge } from './bridge.ts';
import type { HostFunction } from './bridge.ts';
import { openBrowser } from './browser.ts';
import type { Viewport } from './browser.ts';
import { installEditor } from './install.ts';
import { panelOf, tabOf } from './panel.ts';
import { waitForExit, waitForOneToEnd } from './processes.ts';
import { startServer } from './server.ts';
import type { EditorServer, ServerOptions } from './server.ts';
import { QUIET, RESTRICTED, THEMES, writeSettings } from './settings.ts';
import type { Settings, Theme } from './settings.ts';
import { runCommand, waitForTheme, waitForWorkbench } from './workbench.ts';

export interface LaunchOptions {
  /** the folder to open */
  readonly folder: string;
  /** what to test: a package, which is installed … */
  readonly vsix?: string;
  /** … or a built extension's folder, which looks as if it were */
  readonly extensionFolder?: string;
  /** folders of other extensions to install beside it */
  readonly besides?: readonly string[];
  readonly settings?: Settings;
  /** added to the extension host's environment; undefined takes a variable away */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly theme?: Theme;
  readonly viewport?: Viewport;
  /** a profile to go on with; by default a new one that is removed at the end */
  readonly dataDir?: string;
  /** to go on with a profile its port is needed too: the workbench keeps its state by address */
  readonly port?: number;
  /** false: the folder opens in restricted mode */
  readonly trust?: boolean;
}

/** A real VS Code with a window, driven through its own user interface. */
export interface Editor {
  /** the first window */
  readonly page: Page;
  readonly context: BrowserContext;
  readonly port: number;
  readonly dataDir: string;
  /** inside of Plimsoll's view */
  panel(page?: Page): FrameLocator;
  /** inside of Plimsoll's editor tab */
  tab(page?: Page): FrameLocator;
  /** Runs a function inside the newest extension host; see {@link HostFunction} for what it may use. */
  api<Args extends readonly unknown[], Result>(
    fn: HostFunction<Args, Result>,
    ...args: Args
  ): Promise<Result>;
  /** Runs a command through the command palette; `title` as the palette shows it. */
  runCommand(title: string, page?: Page): Promise<void>;
  /** process ids of the extension hosts, oldest first: one for each window */
  hosts(): readonly number[];
  /**
   * Kills the newest extension host, or `pid`, without warning; resolves to its id. The editor starts another within
   * about 3 s, but not after the third time in five minutes: that needs {@link Editor.reload}.
   */
  killHost(pid?: number): Promise<number>;
  reload(page?: Page): Promise<void>;
  /** Opens the same folder in another window. */
  openWindow(): Promise<Page>;
  /** Resolves when the first window wears it. */
  setTheme(theme: Theme): Promise<void>;
  /** Merges into the settings in force. */
  setSettings(settings: Settings): void;
  /** what the server, the extension hosts and the extensions' output channels have logged */
  log(): string;
  close(): Promise<void>;
}

const DEFAULT_VIEWPORT: Viewport = { width: 1280, height: 800 };
const BRIDGE_TIMEOUT_MS = 60_000;

/** Installs the editor where it is missing, starts it and waits until its window is usable: 10 to 15 s. */
export async function launch(options: LaunchOptions): Promise<Editor> {
  await installEditor(console.log);
  const closers: Closer[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return { ...(await open(options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Undoes one step of the launch; run in reverse order. */
type Closer = () => void | Promise<void>;

async function open(options: LaunchOptions, closers: Closer[]): Promise<Omit<Editor, 'close'>> {
  const bridge = temporaryFolder('bridge', closers);
  const dataDir = options.dataDir ?? temporaryFolder('profile', closers);
  const settings = settingsStore(dataDir, options);
  const server = await startServer(serverOptions(options, { dataDir, bridge }));
  closers.push(() => server.close());
  const context = await openBrowser(dataDir, options.viewport ?? DEFAULT_VIEWPORT);
  closers.push(() => context.close());
  const url = `http://127.0.0.1:${server.port}/?folder=${encodeURIComponent(path.resolve(options.folder))}`;
  const openWindow = async (page?: Page) => {
    const target = page ?? (await context.newPage());
    await target.goto(url, { waitUntil: 'commit' });
    await waitForWorkbench(target);
    return target;
  };
  const page = await openWindow(context.pages()[0]);
  return {
    page,
    context,
    port: server.port,
    dataDir,
    panel: (where = page) => panelOf(where),
    tab: (where = page) => tabOf(where),
    ...hostControl(server, bridge),
    runCommand: (title, where = page) => runCommand(where, title),
    async reload(where = page) {
      const before = server.hosts();
      await where.reload({ waitUntil: 'commit' });
      await waitForWorkbench(where);
      await waitForOneToEnd(before);
    },
    openWindow: () => openWindow(),
    setSettings: settings.merge,
    async setTheme(theme) {
      settings.merge({ 'workbench.colorTheme': THEMES[theme].name });
      await waitForTheme(page, theme);
    },
    log: () => [server.output(), ...extensionLogs(dataDir)].join('\n'),
  };
}

function serverOptions(
  { port, trust = true, env, extensionFolder, besides = [], vsix }: LaunchOptions,
  { dataDir, bridge }: { readonly dataDir: string; readonly bridge: string },
): ServerOptions {
  return {
    dataDir,
    ...(port !== undefined && { port }),
    trust,
    env: { ...env, PLIMSOLL_TEST_BRIDGE: bridge },
    extensionFolders: [
      bridgeExtension,
      ...besides,
      ...(extensionFolder === undefined ? [] : [extensionFolder]),
    ],
    vsix: vsix === undefined ? [] : [vsix],
  };
}

function hostControl(server: EditorServer, bridge: string): Pick<Editor, 'api' | 'hosts' | 'killHost'> {
  const newestHost = async (): Promise<number> => {
    const deadline = Date.now() + BRIDGE_TIMEOUT_MS;
    while (Date.now() < deadline) {
      const pid = server.hosts().findLast((host) => hasBridge(bridge, host));
      if (pid !== undefined) return pid;
      await sleep(50);
    }
    throw new Error(`no extension host came up:\n${server.output()}`);
  };
  return {
    hosts: () => server.hosts(),
    async api<Args extends readonly unknown[], Result>(fn: HostFunction<Args, Result>, ...args: Args) {
      return (await callHost(bridge, await newestHost(), { fn: String(fn), args })) as Result;
    },
    async killHost(pid) {
      const target = pid ?? (await newestHost());
      process.kill(target, 'SIGKILL');
      await waitForExit(target);
      return target;
    },
  };
}

function settingsStore(dataDir: string, { settings = {}, theme = 'dark', trust = true }: LaunchOptions) {
  let current: Settings = {
    ...QUIET,
    'workbench.colorTheme': THEMES[theme].name,
    ...(trust ? {} : RESTRICTED),
    ...settings,
  };
  writeSettings(dataDir, current);
  return {
    merge: (more: Settings): void => {
      current = { ...current, ...more };
      writeSettings(dataDir, current);
    },
  };
}

/** Logs of the extension hosts and of the output channels, each under its path. */
function extensionLogs(dataDir: string): readonly string[] {
  const folder = path.join(dataDir, 'logs');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /exthost.*\.log$/.test(name))
    .map((name) => `--- ${name}\n${readFileSync(path.join(folder, name), 'utf8')}`);
}

function temporaryFolder(purpose: string, closers: Closer[]): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `plimsoll-${purpose}-`));
  closers.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
