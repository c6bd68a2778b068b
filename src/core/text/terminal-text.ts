import { controlSequences } from '../model/control-sequences.ts';

/**
 * What a terminal would show of the output in the end: lines overwritten by `\r`, backspaces and erasures are done,
 * colours, links and every other control sequence are gone, the text of links stays.
 */
export function renderTerminal(raw: string): string {
  const marked = markErasures(raw.replaceAll('\r\n', '\n'));
  const plain = marked.replace(SEQUENCES, '').replace(UNSEEN, '');
  return plain.split('\n').map(renderLine).join('\n');
}

/** The text without control sequences and unseen characters; nothing is overwritten, and `\r`, `\n` and tabs stay. */
export function withoutControls(raw: string): string {
  return raw.replace(SEQUENCES, '').replace(CONTROLS, '');
}

/** Where a text that goes on is cut so that no control sequence is: before the one that is not complete, if it is long enough. */
export function completeEnd(text: string): number {
  const from = Math.max(1, text.length - MAX_SEQUENCE);
  const link = text.lastIndexOf('\u001b]');
  if (link >= from && !LINK_END.test(text.slice(link + 2))) return link;
  const string = OPEN_STRING.exec(text.slice(from));
  if (string !== null) return from + string.index;
  const last = text.lastIndexOf('\u001b');
  return last >= from && !SEQUENCE.test(text.slice(last)) ? last : text.length;
}

/** Longer than the address of any link. */
const MAX_SEQUENCE = 4_096;
const LINK_END = /\u0007|\u001b\\|\u009c/;
/** For the device, not for people: ended by a sequence, which may be torn itself. */
const OPEN_STRING = /\u001b[PX^_k][^\u0018\u001a\u001b\u009c]*\u001b?$/;
const SEQUENCE = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|\]|[ -/]+[0-~]|[0-Z\\^-~])/;

const SEQUENCES = new RegExp(controlSequences(), 'g');

const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Private stand-ins for the erasing sequences, which mean something only together with `\r`: control characters, so none of them is text. */
const ERASE_TO_END = '\u0001';
const ERASE_LINE = '\u0002';

function markErasures(raw: string): string {
  return raw
    .replace(/[\u0001\u0002]/g, '')
    .replace(/\u001b\[(?:0|1|2)?K/g, (found) =>
      found === '\u001b[2K' ? ERASE_LINE : found === '\u001b[1K' ? '' : ERASE_TO_END,
    );
}

/** Controls without a picture; `\b`, `\t`, `\n`, `\r` and the stand-ins are still needed. */
const UNSEEN = /[\u0000\u0003-\u0007\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

function renderLine(line: string): string {
  if (!/[\u0001\u0002\b\r]/.test(line)) return line;
  // Only what is written is held: blanks before it cost nothing, however often a long line is erased and begun anew.
  const cells = new Map<number, string>();
  let length = 0;
  let column = 0;
  for (const char of line) {
    switch (char) {
      case '\r':
        column = 0;
        break;
      case '\b':
        column = Math.max(0, column - 1);
        break;
      case ERASE_LINE:
        cells.clear();
        length = 0;
        break;
      case ERASE_TO_END:
        while (length > column) cells.delete(--length);
        break;
      default:
        cells.set(column++, char);
        length = Math.max(length, column);
    }
  }
  return Array.from({ length }, (_, index) => cells.get(index) ?? ' ').join('');
}
