import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from './fixtures.ts';
import {
  back,
  files,
  FLOOD_COMMAND,
  outputLink,
  pager,
  run,
  runs,
  runToTheEnd,
  TIDES_COMMAND,
} from './long-outputs.ts';
import { button, card, conversation, newSession, send, turnEnds } from './steps.ts';

test.use({ rigOptions: { files } });

test.beforeEach(async ({ editor, modelServer, panel }) => {
  modelServer.play(runs);
  await panel.locator('body').waitFor();
  await newSession(editor);
});

test('an output of 5 MB: card, pager, page 3, search, line, editor, and back', async ({ editor, panel }) => {
  await runToTheEnd(panel, TIDES_COMMAND);
  const link = outputLink(card(panel, 'run_command', TIDES_COMMAND), TIDES_COMMAND);
  await expect(link).toContainText(/MB, 60,001 lines/);
  await link.click();
  const status = pager(panel).getByRole('status');
  await expect(status.filter({ hasText: 'Lines 1–1,000 of 60,001' })).toBeVisible();
  await button(panel, 'Next page').click();
  await button(panel, 'Next page').click();
  await expect(status.filter({ hasText: 'Lines 2,001–3,000 of 60,001' })).toBeVisible();
  await expect(pager(panel)).toContainText('hour 2005');
  // What was overwritten is not there, nor is any control character.
  await expect(pager(panel)).toContainText('hour 2003 is counted');
  await expect(pager(panel)).not.toContainText(/counting|\u001b/);

  await panel.getByRole('searchbox', { name: 'Search output' }).fill('THE NEEDLE');
  await expect(status.filter({ hasText: '1 of 1' })).toBeVisible();
  await expect(pager(panel).locator('mark')).toHaveText('the needle');

  const line = panel.getByRole('textbox', { name: 'Go to line' });
  await line.fill('31415');
  await line.press('Enter');
  await expect(pager(panel)).toContainText('31,415');
  await line.fill('60002');
  await line.press('Enter');
  await expect(pager(panel).getByRole('alert')).toHaveText(
    'There is no line 60,002: the output has 60,001 lines.',
  );

  await button(panel, 'Open in editor').click();
  await expect(editor.page.locator('.tab.active')).toContainText(/run_command/);
  await editor.runCommand('View: Close All Editors');
  await editor.runCommand('Plimsoll: Open Agent Panel');
  await panel.getByRole('document', { name: /^Output of/ }).press('Escape');
  await expect(pager(panel)).toHaveCount(0);
  await expect(link).toBeFocused();
});

test('the path in an answer opens the output too', async ({ panel }) => {
  await runToTheEnd(panel, TIDES_COMMAND);
  await outputLink(panel.locator('.assistant-message').last(), TIDES_COMMAND).click();
  await expect(pager(panel)).toContainText('Lines 1–1,000 of 60,001');
  await back(panel).click();
  await expect(pager(panel)).toHaveCount(0);
});

test('a reload of the panel or of the window comes back to the page; a file that is gone leaves what the conversation has', async ({
  editor,
  panel,
  folder,
}) => {
  await runToTheEnd(panel, TIDES_COMMAND);
  await outputLink(panel, TIDES_COMMAND).first().click();
  await button(panel, 'Next page').click();
  await expect(pager(panel)).toContainText('Lines 1,001–2,000 of 60,001');
  await sleep(500);
  // The page before shows the same until it goes: what is clicked in it is lost.
  await panel.locator('body').evaluate((body) => body.setAttribute('data-before', ''));
  await editor.runCommand('Developer: Reload Webviews');
  await expect(panel.locator('body:not([data-before])')).toHaveCount(1, { timeout: 30_000 });
  await expect(pager(panel)).toContainText('Lines 1,001–2,000 of 60,001', { timeout: 30_000 });
  await button(panel, 'Next page').click();
  await expect(pager(panel)).toContainText('Lines 2,001–3,000 of 60,001');
  await sleep(700);
  await editor.reload();
  await expect(pager(panel)).toContainText('Lines 2,001–3,000 of 60,001', { timeout: 30_000 });
  await back(panel).click();
  rmSync(path.join(folder, '.plimsoll', 'tool_results'), { recursive: true });
  await outputLink(card(panel, 'run_command', TIDES_COMMAND), TIDES_COMMAND).click();
  await expect(pager(panel).getByRole('alert')).not.toBeEmpty();
  await expect(pager(panel)).toContainText('What the conversation still has of it');
  await expect(pager(panel)).toContainText('the needle');
});

test('a command that runs is followed until it is stopped', async ({ panel }) => {
  await run(panel, FLOOD_COMMAND);
  await outputLink(panel, FLOOD_COMMAND).click();
  const lastWave = async () => {
    const shown = await pager(panel).getByRole('document').innerText();
    return Math.max(0, ...Array.from(shown.matchAll(/wave (\d+)/g), ([, wave]) => Number(wave)));
  };
  await button(panel, 'Follow').click();
  await expect.poll(lastWave).toBeGreaterThan(3_000);
  const before = await lastWave();
  await expect.poll(lastWave).toBeGreaterThan(before + 50);
  await button(panel, 'Stop').click();
  await turnEnds(panel);
  await expect(button(panel, 'Follow')).toHaveAttribute('aria-disabled', 'true');
  await back(panel).click();
  await expect(conversation(panel)).toContainText(/Interrupted|Stopped/);
});

test('the model reads the same file by pages until it has the needle at its end', async ({ panel }) => {
  await runToTheEnd(panel, TIDES_COMMAND);
  await send(panel, 'Read on from line 58400.');
  await expect(conversation(panel)).toContainText('I have it, on page 4: the needle.');
  // Reading it again makes no files of files.
  await expect(panel.getByRole('link', { name: /^Open output read_file/ })).toHaveCount(0);
});
