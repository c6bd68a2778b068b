import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from '@playwright/test';
import type { Editor } from '../support/editor/editor.ts';
import { expect } from './fixtures.ts';
import { focusOrder, overflowing, paleTexts, readingOrder } from './looks.ts';
import { composer } from './steps.ts';

const shots = path.resolve(import.meta.dirname, '../../test-results/looks');
export const THEMES = ['dark', 'light', 'highContrast', 'highContrastLight'] as const;

/** What holds of every picture: nothing sticks out, and no text is pale. */
export async function glance(editor: Editor, panel: FrameLocator, name: string): Promise<void> {
  await expect.poll(() => overflowing(panel), name).toEqual([]);
  expect(await paleTexts(panel), name).toEqual([]);
  mkdirSync(shots, { recursive: true });
  await editor.page.screenshot({ path: path.join(shots, `${name}.png`) });
}

/**
 * Where the picture stands still, Tab goes where a reader goes, whatever the colours. Asked until it holds: the editor
 * itself takes the focus for a moment when a tab or a bar has just closed.
 */
async function tabsAsRead(panel: FrameLocator, name: string): Promise<void> {
  await expect(async () => expect(await focusOrder(panel), name).toEqual(await readingOrder(panel))).toPass({
    timeout: 30_000,
  });
}

/**
 * In each theme, at 300 px in the side bar and at 900 px in an editor tab. `prepare` brings about what a webview forgets
 * when it is made anew.
 */
export async function lookEverywhere(
  editor: Editor,
  state: string,
  prepare: (panel: FrameLocator) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await prepare(editor.panel());
  await lookAt(editor, editor.panel(), `${state}-300`);
  await editor.runCommand('Plimsoll: Open Agent Panel in Editor');
  await composer(editor.tab()).waitFor();
  await prepare(editor.tab());
  await editor.page.setViewportSize({ width: 948, height: 800 });
  await editor.runCommand('View: Close Primary Side Bar');
  await lookAt(editor, editor.tab(), `${state}-900`);
  await editor.runCommand('View: Close All Editors');
  await editor.page.setViewportSize({ width: 1280, height: 800 });
  await editor.runCommand('Plimsoll: Open Agent Panel');
  await composer(editor.panel()).waitFor();
}

async function lookAt(editor: Editor, panel: FrameLocator, name: string): Promise<void> {
  for (const theme of THEMES) {
    await editor.setTheme(theme);
    await glance(editor, panel, `${name}-${theme}`);
  }
  await tabsAsRead(panel, name);
}
