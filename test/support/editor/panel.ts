import type { FrameLocator, Page } from 'playwright-core';

/** Inside of Plimsoll's view, in either side bar. */
export function panelOf(page: Page): FrameLocator {
  return webview(page, '[src*="purpose=webviewView"]');
}

/** Inside of Plimsoll's editor tab. */
export function tabOf(page: Page): FrameLocator {
  return webview(page, ':not([src*="purpose=webviewView"])');
}

function webview(page: Page, filter: string): FrameLocator {
  const outer = `iframe.webview[src*="extensionId=plimsoll.plimsoll"]${filter}`;
  return page.frameLocator(outer).frameLocator('iframe#active-frame');
}
