/** What the composer does itself when it is asked to with a slash, instead of sending it. */
export const COMPACT = '/compact';

/** The focus of a `/compact`, empty where none is named; undefined where the text is a message. */
export function compactFocus(text: string): string | undefined {
  const [, focus] = /^\/compact(?:\s+([^]*))?$/.exec(text.trim()) ?? [undefined, undefined];
  return text.trim() === COMPACT ? '' : focus;
}

/** The command that `text` is the beginning of, where it is one and not yet the whole. */
export function completion(text: string): string | undefined {
  return text.startsWith('/') && text !== COMPACT && COMPACT.startsWith(text) ? `${COMPACT} ` : undefined;
}
