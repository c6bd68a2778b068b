/** The nearest place at or before `at` (in UTF-16 units) where cutting the text leaves no half of a surrogate pair. */
export function cutBefore(text: string, at: number): number {
  return splitsPair(text, at) ? at - 1 : at;
}

/** The nearest place at or after `at`, as {@link cutBefore}. */
export function cutAfter(text: string, at: number): number {
  return splitsPair(text, at) ? at + 1 : at;
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
