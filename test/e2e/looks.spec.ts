import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from '@playwright/test';
import type { Editor } from '../support/editor/editor.ts';
import { pace, text, thinking, toolUse } from '../support/model-server/scenario.ts';
import type { Scenario } from '../support/model-server/scenario.ts';
import { expect, test } from './fixtures.ts';
import { focusOrder, overflowing, paleTexts } from './looks.ts';
import { button, conversation, newSession, send, turnEnds } from './steps.ts';

const shots = path.resolve(import.meta.dirname, '../../test-results/looks');
const THEMES = ['dark', 'light', 'highContrast', 'highContrastLight'] as const;

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
        text('# Tides\n\nThe water **rises** for six hours, `roughly`.\n\n- one\n- two\n\n'.repeat(30)),
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

async function look(editor: Editor, panel: FrameLocator, name: string): Promise<void> {
  await expect.poll(() => overflowing(panel), name).toEqual([]);
  expect(await paleTexts(panel), name).toEqual([]);
  mkdirSync(shots, { recursive: true });
  await editor.page.screenshot({ path: path.join(shots, `${name}.png`) });
}

/** In each theme, at 300 px in the side bar. */
async function lookInEveryTheme(editor: Editor, panel: FrameLocator, state: string): Promise<void> {
  for (const theme of THEMES) {
    await editor.setTheme(theme);
    await look(editor, panel, `${state}-300-${theme}`);
  }
}

test.beforeEach(async ({ editor, panel, modelServer }) => {
  modelServer.play(states);
  await editor.page.setViewportSize({ width: 1280, height: 800 });
  await panel.locator('body').waitFor();
  await newSession(editor);
});

test('empty', async ({ editor, panel }) => {
  await lookInEveryTheme(editor, panel, 'empty');
  const order = await focusOrder(panel);
  expect(order.at(0)).toBe('New session');
  expect(order).toContain('Message');
});

test('waiting for approval, then done', async ({ editor, panel }) => {
  await send(panel, 'Approve an edit.');
  await button(panel, 'Allow').waitFor();
  await lookInEveryTheme(editor, panel, 'approval');
  const order = await focusOrder(panel);
  const answers = ['Allow', 'Allow for this session', 'Always allow', 'Deny'];
  const first = order.indexOf('Allow');
  expect(order.slice(first, first + 4)).toEqual(answers);
  expect(order.indexOf('Message')).toBeGreaterThan(first);
  await button(panel, 'Allow').click();
  await turnEnds(panel);
  await lookInEveryTheme(editor, panel, 'done');
});

test('streaming', async ({ editor, panel }) => {
  await send(panel, 'Stream.');
  await expect(conversation(panel)).toContainText('rises');
  await look(editor, panel, 'streaming-300-now');
  await editor.setTheme('dark');
  await look(editor, panel, 'streaming-300-dark');
  await button(panel, 'Stop').click();
  await turnEnds(panel);
});

test('failed, and waiting to try again', async ({ editor, panel, modelServer }) => {
  modelServer.faults.next({ kind: 'status', status: 429, retryAfterSeconds: 60 });
  await send(panel, 'Hello?');
  await expect(panel.locator('body')).toContainText(/Trying again in/);
  await lookInEveryTheme(editor, panel, 'retrying');
  await button(panel, 'Stop').click();
  await turnEnds(panel);
  modelServer.faults.next({ kind: 'status', status: 401, message: 'invalid x-api-key' });
  await send(panel, 'Hello?');
  await panel.getByRole('alert').waitFor();
  await lookInEveryTheme(editor, panel, 'failed');
});

test('long, narrow and wide', async ({ editor, panel }) => {
  await send(panel, 'Be long.');
  await turnEnds(panel, 60_000);
  await lookInEveryTheme(editor, panel, 'long');
  await editor.runCommand('Plimsoll: Open Agent Panel in Editor');
  await editor.page.setViewportSize({ width: 948, height: 800 });
  await editor.runCommand('View: Close Primary Side Bar');
  const tab = editor.tab();
  await conversation(tab).waitFor();
  for (const theme of THEMES) {
    await editor.setTheme(theme);
    await look(editor, tab, `long-900-${theme}`);
  }
});
