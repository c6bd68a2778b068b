import { controlSequences } from '../model/control-sequences.ts';

/** A text as it is read, without the control sequences and controls in it, and where its characters stand in the raw one. */
export interface Seen {
  readonly text: string;
  /** where the character stands that is at `at` in the text */
  readonly rawOf: (at: number) => number;
  /** where the first character stands in the text that is at `raw` or behind it */
  readonly seenOf: (raw: number) => number;
}

/**
 * Longest row of unseen characters that is taken out, however many sequences it is: of what a stream holds back, no more
 * than that stands between two characters that are seen.
 */
export const MAX_UNSEEN = 8_192;
/** Longest string for the device, so that with its ends it is such a row. */
const MAX_STRING = 8_000;

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/**
 * Every other byte of UTF-16 is a NUL: these belong to its characters. So do, in other encodings, the bytes that are
 * controls by their number; as bytes of UTF-8, a control has one before it.
 */
const UNSEEN = new RegExp(
  [
    `(?:\\u00c2(?=[\\u0090\\u0098\\u009b\\u009d-\\u009f]))?(?:${controlSequences(MAX_STRING)})`,
    String.raw`[\u0001-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]{1,64}`,
    String.raw`\u00c2[\u0080-\u009f]|(?<![\u0080-\u00ff])[\u0080-\u009f](?![\u0080-\u00ff])`,
    String.raw`(?<!\0[^\0])\0{1,64}(?![^\0]\0)`,
  ].join('|'),
  'g',
);

/** Undefined where all of the text is seen. */
export function withoutUnseen(raw: string): Seen | undefined {
  if (!CONTROL.test(raw)) return undefined;
  const cuts = unseenIn(raw);
  if (cuts.length === 0) return undefined;
  const parts: string[] = [];
  const starts: number[] = []; // in the text, each behind a cut
  let length = 0;
  let done = 0;
  for (const { start, end } of cuts) {
    parts.push(raw.slice(done, start));
    length += start - done;
    starts.push(length);
    done = end;
  }
  const rawOf = (at: number) => {
    const cut = countUpTo(starts, at) - 1;
    return cut < 0 ? at : at - (starts[cut] ?? 0) + (cuts[cut]?.end ?? 0);
  };
  const seenOf = (at: number) => {
    const cut = cuts.findLastIndex(({ start }) => start <= at);
    return cut < 0 ? at : (starts[cut] ?? 0) + Math.max(0, at - (cuts[cut]?.end ?? 0));
  };
  return { text: parts.join('') + raw.slice(done), rawOf, seenOf };
}

interface Cut {
  readonly start: number;
  readonly end: number;
}

function unseenIn(raw: string): readonly Cut[] {
  const rows: { start: number; end: number }[] = [];
  for (const { index, 0: found } of raw.matchAll(UNSEEN)) {
    const last = rows.at(-1);
    if (last?.end === index) last.end += found.length;
    else rows.push({ start: index, end: index + found.length });
  }
  return rows.filter(({ start, end }) => end - start <= MAX_UNSEEN);
}

/** How many of the numbers, which rise, are not above `most`. */
function countUpTo(numbers: readonly number[], most: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
