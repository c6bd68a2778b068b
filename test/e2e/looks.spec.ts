import { pace, text, thinking, toolUse } from '../support/model-server/scenario.ts';
import type { Scenario } from '../support/model-server/scenario.ts';
import { expect, test } from './fixtures.ts';
import { focusOrder } from './looks.ts';
import { glance, lookEverywhere, THEMES } from './looks-everywhere.ts';
import { button, conversation, newSession, send, turnEnds } from './steps.ts';

/** Each state is brought about in its own session by what the person says. */
const states: Scenario = ({ lastUserText, round }) => {
  switch (lastUserText) {
    case 'Approve an edit.':
      return [
        [
          thinking('Look first.'),
          text('I will read it **first**.'),
          toolUse('read_file', { path: 'tide.js' }),
        ],
        [
          toolUse('edit_file', {
            path: 'tide.js',
            old_text: 'const low = 1;',
            new_text: 'const low = 2; // a comment that is long enough to need room',
          }),
        ],
        [text('Done.')],
      ][round];
    case 'Stream.':
      return [
        pace(60),
        text('# Tides\n\nThe water **rises** for six hours, `roughly`.\n\n- one\n- two\n\n'.repeat(300)),
      ];
    case 'Be long.':
      return round < 12
        ? [
            text(`Step ${round} with a [link](https://example.com/a/very/long/address/that/does/not/break).`),
            toolUse('read_file', { path: round % 3 === 2 ? 'missing.js' : 'tide.js' }),
          ]
        : [
            text(
              '```js\nexport const aVeryLongNameThatDoesNotFitIntoANarrowPanel = "and so on and so on and so on";\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nDone.',
            ),
          ];
    default:
      return [text('Hello.')];
  }
};

test.use({ rigOptions: { files: { 'tide.js': 'const high = 4;\nconst low = 1;\n' } } });

test.beforeEach(async ({ editor, panel, modelServer }) => {
  modelServer.play(states);
  await editor.page.setViewportSize({ width: 1280, height: 800 });
  await panel.locator('body').waitFor();
  await newSession(editor);
});

test('empty', async ({ editor, panel }) => {
  await lookEverywhere(editor, 'empty');
  const order = await focusOrder(panel);
  expect(order.slice(0, 2)).toEqual(['Chat', 'New session']); // of the tabs the arrow keys reach the other one
  expect(order).toContain('Message');
});

test('waiting for approval, then done', async ({ editor, panel }) => {
  await send(panel, 'Approve an edit.');
  await button(panel, 'Allow').waitFor();
  await lookEverywhere(editor, 'approval');
  const order = await focusOrder(panel);
  const first = order.indexOf('Allow');
  expect(order.slice(first, first + 4)).toEqual(['Allow', 'Allow for this session', 'Always allow', 'Deny']);
  expect(order.indexOf('Message')).toBeGreaterThan(first);
  await button(panel, 'Allow').click();
  await turnEnds(panel);
  await lookEverywhere(editor, 'done');
});

test('streaming', async ({ editor, panel }) => {
  await send(panel, 'Stream.');
  await expect(conversation(panel)).toContainText('rises');
  expect(await focusOrder(panel)).toContain('Stop');
  for (const theme of THEMES) {
    await editor.setTheme(theme);
    await glance(editor, panel, `streaming-300-${theme}`);
  }
  await button(panel, 'Stop').click();
  await turnEnds(panel);
});

test('failed, and waiting to try again', async ({ editor, panel, modelServer }) => {
  modelServer.faults.next({ kind: 'status', status: 429, retryAfterSeconds: 120 });
  await send(panel, 'Hello?');
  await expect(panel.locator('body')).toContainText(/Trying again in/);
  await lookEverywhere(editor, 'retrying');
  await button(panel, 'Stop').click();
  await turnEnds(panel);
  modelServer.faults.next({ kind: 'status', status: 401, message: 'invalid x-api-key' });
  await send(panel, 'Hello?');
  await panel.getByRole('alert').waitFor();
  await lookEverywhere(editor, 'failed');
});

test('long', async ({ editor, panel }) => {
  await send(panel, 'Be long.');
  await turnEnds(panel, 60_000);
  await lookEverywhere(editor, 'long');
});
