import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { openBrowser } from '../support/editor/browser.ts';
import { projectRoot } from '../support/editor/cache.ts';
import { panelOf } from '../support/editor/panel.ts';
import { runCommand, waitForWorkbench } from '../support/editor/workbench.ts';

const START_TIMEOUT_MS = 120_000;

const { ANTHROPIC_API_KEY: _key, ANTHROPIC_BASE_URL: _url, ...withoutKey } = process.env;

/** Runs `npm start` in the editor server, on a free port and in a new profile, and reads what it says. */
async function start(profile: string) {
  const args = ['scripts/start.mjs', '--server', '--port', '0', '--profile', profile];
  const child = spawn(process.execPath, args, { cwd: projectRoot, env: withoutKey });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const output = () => said.join('');
  await expect.poll(output, { timeout: START_TIMEOUT_MS }).toContain('Ctrl+C here');
  const found = (label: string) => new RegExp(`${label} +(\\S+)`).exec(output())?.[1] ?? '';
  return {
    output,
    url: found('Open'),
    folder: found('Folder'),
    async interrupt(): Promise<unknown> {
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      const [code] = (await exited) as [unknown];
      return code;
    },
  };
}

async function openWorkbench(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' });
  await waitForWorkbench(page);
}

test('a newcomer without a key starts it, is told that the model is simulated, and watches it work', async () => {
  test.setTimeout(START_TIMEOUT_MS * 2);
  const profile = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-start-'));
  const started = await start(profile);
  expect(started.output()).toContain('simulated');
  expect(started.output()).toContain('ANTHROPIC_API_KEY');

  const browser = await openBrowser(profile, { width: 1280, height: 800 });
  const page = browser.pages()[0]!;
  await openWorkbench(page, started.url);
  await runCommand(page, 'Plimsoll: Open Agent Panel');
  const panel = panelOf(page);
  await panel.getByRole('textbox', { name: 'Message' }).fill('Why does the test fail?');
  await panel.getByRole('button', { name: 'Send' }).click();
  const conversation = panel.getByRole('log', { name: 'Conversation' });
  await expect(conversation).toContainText('I am a simulated model');
  await expect(panel.getByRole('article', { name: /^list_files/ })).toBeVisible();
  await browser.close();

  expect(existsSync(started.folder)).toBe(true);
  expect(await started.interrupt()).toBe(0);
  await expect(fetch(started.url)).rejects.toThrow();
  expect(existsSync(started.folder)).toBe(false);
  rmSync(profile, { recursive: true });
});
