/** What the composer does itself when it is asked to with a slash, instead of sending it; in any case of letters. */
export const COMPACT = '/compact';

/** The focus of a `/compact`, empty where none is named; undefined where the text is a message. */
export function compactFocus(text: string): string | undefined {
  const [command, focus = ''] = /^\/compact(?:\s+([^]*))?$/i.exec(text.trim()) ?? [];
  return command === undefined ? undefined : focus;
}

/** The command that `text` is the beginning of, where it is one and not yet the whole. */
export function completion(text: string): string | undefined {
  const typed = text.toLowerCase();
  return typed.startsWith('/') && typed !== COMPACT && COMPACT.startsWith(typed) ? `${COMPACT} ` : undefined;
}
