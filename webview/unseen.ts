/**
 * Characters that are not seen, or that change the order in which others are: formatting and direction, zero width,
 * blank letters, and control characters but for the line's end and the tab.
 */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|[^\P{Cc}\n\t]/gu;

export interface TextPart {
  readonly text: string;
  /** it stands for a character that would not be seen */
  readonly isUnseen: boolean;
}

/** The text, with the name of every unseen character in its place: `⟨U+202E⟩`. */
export function withUnseen(text: string): string {
  return text.replace(UNSEEN, nameOf);
}

/** {@link withUnseen}, in parts. */
export function partsWithUnseen(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { index, 0: character } of text.matchAll(UNSEEN)) {
    if (index > end) parts.push({ text: text.slice(end, index), isUnseen: false });
    parts.push({ text: nameOf(character), isUnseen: true });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isUnseen: false });
  return parts;
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
