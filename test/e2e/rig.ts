import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../support/editor/cache.ts';
import { launch } from '../support/editor/editor.ts';
import type { Editor, LaunchOptions } from '../support/editor/editor.ts';
import { startModelServer } from '../support/model-server/model-server.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import type { ModelServerOptions } from '../support/model-server/options.ts';

/** What a spec file, or a part of it, asks of its editor. Plain data: another value is another editor. */
export interface RigOptions extends Pick<LaunchOptions, 'settings' | 'env' | 'theme' | 'viewport' | 'trust'> {
  /** the workspace: path → text */
  readonly files?: Readonly<Record<string, string>>;
  readonly model?: Pick<ModelServerOptions, 'window' | 'deltaChars'>;
}

/** An editor on a fresh workspace, with a model server behind it. */
export interface Rig {
  readonly editor: Editor;
  readonly modelServer: ModelServer;
  /** the workspace's folder */
  readonly folder: string;
  close(): Promise<void>;
}

const DEFAULT_FILES = { 'README.md': '# Harbour\n\nShips come and go.\n' };

/** Tests the package named by PLIMSOLL_VSIX, else what was last built in the checkout. */
export async function startRig({
  files = DEFAULT_FILES,
  settings,
  env,
  model,
  ...rest
}: RigOptions): Promise<Rig> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-workspace-'));
  writeFiles(folder, files);
  const modelServer = await startModelServer({ ...model, scenario: () => undefined });
  const vsix = process.env.PLIMSOLL_VSIX;
  const close = async () => {
    await modelServer.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const editor = await launch({
      ...rest,
      folder,
      ...(vsix === undefined ? { extensionFolder: projectRoot } : { vsix }),
      settings: { 'plimsoll.anthropic.baseUrl': modelServer.url, ...settings },
      env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: undefined, ...env },
    });
    return { editor, modelServer, folder, close: () => editor.close().then(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
