const NEWLINE = 0x0a;
/** How far back a line end is looked for. */
const LONGEST_LINE = 65_536;

/** How many of the bytes go into a part with so much room: to the end of a line, or of a character, where there is one. */
export function wholeLines(bytes: Uint8Array, room: number): number {
  if (bytes.length <= room) return bytes.length;
  const newline = bytes.lastIndexOf(NEWLINE, room - 1);
  if (newline >= 0 && newline > room - LONGEST_LINE) return newline + 1;
  let end = room;
  while (end > room - 4 && end > 1 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
