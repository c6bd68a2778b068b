/** How an expression may behave on an engine that backtracks. */
export interface Backtracking {
  /** a repeated group can be read in several ways: the time may double with every character */
  readonly isExponential: boolean;
  /** repetitions without end: the time may grow as the length of the text to this power */
  readonly degree: number;
}

interface Group {
  /** something in it repeats, or it is a choice */
  isLoose: boolean;
}

/** Judges a regular expression by its look: careful rather than right. */
export function judgeBacktracking(pattern: string): Backtracking {
  const open: Group[] = [{ isLoose: false }];
  let isExponential = false;
  let degree = 0;
  for (const { token, isRepeated } of tokens(pattern)) {
    const group = open.at(-1) ?? { isLoose: false };
    if (isRepeated) degree++;
    if (token === '(') open.push({ isLoose: false });
    else if (token === ')') {
      if (open.length > 1) open.pop();
      isExponential ||= isRepeated && group.isLoose;
      const outer = open.at(-1);
      if (outer !== undefined) outer.isLoose ||= group.isLoose || isRepeated;
    } else group.isLoose ||= isRepeated || token === '|';
  }
  return { isExponential, degree };
}

/** An escape, a class or a character, with the quantifier behind it. */
const TOKEN = /(\\.|\[(?:\\.|[^\]\\])*\]|[^])((?:[*+]|\{\d+,\d*\})?)/g;

function tokens(pattern: string): { readonly token: string; readonly isRepeated: boolean }[] {
  return [...pattern.matchAll(TOKEN)].map(([, token = '', repeat]) => ({ token, isRepeated: repeat !== '' }));
}
