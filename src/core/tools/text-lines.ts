export type LineEnding = '\n' | '\r\n' | '\r';

/** A line and where it is in the text. */
export interface TextLine {
  /** without its ending */
  readonly text: string;
  /** of its first character, in UTF-16 units */
  readonly start: number;
}

/** The lines of a text; an ending at the very end begins no further line. `\r` alone ends lines only where no `\n` does. */
export function splitLines(text: string): readonly TextLine[] {
  const lines: TextLine[] = [];
  const ending = text.includes('\n') ? /\r?\n/g : /\r/g;
  let start = 0;
  for (const found of text.matchAll(ending)) {
    lines.push({ text: text.slice(start, found.index), start });
    start = found.index + found[0].length;
  }
  if (start < text.length) lines.push({ text: text.slice(start), start });
  return lines;
}

/** The text with `\r\n` read as `\n`, as a model sees it. */
export function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The one ending that all lines have; undefined where they differ or there is only one line. */
export function uniformEnding(text: string): '\n' | '\r\n' | undefined {
  const all = text.split('\n').length - 1;
  const crlf = text.split('\r\n').length - 1;
  if (all === 0) return undefined;
  return crlf === all ? '\r\n' : crlf === 0 ? '\n' : undefined;
}
