export interface PatchLine {
  readonly kind: 'added' | 'removed' | 'context' | 'gap';
  /** in the new file, of a removed line in the old one; absent for a gap */
  readonly number?: number;
  readonly text: string;
}

/**
 * The lines of a unified patch as a person reads them: no file header, a gap between hunks. Read by hand, as a patch that
 * was cut to a bound has hunks shorter than their headers say, which the library that made it refuses. A line end of
 * Windows is part of the text only where not all lines have it: then the change may be about it.
 */
export function patchLines(patch: string): readonly PatchLine[] {
  const lines: PatchLine[] = [];
  let oldLine = 0;
  let newLine = 0;
  let isInHunk = false;
  for (const line of patch.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) {
      oldLine = Number(hunk[1]);
      newLine = Number(hunk[2]);
      if (isInHunk) lines.push({ kind: 'gap', text: '' });
      isInHunk = true;
    } else if (isInHunk && line !== '') {
      lines.push(bodyLine(line, oldLine, newLine));
      if (!line.startsWith('+') && !line.startsWith('\\')) oldLine++;
      if (!line.startsWith('-') && !line.startsWith('\\')) newLine++;
    }
  }
  return lines.every(({ kind, text }) => kind === 'gap' || text.endsWith('\r'))
    ? lines.map((line) => ({ ...line, text: line.text.replace(/\r$/, '') }))
    : lines;
}

function bodyLine(line: string, oldLine: number, newLine: number): PatchLine {
  const text = line.slice(1);
  if (line.startsWith('+')) return { kind: 'added', number: newLine, text };
  if (line.startsWith('-')) return { kind: 'removed', number: oldLine, text };
  // `\ No newline at end of file`, and what a bound put in place of the rest
  if (!line.startsWith(' ')) return { kind: 'gap', text: line.replace(/^\\ /, '') };
  return { kind: 'context', number: newLine, text };
}
