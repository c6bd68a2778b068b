import { withoutIdComments } from './id-comment.ts';

/**
 * The text of a memory as it is kept, and comes back unchanged when MEMORY.md is written and read: lines without blanks at
 * their ends, none of them empty, without control characters (a blank stands for them), lone surrogates and whatever looks
 * like the comment with an id. May be empty. Doing it again changes nothing.
 */
export function tidyText(text: string): string {
  if (!MAYBE_ODD.test(text) && text.isWellFormed()) return text;
  return withoutIdComments(text.toWellFormed().replace(LINE_ENDS, '\n').replace(CONTROLS, ' '))
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
    .trim();
}

const LINE_ENDS = /\r\n|[\r\u2028\u2029]/g;
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;
/** Most texts are one line that is tidy. */
const MAYBE_ODD = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]|<!-- m|^\s|\s$/;
