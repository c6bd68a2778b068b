import type { FrameLocator } from '@playwright/test';

/** A text whose contrast to what is behind it is too low. */
export interface PaleText {
  readonly text: string;
  readonly ratio: number;
}

/** Elements that stick out of the panel to the right, by tag and class; what scrolls inside itself does not count. */
export function overflowing(panel: FrameLocator): Promise<readonly string[]> {
  return panel.locator('body').evaluate((body) => {
    const width = body.ownerDocument.documentElement.clientWidth;
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element !== body &&
      (/auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    return [...body.querySelectorAll('*')]
      .filter(
        (element) => element.getBoundingClientRect().right > width + 1 && !scrolls(element.parentElement),
      )
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}`);
  });
}

/** Every visible text with a contrast under 4.5:1 (WCAG AA), what is disabled aside. */
export function paleTexts(panel: FrameLocator): Promise<readonly PaleText[]> {
  return panel.locator('body').evaluate((body) => {
    const canvas = body.ownerDocument.createElement('canvas');
    const pen = canvas.getContext('2d', { willReadFrequently: true })!;
    canvas.width = canvas.height = 1;
    const root = getComputedStyle(body.ownerDocument.documentElement);
    const isTab = body.ownerDocument.defaultView!.innerWidth > 600;
    const floor = root.getPropertyValue(isTab ? '--vscode-editor-background' : '--vscode-sideBar-background');
    const paint = (colors: readonly string[]) => {
      for (const color of [floor, ...colors]) {
        pen.fillStyle = color;
        pen.fillRect(0, 0, 1, 1);
      }
      return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    };
    const luminance = (rgb: readonly number[]) => {
      const [r = 0, g = 0, b = 0] = rgb.map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ancestors = (element: Element | null): Element[] =>
      element ? [...ancestors(element.parentElement), element] : [];
    const texts = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    const pale: { text: string; ratio: number }[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement!;
      const text = node.textContent!.trim();
      const isShown =
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        element.getClientRects().length > 0;
      const box = element.getBoundingClientRect();
      if (
        text === '' ||
        !isShown ||
        box.width < 2 ||
        box.height < 2 ||
        element.closest(':disabled, [aria-disabled="true"]')
      )
        continue;
      const chain = ancestors(element);
      const behind = chain.map((item) => getComputedStyle(item).backgroundColor);
      const [low = 0, high = 0] = [paint(behind), paint([...behind, getComputedStyle(element).color])]
        .map(luminance)
        .sort((a, b) => a - b);
      const ratio = Math.round((10 * (high + 0.05)) / (low + 0.05)) / 10;
      if (ratio < 4.5) pale.push({ text: text.slice(0, 40), ratio });
    }
    return pale;
  });
}

/** Names of every control in document order, or of the one that has the focus; none when the focus left the panel. */
function controls(panel: FrameLocator, which: 'all' | 'focused'): Promise<readonly string[] | undefined> {
  return panel.locator('body').evaluate((body, wanted) => {
    const selector =
      'a[href], button:not(:disabled), textarea, input, summary, [role="button"], [role="meter"][tabindex]';
    const nameOf = (element: Element) =>
      element.getAttribute('aria-label') ?? (element.textContent ?? '').trim().slice(0, 40);
    if (wanted === 'all') {
      const all = [...body.querySelectorAll<HTMLElement>(selector)];
      return all
        .filter((element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }))
        .map(nameOf);
    }
    const focused = body.ownerDocument.activeElement;
    if (!focused || focused === body || !body.ownerDocument.hasFocus()) return undefined;
    return focused.matches(selector) ? [nameOf(focused)] : [];
  }, which);
}

/** Every control by its accessible name, in document order: the order a screen reader tells them in. */
export async function readingOrder(panel: FrameLocator): Promise<readonly string[]> {
  return (await controls(panel, 'all')) ?? [];
}

/** What Tab reaches from the panel's beginning, in order, until it leaves the panel. */
export async function focusOrder(panel: FrameLocator): Promise<readonly string[]> {
  const names: string[] = [];
  await panel.locator('body').evaluate((body) => {
    body.tabIndex = -1;
    body.focus();
    body.removeAttribute('tabindex');
  });
  for (let presses = 0; presses < 100; presses += 1) {
    await panel.owner().page().keyboard.press('Tab');
    const focused = await controls(panel, 'focused');
    if (focused === undefined) break;
    names.push(...focused);
  }
  return names;
}
