/**
 * A terminal's control sequence, whole or cut off by whatever cannot be part of it, or a control character without a
 * picture. A string (a link, a title) ends at its terminator, at the next sequence, or with its line. Linear in the
 * text: no two parts of it can match the same character.
 */
const UNSEEN =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[ -/]*[0-~]?)|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g;

const INCOMPLETE = /^\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b\n]*\u001b?|[ -/]*)$/;
const STRING_THAT_MAY_END = /^\u001b[\]PX^_][^\u0007\u001b\n]*\u001b$/;

const ESCAPE = '\u001b';

/** Where a sequence begins that goes on behind the end of the text; undefined where none does. */
export function incompleteSequenceAt(text: string): number | undefined {
  const last = text.lastIndexOf(ESCAPE);
  if (last < 0) return undefined;
  if (last === text.length - 1 && last > 0) {
    const before = text.lastIndexOf(ESCAPE, last - 1);
    if (before >= 0 && STRING_THAT_MAY_END.test(text.slice(before))) return before;
  }
  return INCOMPLETE.test(text.slice(last)) ? last : undefined;
}

export interface SeenText {
  readonly text: string;
  /** the beginning of a sequence that the text ends in, to be put before the text that follows; bounded */
  readonly held: string;
}

/** What is seen of the text: no control sequences, and no control characters but `\t`, `\n` and `\r`. */
export function seenText(raw: string): SeenText {
  const at = incompleteSequenceAt(raw);
  const complete = at === undefined ? raw : raw.slice(0, at);
  return { text: complete.replace(UNSEEN, ''), held: at === undefined ? '' : stem(raw.slice(at)) };
}

/** The shortest beginning that whatever follows continues in the same way. */
function stem(sequence: string): string {
  const kind = sequence.charAt(1);
  if (kind === '[') return /[ -/]$/.test(sequence) ? `${ESCAPE}[ ` : `${ESCAPE}[`;
  if (kind !== '' && ']PX^_'.includes(kind))
    return sequence.slice(0, 2) + (sequence.endsWith(ESCAPE) && sequence.length > 1 ? ESCAPE : '');
  return kind === '' ? ESCAPE : `${ESCAPE} `;
}
