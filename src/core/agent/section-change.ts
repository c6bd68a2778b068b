const INTRO = 'The project memory has changed since it was shown to you; the rest of it is as it was.';
const NEW = 'New in it:';
const GONE = 'No longer in it:';

/**
 * What is to be told of a section of lines where the model knows `before` of it: its new lines and those that are gone,
 * each with the lines that are indented below it. Undefined where only their order has changed. All of `now` where that
 * is shorter.
 */
export function changeInLines(before: string, now: string): string | undefined {
  const added = without(statements(now), statements(before));
  const gone = without(statements(before), statements(now));
  if (added.length === 0 && gone.length === 0) return undefined;
  const text = [
    INTRO,
    ...(added.length > 0 ? [NEW, ...added] : []),
    ...(gone.length > 0 ? [GONE, ...gone] : []),
  ].join('\n');
  return text.length < now.length ? text : now;
}

/** Lines that say something, each with those indented below it. */
function statements(text: string): readonly string[] {
  const found: string[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    if (/^\s/.test(line) && found.length > 0) found.push(`${found.pop()}\n${line}`);
    else found.push(line);
  }
  return found;
}

/** Of equal ones, one is taken away for one. */
function without(all: readonly string[], taken: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const one of taken) left.set(one, (left.get(one) ?? 0) + 1);
  return all.filter((one) => {
    const count = left.get(one) ?? 0;
    if (count > 0) left.set(one, count - 1);
    return count === 0;
  });
}
