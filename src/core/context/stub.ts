import { assertNever } from '../model/assert-never.ts';
import type { ToolResultEntry } from '../model/entry.ts';
import type { EvictedItem } from '../model/relief-entry.ts';
import { textOf } from './entry-text.ts';

/** What stands in the view for a result that left it: what it was, how large, why it went and how to get it back. */
export function evictedContent(entry: ToolResultEntry, item: EvictedItem): string {
  const text = textOf(entry);
  const images = entry.content.filter(({ type }) => type === 'image').length;
  const size = `${text.length.toLocaleString('en-US')} characters${images > 0 ? `, ${images} images` : ''}`;
  const kept = entry.details?.output;
  const all =
    kept?.isUnfinished === true
      ? 'What it printed is'
      : `All ${kept?.bytes.toLocaleString('en-US')} bytes of it are`;
  const whole = kept === undefined ? '' : ` ${all} in ${kept.path}.`;
  const back = `Nothing is lost: recall with entry "${entry.id}" shows it as it was.${whole}`;
  const note = `[Out of view to save room: ${entry.name} ${entry.target}, ${size}${reasonOf(item)}. ${back}]`;
  if (item.keep === undefined || text.length <= item.keep) return note;
  const half = Math.floor(item.keep / 2);
  // A cut through a character leaves half of it, which the wire mends.
  return `${text.slice(0, half)}\n${note}\n${text.slice(text.length - half)}`;
}

function reasonOf({ reason, see }: EvictedItem): string {
  const where = see === undefined ? '' : ` (${see})`;
  switch (reason) {
    case 'duplicate':
      return `; the same text stands further on${where}`;
    case 'superseded':
      return `; the file was read again or changed later${where}`;
    case 'large':
    case 'image':
    case 'asked':
      return '';
    default:
      return assertNever(reason);
  }
}
