import { rawIndex, strippedText } from '../text/shown-index.ts';
import { renderTerminal } from '../text/terminal-text.ts';

/** A beginning of an output that was shown, and the file it is in. */
export interface Shown {
  readonly head: string;
  /** what the file begins with; absent where nothing was shown */
  readonly stored?: Uint8Array;
  /** the file may begin later than the output did */
  readonly isLossy: boolean;
}

/** The number of the first line of the file that was not shown to its end. */
export function nextLine(shown: Shown): number {
  const skipped = blankLines(shown);
  return skipped === undefined ? 1 : skipped + shown.head.split('\n').length;
}

/** The first byte of the file that was not shown; an earlier one where that is not known. */
export function nextByte(shown: Shown): number {
  const { head, stored } = shown;
  const skipped = blankLines(shown);
  if (skipped === undefined || head === '') return 0;
  const least = head.includes('\ufffd') ? head.length : bytesOf(head);
  if (stored === undefined) return least;
  const raw = new TextDecoder('utf-8', { ignoreBOM: true }).decode(stored);
  const told = '\n'.repeat(skipped) + head;
  const begun = raw.slice(0, rawIndex(raw, told.length));
  return strippedText(begun) === told && !begun.includes('\ufffd') ? bytesOf(begun) : least;
}

/** Lines before the head that are not told, as nothing is in them; undefined where the file does not hold the head. */
function blankLines({ head, stored, isLossy }: Shown): number | undefined {
  if (stored === undefined || head === '') return 0;
  const rendered = renderTerminal(new TextDecoder().decode(stored));
  const blank = head.startsWith('\n') ? 0 : (/^\n*/.exec(rendered)?.[0].length ?? 0);
  if (isLossy && !rendered.startsWith(head.trimEnd(), blank)) return undefined;
  return blank;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
