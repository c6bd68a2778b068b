import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from '@playwright/test';
import type { Editor } from '../support/editor/editor.ts';
import type { Theme } from '../support/editor/settings.ts';
import { expect } from './fixtures.ts';
import { focusOrder, overflowing, paleTexts, readingOrder } from './looks.ts';
import { composer } from './steps.ts';

const shots = path.resolve(import.meta.dirname, '../../test-results/looks');
/** Every theme and width: `npm run looks`. It takes minutes; the tests look at one theme in the side bar. */
const isThorough = process.env['PLIMSOLL_LOOKS'] === 'all';
export const THEMES: readonly Theme[] = isThorough
  ? ['dark', 'light', 'highContrast', 'highContrastLight']
  : ['light'];

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
 * At 300 px in the side bar, and at 900 px in an editor tab. `prepare` brings about what a webview forgets when it is
 * made anew.
 */
export async function lookEverywhere(
  editor: Editor,
  state: string,
  prepare: (panel: FrameLocator) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await prepare(editor.panel());
  await lookAt(editor, editor.panel(), `${state}-300`);
  if (!isThorough) return;
  await run(editor, 'plimsoll.openInEditor');
  await composer(editor.tab()).waitFor();
  await prepare(editor.tab());
  await editor.page.setViewportSize({ width: 948, height: 800 });
  await run(editor, 'workbench.action.closeSidebar');
  await lookAt(editor, editor.tab(), `${state}-900`);
  await run(editor, 'workbench.action.closeAllEditors');
  await expect(editor.page.locator('.tab')).toHaveCount(0);
  await editor.page.setViewportSize({ width: 1280, height: 800 });
  await run(editor, 'plimsoll.open');
  await composer(editor.panel()).waitFor();
}

/** Arranging the window is not what is tested. */
function run(editor: Editor, command: string): Promise<unknown> {
  return editor.api(async (vscode, id: string) => void (await vscode.commands.executeCommand(id)), command);
}

async function lookAt(editor: Editor, panel: FrameLocator, name: string): Promise<void> {
  for (const theme of THEMES) {
    await editor.setTheme(theme);
    await glance(editor, panel, `${name}-${theme}`);
  }
  await tabsAsRead(panel, name);
}
