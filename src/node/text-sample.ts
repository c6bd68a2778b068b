import { sampleWindows } from '../core/model/sample-windows.ts';

/** What the tokenizer reads in a fraction of a second; of more, evenly spread stretches stand for the whole. */
const COUNTED = { whole: 256 * 1024, window: 8 * 1024 };

export interface TextSample {
  /** bounded together, whatever the text */
  readonly parts: readonly string[];
  /** what the tokens of the parts are multiplied by */
  readonly scale: number;
}

/** The text itself, or evenly spread windows of a long one, so that counting it is bounded work and no large copy. */
export function sampleText(text: string): TextSample {
  const { windows, scale } = sampleWindows(text.length, COUNTED);
  return { parts: windows.map(({ start, end }) => text.slice(start, end)), scale };
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
