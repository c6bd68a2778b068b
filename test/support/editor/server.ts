import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { installed } from './cache.ts';
import { childrenOf, isAlive, killTree, waitForExit } from './processes.ts';

const run = promisify(execFile);
const START_TIMEOUT_MS = 60_000;

export interface ServerOptions {
  /** the profile: settings, extensions, storage, logs */
  readonly dataDir: string;
  /** 0, the default, takes a free one */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** false: folders open in restricted mode */
  readonly trust?: boolean;
  /** folders that are to look like installed extensions */
  readonly extensionFolders?: readonly string[];
  /** packages to install */
  readonly vsix?: readonly string[];
  /** accepts extensions under development in the window's address; suppresses every toast */
  readonly allowDevelopment?: boolean;
}

/** A running editor server, without any window. */
export interface EditorServer {
  readonly port: number;
  /** what the server has printed so far */
  output(): string;
  /** process ids of the extension hosts, oldest first: one for each window */
  hosts(): readonly number[];
  /** resolves when the server has ended, for whatever reason */
  readonly ended: Promise<void>;
  /** Ends the server and everything it started. */
  close(): Promise<void>;
}

/**
 * Starts the installed editor's server.
 * @throws Error with the server's output when it does not come up
 */
export async function startServer(options: ServerOptions): Promise<EditorServer> {
  mkdirSync(path.join(options.dataDir, 'extensions'), { recursive: true });
  for (const folder of options.extensionFolders ?? []) linkExtension(options.dataDir, folder);
  for (const file of options.vsix ?? []) linkExtension(options.dataDir, await unpacked(file));
  const child = spawn(installed.node, [...baseArguments(options), ...serverArguments(options)], {
    cwd: installed.vscode,
    env: environment(options),
    stdio: 'pipe',
    // A group of its own: the Ctrl+C of a terminal reaches whoever started the server, who then closes it.
    detached: true,
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`cannot run ${installed.node}`);
  const stopAtExit = () => killTree(pid);
  process.once('exit', stopAtExit);
  const output = collectOutput(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    port: await portOf(child, output),
    output,
    hosts: () => extensionHosts(pid),
    ended,
    async close() {
      killTree(pid);
      await waitForExit(pid);
      process.off('exit', stopAtExit);
    },
  };
}

function baseArguments({ dataDir }: ServerOptions): readonly string[] {
  const preload = path.join(import.meta.dirname, 'stand-ins/preload.cjs');
  return [
    ...[
      '--require',
      preload,
      'out/server-main.js',
      '--accept-server-license-terms',
      '--telemetry-level',
      'off',
    ],
    ...['--user-data-dir', dataDir, '--server-data-dir', dataDir],
    ...['--extensions-dir', path.join(dataDir, 'extensions')],
  ];
}

function serverArguments({ port = 0, trust = true, allowDevelopment = false }: ServerOptions) {
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token'],
    ...['--force-disable-user-env', '--reconnection-grace-time', '2'],
    ...(trust ? ['--disable-workspace-trust'] : []),
    ...(allowDevelopment ? ['--enable-smoke-test-driver'] : []),
  ];
}

function environment({ dataDir, env = {} }: ServerOptions): NodeJS.ProcessEnv {
  return {
    ...process.env,
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    NODE_COMPILE_CACHE: path.join(installed.root, 'node-compile-cache'),
    PLIMSOLL_EDITOR_KEY_FILE: path.join(dataDir, 'secret-key'),
    ...env,
  };
}

/** A link in the extensions folder, there before the first start, is scanned like an extension that was installed. */
function linkExtension(dataDir: string, folder: string): void {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    readonly publisher: string;
    readonly name: string;
    readonly version: string;
  };
  const name = `${manifest.publisher}.${manifest.name}-${manifest.version}`;
  const link = path.join(dataDir, 'extensions', name);
  if (!existsSync(link)) symlinkSync(path.resolve(folder), link);
}

const packages = new Map<string, Promise<string>>();

/** The folder that a package is installed in: by the editor itself, once for all that start in this process. */
function unpacked(file: string): Promise<string> {
  const known = packages.get(file) ?? install(file);
  packages.set(file, known);
  return known;
}

async function install(file: string): Promise<string> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-installed-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const args = [...baseArguments({ dataDir }), '--install-extension', path.resolve(file), '--force'];
  await run(installed.node, args, { cwd: installed.vscode, env: environment({ dataDir }) });
  const extensions = path.join(dataDir, 'extensions');
  const [folder] = readdirSync(extensions, { withFileTypes: true }).filter((item) => item.isDirectory());
  if (folder === undefined) throw new Error(`the editor has not installed ${file}`);
  return path.join(extensions, folder.name);
}

function collectOutput(child: ChildProcess): () => string {
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  return () => chunks.join('');
}

function portOf(child: ChildProcess, output: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the editor server ${why}:\n${output()}`));
    const timer = setTimeout(() => fail('does not come up'), START_TIMEOUT_MS);
    child.once('exit', (code) => fail(`ended with code ${code}`));
    child.stdout?.on('data', () => {
      const port = /Extension host agent listening on (\d+)/.exec(output())?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
  });
}

function extensionHosts(server: number): readonly number[] {
  return childrenOf(server)
    .filter(({ pid, commandLine }) => commandLine.includes('--type=extensionHost') && isAlive(pid))
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);
}
