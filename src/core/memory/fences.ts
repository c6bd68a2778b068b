export interface Fence {
  readonly sign: '`' | '~';
  readonly length: number;
}

/** Whether a line may open a block of code. */
export function isFence(line: string): boolean {
  return FENCE.test(line);
}

/** An opening one of backticks has none behind it. Four blanks before it make it code itself. */
const FENCE = /^ {0,3}(?:`{3,}[^`]*|~{3,}.*)$/s;

/** The signs of a line that {@link isFence}. */
export function fenceOf(line: string): Fence {
  const start = line.search(/[^ ]/);
  const sign = line.charAt(start) === '`' ? '`' : '~';
  let end = start;
  while (line.charAt(end) === sign) end++;
  return { sign, length: end - start };
}

/** The fence that a line closes a block with: it has nothing behind it. */
export function closingFence(line: string): Fence | undefined {
  return CLOSING.test(line) ? fenceOf(line) : undefined;
}

const CLOSING = /^ {0,3}(?:`{3,}|~{3,})\s*$/;
