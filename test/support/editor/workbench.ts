import type { Page } from 'playwright-core';
import { THEMES } from './settings.ts';
import type { Theme } from './settings.ts';

const START_TIMEOUT_MS = 60_000;
const PALETTE_ATTEMPTS = 10;

/** Resolves when the window's user interface stands; extensions may still be starting. */
export async function waitForWorkbench(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: START_TIMEOUT_MS });
}

export async function waitForTheme(page: Page, theme: Theme): Promise<void> {
  await page.locator(`.monaco-workbench.${THEMES[theme].className}`).waitFor({ timeout: START_TIMEOUT_MS });
}

/**
 * Runs the command of that title, as a person would: F1, type, click. The key is lost while the workbench still starts
 * or another picker closes, so it is tried again.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await pickCommand(page, title);
      return;
    } catch (error) {
      if (attempt === PALETTE_ATTEMPTS) throw error;
    }
  }
}

async function pickCommand(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input.input');
  if (await input.isVisible()) {
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'hidden', timeout: 2_000 });
  }
  await page.keyboard.press('F1');
  await input.waitFor({ timeout: 1_500 });
  // It closes again when something else takes the focus just then.
  await input.fill(`>${title}`, { timeout: 1_500 });
  // After the title a row's name may say more: a key, or that it was used recently.
  const row = page.locator('.quick-input-list .monaco-list-row');
  const exact = row.and(page.locator(`[aria-label="${title}"], [aria-label^="${title},"]`));
  await exact.first().click({ timeout: 3_000 });
}
