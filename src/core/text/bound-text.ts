import { cutAfter, cutBefore } from '../model/cut-text.ts';

/** Most characters (UTF-16 units) that any tool returns. */
export const MAX_RESULT_CHARS = 40_000;

/** At most `max` characters from the start, never half of a surrogate pair or of a joined emoji. */
export function takeStart(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, boundaryAtOrBefore(text, max));
}

/** At most `max` characters from the end, cut as {@link takeStart} does. */
export function takeEnd(text: string, max: number): string {
  return text.length <= max ? text : text.slice(boundaryAtOrAfter(text, text.length - max));
}

/** Well-formed text of at most `max` characters: what is over goes from the middle, and a line says how much. */
export function boundText(text: string, max: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= max) return whole;
  const room = Math.max(0, max - MARK_ROOM);
  const head = takeStart(whole, Math.ceil(room / 2));
  const tail = takeEnd(whole, Math.floor(room / 2));
  return `${head}\n[… ${whole.length - head.length - tail.length} characters left out …]\n${tail}`;
}

const MARK_ROOM = 60;
/** Longest grapheme that is kept together at a cut: a family of emoji takes about a dozen units. */
const MAX_GRAPHEME = 64;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function boundaryAtOrBefore(text: string, at: number): number {
  return graphemeAround(text, at).start;
}

function boundaryAtOrAfter(text: string, at: number): number {
  return graphemeAround(text, at).end;
}

/** Bounds of the grapheme that `at` falls into; both are `at` where it is a boundary already. */
function graphemeAround(text: string, at: number): { readonly start: number; readonly end: number } {
  const from = cutBefore(text, Math.max(0, at - MAX_GRAPHEME));
  const around = text.slice(from, at + MAX_GRAPHEME);
  const segment = graphemes.segment(around).containing(at - from);
  if (segment === undefined || segment.index === at - from) return { start: at, end: at };
  const start = from + segment.index;
  const end = start + segment.segment.length;
  // A "grapheme" without end (a run of combining marks) is cut between code points.
  if (segment.segment.length > MAX_GRAPHEME) return { start: cutBefore(text, at), end: cutAfter(text, at) };
  return { start, end };
}
