import { takeStart } from '../text/bound-text.ts';
import { redactText } from '../text/redact.ts';
import { isFence } from './fences.ts';
import { withoutIdComments } from './id-comment.ts';

/** UTF-8 bytes of one line, so that it cannot take all of the view. */
const MAX_LINE_BYTES = 1_000;
const REST = '… [the rest of this line is in MEMORY.md]';

/** Characters of a line that are looked at: more than is shown, so that no secret is cut in two before it is redacted. */
const MAX_READ = 16_384;

/**
 * A line of MEMORY.md as the model sees it: without ids, of bounded length, and unable to speak as anything but a note: tags
 * that could end what it stands in are broken, as are roles, and headings that could begin another section.
 */
export function lineInView(raw: string): string {
  const long = raw.length > MAX_READ ? raw.slice(0, MAX_READ) : raw;
  const line = withoutIdComments(long.toWellFormed().replace(CONTROLS, ' ')).trimEnd();
  const harmless = line
    .replace(TAGS, '<\\$1')
    .replace(ROLES, '$1\\$2')
    .replace(/^( {0,3})#(?= )/, '$1##')
    .replace(/^( {0,3})(?==+$)/, '$1\\');
  return shortened(harmless, long !== raw);
}

const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/g;
const TAGS =
  /<(\/(?=[a-z])|(?=(?:system|context-summary|conversation|instructions|human|user|assistant)\b))/gi;
const ROLES = /^(\s*)((?:system|human|assistant) ?:)/i;

/** A line of prose outside of a block of code: it must not begin one. */
export function proseInView(raw: string): string {
  const line = lineInView(raw);
  return isFence(line) ? `\\${line}` : line;
}

/** What stands before a text in the view, at most. */
const LONGEST_LEAD = '- 2026-03-09: ';

/** Whether a memory's text is in the view with nothing left out. */
export function isShownWhole(text: string): boolean {
  return text.split('\n').every((line) => !lineInView(LONGEST_LEAD + line).endsWith(REST));
}

function shortened(line: string, isCut: boolean): string {
  if (!isCut && byteLength(line) <= MAX_LINE_BYTES) return line;
  const safe = redactText(line);
  if (!isCut && byteLength(safe) <= MAX_LINE_BYTES) return safe;
  const room = MAX_LINE_BYTES - byteLength(REST);
  let bytes = 0;
  let end = 0;
  for (const character of safe) {
    bytes += byteLength(character);
    if (bytes > room) break;
    end += character.length;
  }
  return takeStart(safe, end) + REST;
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
