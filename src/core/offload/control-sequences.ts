import { renderTerminal } from '../text/terminal-text.ts';

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

/** Whether something in the text may be written over or erased. */
export function isOverwritten(raw: string): boolean {
  return /\r(?!\n)|[\b]|\u001b\[2K/.test(raw);
}

/** As {@link seenText}, of a row without its line end: what a terminal would show in the end. */
export function settledText(raw: string): SeenText {
  if (!isOverwritten(raw)) return seenText(raw);
  const marked = raw
    .replace(/\u001b\[([0-2]?)K/g, (_, what: string) => (what === '1' ? '' : what === '2' ? LINE : TO_END))
    .replaceAll('\b', BACK);
  const { text, held } = seenText(marked);
  const moves = text.replaceAll(TO_END, '\u001b[K').replaceAll(LINE, '\u001b[2K').replaceAll(BACK, '\b');
  return { text: renderTerminal(moves), held };
}

/** Stand-ins, which are no characters, for what moves and erases while the other sequences go. */
const TO_END = '\ufdd0';
const LINE = '\ufdd1';
const BACK = '\ufdd2';

/** The shortest beginning that whatever follows continues in the same way. */
function stem(sequence: string): string {
  const kind = sequence.charAt(1);
  if (kind === '[') return /[ -/]$/.test(sequence) ? `${ESCAPE}[ ` : `${ESCAPE}[`;
  if (kind !== '' && ']PX^_'.includes(kind))
    return sequence.slice(0, 2) + (sequence.endsWith(ESCAPE) && sequence.length > 1 ? ESCAPE : '');
  return kind === '' ? ESCAPE : `${ESCAPE} `;
}
