/** Gives a field another text, with cursor and scrolling where they were in what has not changed. */
export function replaceText(field: HTMLTextAreaElement, text: string): void {
  const before = field.value;
  if (before === text) return;
  const { selectionStart, selectionEnd, selectionDirection, scrollTop } = field;
  const place = placeIn(before, text);
  field.value = text;
  // Of a field without the focus the browser would scroll it to its cursor.
  field.setSelectionRange(place(selectionStart), place(selectionEnd), selectionDirection);
  field.scrollTop = scrollTop;
}

/** Where a place in one text is in the other: what is common at the beginning and at the end, or the line. */
function placeIn(before: string, after: string): (offset: number) => number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const moved = after.length - before.length;
  return (offset) => {
    if (offset <= start) return offset;
    if (offset >= before.length - end) return offset + moved;
    return inSameLine(before, after, offset) ?? Math.min(offset, after.length - end);
  };
}

/** Where the first line like the one at `offset` is, at the same column. */
function inSameLine(before: string, after: string, offset: number): number | undefined {
  const start = before.lastIndexOf('\n', offset - 1) + 1;
  const line = before.slice(start).split('\n', 1)[0] ?? '';
  const found = `\n${after}\n`.indexOf(`\n${line}\n`);
  return line === '' || found < 0 ? undefined : found + offset - start;
}
