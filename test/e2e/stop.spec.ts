import { execFileSync } from 'node:child_process';
import { pace, text, toolUse } from '../support/model-server/scenario.ts';
import { expect, test } from './fixtures.ts';
import { button, card, conversation, newSession, send, turnEnds } from './steps.ts';

const processes = (): string => execFileSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' });

test('Stop in mid-stream keeps what was said, and the next turn is accepted', async ({
  editor,
  panel,
  modelServer,
}) => {
  modelServer.play(({ lastUserText }) =>
    lastUserText === 'Count.'
      ? [pace(40), text('one two three four five '.repeat(200))]
      : [text('Going on.')],
  );
  await newSession(editor);
  await send(panel, 'Count.');
  await expect(conversation(panel)).toContainText('three');
  await button(panel, 'Stop').click();
  await turnEnds(panel);
  await expect(conversation(panel)).toContainText('one two three');
  await expect.poll(() => modelServer.requests.at(-1)!.verdict.kind).toBe('hung_up');
  await send(panel, 'Go on.');
  await expect(conversation(panel)).toContainText('Going on.');
  expect(modelServer.requests.at(-1)!.body!.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
  ]);
});

test('Stop in mid-command kills the whole process tree and leaves a valid transcript', async ({
  editor,
  panel,
  modelServer,
}) => {
  const marker = `plimsoll_stop_${Date.now()}`;
  const command = `sh -c "sleep 300; echo ${marker}" & sleep 300 && echo ${marker}; wait`;
  modelServer.play(({ lastUserText }) =>
    lastUserText === 'Run.' ? [toolUse('run_command', { command })] : [text('I see.')],
  );
  await newSession(editor);
  await send(panel, 'Run.');
  await button(panel, 'Allow').click();
  await expect.poll(processes).toContain(marker);
  await button(panel, 'Stop').click();
  await turnEnds(panel);
  await expect.poll(processes).not.toContain(marker);
  await expect(panel.getByRole('article', { name: /^run_command/ })).toContainText(/Interrupted|Stopped/);
  await send(panel, 'And now?');
  await expect(conversation(panel)).toContainText('I see.');
});

test('the stop command stops while a question waits', async ({ editor, panel, modelServer }) => {
  modelServer.play([[toolUse('run_command', { command: 'echo never' })]]);
  await newSession(editor);
  await send(panel, 'Run.');
  await button(panel, 'Allow').waitFor();
  await editor.runCommand('Plimsoll: Stop');
  await turnEnds(panel);
  await expect(card(panel, 'run_command', 'echo never')).toContainText(/Interrupted|Stopped/);
  await expect(button(panel, 'Allow')).toBeHidden();
});
