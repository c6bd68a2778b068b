import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from '../support/model-server/scenario.ts';
import { expect, test } from './fixtures.ts';
import { button, conversation, send, turnEnds } from './steps.ts';

const KEY = 'sk-ant-test-0123456789-do-not-store';

test.use({ rigOptions: { env: { ANTHROPIC_API_KEY: undefined } } });

test('Z6: a key set by the command is used, and stored in no file and no log', async ({
  editor,
  panel,
  modelServer,
}) => {
  modelServer.play([text('I know you.')]);
  await editor.runCommand('Plimsoll: Set API Key');
  await editor.page.locator('.quick-input-widget input[type="password"]').fill(KEY);
  await editor.page.keyboard.press('Enter');
  await send(panel, 'Hello.');
  await turnEnds(panel);
  await expect(conversation(panel)).toContainText('I know you.');
  expect(modelServer.requests.at(-1)!.headers.authorization).toBe(`Bearer ${KEY}`);
  await button(panel, 'Send').waitFor();
  for (const name of readdirSync(editor.dataDir, {
    recursive: true,
    encoding: 'utf8',
    withFileTypes: true,
  })) {
    if (!name.isFile() || name.parentPath.includes('browser')) continue; // the editor's own secret storage, encrypted
    expect(readFileSync(path.join(name.parentPath, name.name)).includes(KEY), name.name).toBe(false);
  }
  expect(editor.log()).not.toContain(KEY);
});
