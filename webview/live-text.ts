/** What is seen of a text that grows: of a line that is begun anew by `\r` only what was written last. */
export function lastWritten(text: string): string {
  if (!text.includes('\r')) return text;
  return text
    .split('\n')
    .map((line) => {
      let end = line.length;
      while (line[end - 1] === '\r') end -= 1; // what comes next will write over it
      return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
    })
    .join('\n');
}

/** Line ends of Windows as line ends. */
export function plainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
