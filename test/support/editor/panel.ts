import { readFileSync } from 'node:fs';
import path from 'node:path';
import { selectors } from 'playwright-core';
import type { FrameLocator, Page } from 'playwright-core';

let registered: Promise<void> | undefined;

/** To be called before a page is opened in which {@link panelOf} or {@link tabOf} is used. */
export function registerPlaces(): Promise<void> {
  const makeEngine = readFileSync(path.join(import.meta.dirname, 'place-engine.cjs'), 'utf8');
  registered ??= selectors.register('plimsoll', { content: `(${makeEngine})()` });
  return registered;
}

/** Inside of Plimsoll's view, in either side bar. */
export function panelOf(page: Page): FrameLocator {
  return page.frameLocator('plimsoll=view').frameLocator('iframe#active-frame');
}

/** Inside of Plimsoll's editor tab. */
export function tabOf(page: Page): FrameLocator {
  return page.frameLocator('plimsoll=tab').frameLocator('iframe#active-frame');
}
