import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fact, text, thinking, toolUse } from '../support/model-server/scenario.ts';
import type { Scenario } from '../support/model-server/scenario.ts';
import { expect, test } from './fixtures.ts';
import {
  button,
  card,
  composer,
  conversation,
  meter,
  newSession,
  send,
  statusBar,
  turnEnds,
} from './steps.ts';

test.use({
  rigOptions: {
    files: {
      'tide.js': 'export const high = 4;\nexport const low = 1;\n',
      'AGENTS.md': 'End replies with MARK.\n',
    },
  },
});

const task: Scenario = ({ round }) =>
  [
    [thinking('Look first.'), text('I will **read** it.'), toolUse('read_file', { path: 'tide.js' })],
    [
      text('Low water is ', fact(/low = (\d)/), '.'),
      toolUse('edit_file', { path: 'tide.js', old_text: 'low = 1', new_text: 'low = 2' }),
    ],
    [toolUse('run_command', { command: 'echo "low is $(grep -c . tide.js) lines"' })],
    [text('Done: ', fact(/low is \d lines/), '.\n\n```js\nexport const low = 2;\n```')],
  ][round];

test('a task: stream, read, approved edit with its diff, approved command, answer', async ({
  editor,
  panel,
  modelServer,
  folder,
}) => {
  modelServer.play(task);
  await newSession(editor);
  await send(panel, 'Raise the low water to 2.');

  await expect(card(panel, 'read_file', 'tide.js')).toContainText('Done');
  const edit = card(panel, 'edit_file', 'tide.js');
  await expect(edit).toContainText('Needs approval');
  expect(readFileSync(path.join(folder, 'tide.js'), 'utf8')).toContain('low = 1');
  await edit.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(edit).toContainText('Done');
  expect(readFileSync(path.join(folder, 'tide.js'), 'utf8')).toBe(
    'export const high = 4;\nexport const low = 2;\n',
  );

  const command = panel.getByRole('article', { name: /^run_command: echo/ });
  await command.getByRole('button', { name: 'Allow', exact: true }).click();
  await turnEnds(panel);
  await expect(conversation(panel)).toContainText('Done: low is 2 lines.');
  await expect(conversation(panel).locator('pre code')).toContainText('export const low = 2;');

  await edit.getByRole('button', { name: 'Open diff' }).click();
  const diff = editor.page.locator('.monaco-diff-editor');
  await expect(diff.locator('.editor.original')).toContainText('low = 1');
  await expect(diff.locator('.editor.modified')).toContainText('low = 2');
});

test('T1, T10: meter and status bar say what the server says, after every call', async ({
  editor,
  panel,
  modelServer,
}) => {
  modelServer.play([text('One.'), text('Two.'), text('Three.')]);
  await newSession(editor);
  for (const [index, words] of ['first', 'second', 'third'].entries()) {
    await send(panel, words);
    await expect.poll(() => modelServer.requests.filter(({ usage }) => usage).length).toBe(index + 1);
    await turnEnds(panel);
    const usage = modelServer.requests.at(-1)!.usage!;
    const used = usage.input + usage.cacheRead + usage.cacheWrite;
    await expect(meter(panel)).toHaveAttribute('aria-valuenow', String(used));
    const budget = Number(await meter(panel).getAttribute('aria-valuemax'));
    expect(budget).toBe(200_000 - 32_000 - 6_000);
    await expect(statusBar(editor)).toContainText(`⦵ ${Math.round((100 * used) / budget)}%`);
  }
  // Every request after the first read from the cache what the one before had sent.
  const usages = modelServer.requests.flatMap(({ usage }) => usage ?? []);
  usages
    .slice(1)
    .forEach((usage, index) =>
      expect(usage.cacheRead).toBe(usages[index]!.cacheRead + usages[index]!.cacheWrite),
    );
});

test('the request holds today’s date and AGENTS.md, and what changes is said at the tail', async ({
  editor,
  panel,
  modelServer,
  folder,
}) => {
  modelServer.play([text('One. MARK'), text('Two.')]);
  await newSession(editor);
  await send(panel, 'first');
  await turnEnds(panel);
  const system = JSON.stringify(modelServer.requests.at(-1)!.body!.system);
  const today = new Date();
  const twoDigits = (part: number) => String(part).padStart(2, '0');
  expect(system).toContain(
    `${today.getFullYear()}-${twoDigits(today.getMonth() + 1)}-${twoDigits(today.getDate())}`,
  );
  expect(system).toContain('End replies with MARK.');
  writeFileSync(path.join(folder, 'AGENTS.md'), 'Never say MARK.');
  await send(panel, 'second');
  await turnEnds(panel);
  const last = modelServer.requests.at(-1)!.body!;
  expect(JSON.stringify(last.system)).toBe(system);
  expect(JSON.stringify(last.messages.at(-1))).toContain('Never say MARK.');
});

test('a denied call is not run, and the model sees the reason', async ({
  editor,
  panel,
  modelServer,
  folder,
}) => {
  modelServer.play(({ round }) =>
    round === 0
      ? [toolUse('write_file', { path: 'new.txt', content: 'x' })]
      : [text('You said: ', fact(/reason: (.*)/), '.')],
  );
  await newSession(editor);
  await send(panel, 'Write a file.');
  const write = card(panel, 'write_file', 'new.txt');
  await write.getByRole('button', { name: 'Deny' }).click();
  await expect(write.getByRole('textbox')).toBeFocused();
  await editor.page.keyboard.type('not here');
  await editor.page.keyboard.press('Enter');
  await turnEnds(panel);
  await expect(write).toContainText('Denied');
  await expect(conversation(panel)).toContainText('You said: not here.');
  expect(() => readFileSync(path.join(folder, 'new.txt'))).toThrow('ENOENT');
});

test('a message typed while a turn runs is queued, and is in the next request', async ({
  editor,
  panel,
  modelServer,
}) => {
  modelServer.play(({ round, lastUserText }) =>
    round === 0 && lastUserText === 'Go.'
      ? [toolUse('run_command', { command: 'echo waiting' })]
      : [text('I heard ', lastUserText)],
  );
  await newSession(editor);
  await send(panel, 'Go.');
  await panel
    .getByRole('article', { name: 'run_command: echo waiting' })
    .getByRole('button', { name: 'Allow', exact: true })
    .waitFor();
  await composer(panel).fill('And mind the gap.');
  await composer(panel).press('Enter');
  await expect(conversation(panel)).toContainText('And mind the gap.');
  await button(panel, 'Allow').click();
  await turnEnds(panel);
  expect(JSON.stringify(modelServer.requests.at(-1)!.body!.messages.at(-1))).toContain('And mind the gap.');
});
