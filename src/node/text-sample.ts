/** Texts up to so many characters are counted whole. */
const WHOLE = 256 * 1024;
const WINDOW = 8 * 1024;
const WINDOWS = 32;

export interface TextSample {
  /** at most 256k characters together, whatever the text */
  readonly parts: readonly string[];
  /** what the tokens of the parts are multiplied by */
  readonly scale: number;
}

/** The text itself, or evenly spread windows of a long one, so that counting it is bounded work and no large copy. */
export function sampleText(text: string): TextSample {
  if (text.length <= WHOLE) return { parts: [text], scale: 1 };
  const stride = (text.length - WINDOW) / (WINDOWS - 1);
  const parts = Array.from({ length: WINDOWS }, (_, index) => {
    const start = Math.floor(index * stride);
    return text.slice(start, start + WINDOW);
  });
  return { parts, scale: text.length / (WINDOWS * WINDOW) };
}

/** Texts in order, in groups of at most `maxChars` characters each (one longer text is a group of its own). */
export function inGroups(texts: readonly string[], maxChars: number): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let room = 0;
  for (const text of texts) {
    // Empty texts cost something too: a message is bounded in number as well.
    const size = text.length + 1;
    const group = groups.at(-1);
    if (group !== undefined && size <= room) group.push(text);
    else groups.push([text]);
    room = (group !== undefined && size <= room ? room : maxChars) - size;
  }
  return groups;
}
