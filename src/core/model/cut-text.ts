/** The nearest place at or before `at` (in UTF-16 units) where cutting the text leaves no half of a surrogate pair. */
export function cutBefore(text: string, at: number): number {
  return splitsPair(text, at) ? at - 1 : at;
}

/** The nearest place at or after `at`, as {@link cutBefore}. */
export function cutAfter(text: string, at: number): number {
  return splitsPair(text, at) ? at + 1 : at;
}

/** Most characters of a line that a match shows. */
const MAX_LINE_CHARS = 500;
/** Characters kept before the place that matched, where the line is too long to be shown whole. */
const LEAD_CHARS = 100;

/** What a match shows of its line: all of it, or what is around the place that matched. */
export function excerpt(text: string, at: number): string {
  if (text.length <= MAX_LINE_CHARS) return text;
  const start = at < MAX_LINE_CHARS - LEAD_CHARS ? 0 : cutAfter(text, at - LEAD_CHARS);
  const end = cutBefore(text, start + MAX_LINE_CHARS);
  return (start > 0 ? '…' : '') + text.slice(start, end) + (end < text.length ? '…' : '');
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
