import { plainLineEnds } from '../live-text.ts';

/** Lines of a text; what the last line end stands before is none. */
export function countLines(text: string): number {
  const lines = linesOf(text);
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

/** The first lines of a text, and the rest. */
export function splitAfter(text: string, lines: number): readonly [above: string, below: string] {
  const all = linesOf(text);
  return [all.slice(0, lines).join('\n'), all.slice(lines).join('\n')];
}

export interface ComparedLine {
  readonly text: string;
  /** it is not in the other text */
  readonly isNew: boolean;
}

/** The lines of a text, beside those that another one has. */
export function linesBeside(text: string, other: string): readonly ComparedLine[] {
  const left = new Map<string, number>();
  for (const line of linesOf(other)) left.set(line, (left.get(line) ?? 0) + 1);
  return linesOf(text).map((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return { text: line, isNew: count <= 0 };
  });
}

function linesOf(text: string): readonly string[] {
  return plainLineEnds(text).split('\n');
}
