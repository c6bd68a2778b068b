/**
 * Characters that are not seen, or that change the order in which others are: formatting and direction, zero width,
 * blank letters, and control characters but for the line's end and the tab. What joins two pictures into one is seen.
 */
const UNSEEN =
  /(?!(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d\p{Extended_Pictographic})(?:[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|[^\P{Cc}\n\t])/gu;

/** Where a text would be cut into more parts the rest stays in one, so that it is drawn as fast as any other. */
const MOST_PARTS = 1_000;

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
    if (parts.length >= MOST_PARTS) break;
    if (index > end) parts.push({ text: text.slice(end, index), isUnseen: false });
    parts.push({ text: nameOf(character), isUnseen: true });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ text: withUnseen(text.slice(end)), isUnseen: false });
  return parts;
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
