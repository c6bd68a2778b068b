import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pace, text, toolUse } from '../support/model-server/scenario.ts';
import type { Editor } from '../support/editor/editor.ts';
import { expect, test } from './fixtures.ts';
import { button, composer, conversation, newSession, send, turnEnds } from './steps.ts';

/** All that is stored of all sessions. */
function logsOf({ dataDir }: Editor): string {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  const logs = names.filter((name) => name.endsWith('.jsonl'));
  return logs.map((name) => readFileSync(path.join(dataDir, name), 'utf8')).join('\n');
}

test('a reload brings the conversation, the draft and the meter back', async ({
  editor,
  panel,
  modelServer,
}) => {
  modelServer.play([[text('I remember.')]]);
  await newSession(editor);
  await send(panel, 'Remember this.');
  await turnEnds(panel);
  const load = await panel.getByRole('meter').getAttribute('aria-valuenow');
  await composer(panel).fill('a draft');
  await sleep(500);
  await editor.reload();
  await expect(conversation(panel)).toContainText('Remember this.', { timeout: 30_000 });
  await expect(conversation(panel)).toContainText('I remember.');
  await expect(composer(panel)).toHaveValue('a draft');
  await expect(panel.getByRole('meter')).toHaveAttribute('aria-valuenow', load!);
});

test('S9: what was sent is on disk though the host dies at once', async ({ editor, panel, modelServer }) => {
  modelServer.play(() => [pace(100), text('Slowly. '.repeat(50))]);
  await newSession(editor);
  await send(panel, 'Probe fifty.');
  await sleep(50);
  await editor.killHost();
  expect(logsOf(editor)).toContain('Probe fifty.');
  await expect(conversation(panel)).toContainText('Probe fifty.', { timeout: 30_000 });
});

test('C3: a host killed in mid-command: the call is marked, the next request is accepted', async ({
  editor,
  panel,
  modelServer,
}) => {
  modelServer.play(({ lastUserText }) =>
    lastUserText === 'Run.'
      ? [toolUse('read_file', { path: 'README.md' }), toolUse('run_command', { command: 'sleep 120' })]
      : [text('Understood.')],
  );
  await newSession(editor);
  await send(panel, 'Run.');
  await button(panel, 'Allow').click();
  await expect(panel.getByRole('article', { name: 'run_command: sleep 120' })).toContainText('Running');
  await editor.killHost();
  await expect(panel.getByRole('article', { name: 'run_command: sleep 120' })).toContainText('Interrupted', {
    timeout: 30_000,
  });
  await send(panel, 'Go on.');
  await expect(conversation(panel)).toContainText('Understood.');
  const answers = JSON.stringify(modelServer.requests.at(-1)!.body!.messages[2]);
  expect(answers).toContain('outcome is unknown');
  expect(answers).toContain('Ships come and go');
});

test('two windows on one folder do not mix, and each gets its own conversation back', async ({
  editor,
  panel,
  modelServer,
}) => {
  modelServer.play(() => [text('Heard.')]);
  await newSession(editor);
  await send(panel, 'Window one.');
  await turnEnds(panel);
  const second = await editor.openWindow();
  await editor.runCommand('Plimsoll: Open Agent Panel', second);
  const other = editor.panel(second);
  await composer(other).waitFor({ timeout: 30_000 });
  await expect(conversation(other)).not.toContainText('Window one.');
  await send(other, 'Window two.');
  await turnEnds(other);
  await send(panel, 'Window one again.');
  await turnEnds(panel);
  await second.close();
  await editor.reload();
  await expect(conversation(panel)).toContainText('Window one again.', { timeout: 30_000 });
  await expect(conversation(panel)).not.toContainText('Window two.');
});

test('a log that cannot be read locks nobody out', async ({ editor, panel, modelServer }) => {
  modelServer.play(() => [text('Heard.')]);
  await newSession(editor);
  await send(panel, 'Soon unreadable.');
  await turnEnds(panel);
  const names = readdirSync(editor.dataDir, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((file) => file.endsWith('.jsonl'))) {
    rmSync(path.join(editor.dataDir, name));
    mkdirSync(path.join(editor.dataDir, name));
  }
  await editor.reload();
  await composer(panel).waitFor({ timeout: 30_000 });
  await send(panel, 'Still here?');
  await expect(conversation(panel)).toContainText('Heard.');
});
