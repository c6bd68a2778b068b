/** The bullet that a line at the margin begins with, if there is something behind it and the line is no rule. */
export function bulletOf(line: string): { readonly bullet: string; readonly rest: string } | undefined {
  const bullet = line.charAt(0);
  if (!'-*+'.includes(bullet) || line.charAt(1) !== ' ' || line.trimEnd().length < 2) return undefined;
  if (RULE.test(line)) return undefined;
  return { bullet, rest: line.slice(2) };
}

const RULE = /^([-*])(?: +\1)+\s*$/;

/** The line behind those of a bullet: what is indented below it is its own, be it behind blank lines. */
export function endOfBullet(lines: readonly string[], at: number): number {
  let end = at + 1;
  for (let next = end; next < lines.length; next++) {
    const line = lines[next] ?? '';
    if (isBlankLine(line)) continue;
    if (!line.startsWith('  ')) break;
    end = next + 1;
  }
  return end;
}

export function isBlankLine(line: string): boolean {
  return line.trim() === '';
}
