let lastKeyAt = -Infinity;
/** Somebody who typed this recently, in milliseconds, is still typing. */
const TYPING_PAUSE_MS = 1_500;

/** Notices typing, until the returned function is called. */
export function watchTyping(): () => void {
  const notice = ({ target }: KeyboardEvent) => {
    // Enter on a button is an answer, not the middle of a sentence.
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)
      lastKeyAt = performance.now();
  };
  document.addEventListener('keydown', notice, true);
  return () => document.removeEventListener('keydown', notice, true);
}

/**
 * Gives `element` the focus, unless that would take it from somebody: who types, has text in the field, works at another
 * control, or is elsewhere in the editor. The element must not act on keys: the next key may be meant for the composer.
 */
export function takeFocusPolitely(element: HTMLElement | null): void {
  if (element === null || !document.hasFocus()) return;
  if (performance.now() - lastKeyAt < TYPING_PAUSE_MS) return;
  const active = document.activeElement;
  const isIdleField = active instanceof HTMLTextAreaElement && active.value === '';
  const isNowhere = active === null || active === document.body;
  if (isIdleField || isNowhere) element.focus({ preventScroll: true });
}
