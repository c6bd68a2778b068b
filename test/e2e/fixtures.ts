import { test as base, expect } from '@playwright/test';
import type { FrameLocator, TestInfo } from '@playwright/test';
import type { Editor } from '../support/editor/editor.ts';
import type { ModelServer } from '../support/model-server/model-server.ts';
import { startRig } from './rig.ts';
import type { Rig, RigOptions } from './rig.ts';

interface TestFixtures {
  /** what this file's editor is started with: `test.use({ rigOptions: { theme: 'light' } })` */
  readonly rigOptions: RigOptions;
  readonly rig: Rig;
  /** one for all tests of a file: reload it or kill its host rather than start another */
  readonly editor: Editor;
  /** Empty at the start of every test; a refusal or a scenario that did not fit fails the test. */
  readonly modelServer: ModelServer;
  /** the workspace's folder */
  readonly folder: string;
  /** inside of the panel, opened */
  readonly panel: FrameLocator;
}

interface WorkerFixtures {
  readonly rigs: RigKeeper;
}

const LAUNCH_TIMEOUT_MS = 240_000;

/** Keeps the running rig for as long as the tests ask for the same one. */
class RigKeeper {
  #key = '';
  #rig: Rig | undefined;

  async get(file: string, options: RigOptions): Promise<Rig> {
    const key = JSON.stringify([file, options]);
    if (this.#rig !== undefined && this.#key === key) return this.#rig;
    await this.close();
    this.#rig = await startRig(options);
    this.#key = key;
    return this.#rig;
  }

  async close(): Promise<void> {
    await this.#rig?.close();
    this.#rig = undefined;
  }
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  rigOptions: [{}, { option: true }],
  rigs: [
    async ({}, use) => {
      const keeper = new RigKeeper();
      await use(keeper);
      await keeper.close();
    },
    { scope: 'worker', timeout: LAUNCH_TIMEOUT_MS },
  ],
  rig: [
    async ({ rigs, rigOptions }, use, testInfo) => {
      const rig = await rigs.get(testInfo.file, rigOptions);
      rig.modelServer.reset();
      await use(rig);
      if (testInfo.status !== testInfo.expectedStatus) await attachEvidence(rig, testInfo);
      expect(rig.modelServer.failures, 'the model server refused something').toEqual([]);
    },
    { timeout: LAUNCH_TIMEOUT_MS },
  ],
  editor: ({ rig }, use) => use(rig.editor),
  modelServer: ({ rig }, use) => use(rig.modelServer),
  folder: ({ rig }, use) => use(rig.folder),
  panel: async ({ editor }, use) => {
    await editor.api((vscode) => vscode.commands.executeCommand('plimsoll.open'));
    await editor.panel().getByRole('textbox', { name: 'Message' }).waitFor();
    await use(editor.panel());
  },
});

export { expect };

async function attachEvidence({ editor, modelServer }: Rig, testInfo: TestInfo): Promise<void> {
  const attach = (name: string, body: string) => testInfo.attach(name, { body, contentType: 'text/plain' });
  await attach('editor.log', editor.log());
  await attach('model-requests.json', JSON.stringify(modelServer.requests, null, 1));
  const screenshot = await editor.page.screenshot();
  await testInfo.attach('window', { body: screenshot, contentType: 'image/png' });
}
