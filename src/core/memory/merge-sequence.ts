import { LCS } from 'node-diff3';

/** How often a line may stand in a text before it is told apart by the one above it: blank lines and fences are many. */
const MOST_EQUAL = 16;

/** Lines of both beyond which the shortest difference is not looked for, and how far a line is looked for then. */
const MOST_COMPARED = 16_000;
const MOST_SKIPPED = 2_000;

/** What one side did to a base: which of its lines it kept, and what it put before each of them (the last: at the end). */
export interface Edits<T> {
  /** for each line of the base that was kept, the side's own */
  readonly kept: ReadonlyMap<number, T>;
  readonly added: ReadonlyMap<number, readonly T[]>;
}

/** @param tokenOf what makes two of them the same line; never empty */
export function editsOf<T>(base: readonly T[], side: readonly T[], tokenOf: (item: T) => string): Edits<T> {
  const kept = new Map<number, T>();
  const added = new Map<number, T[]>();
  const put = (gap: number, items: readonly T[]) => {
    if (items.length > 0) added.set(gap, [...(added.get(gap) ?? []), ...items]);
  };
  let done = 0;
  for (const [at, from] of pairsOf(base.map(tokenOf), side.map(tokenOf))) {
    put(at, side.slice(done, from));
    kept.set(at, side[from] as T);
    done = from + 1;
  }
  put(base.length, side.slice(done));
  return { kept, added };
}

/** What both sides put into one place: mine first, what is in both once. */
export function joined<T>(
  mine: readonly T[],
  theirs: readonly T[],
  tokenOf: (item: T) => string,
): readonly T[] {
  if (mine.length === 0 || theirs.length === 0) return mine.length === 0 ? theirs : mine;
  const mineTokens = mine.map(tokenOf);
  const theirTokens = theirs.map(tokenOf);
  const room = countsOf(theirTokens);
  for (const token of mineTokens) room.set(token, (room.get(token) ?? 0) - 1);
  const result: T[] = [];
  let [done, seen] = [0, 0];
  const take = (upToMine: number, upToTheirs: number) => {
    result.push(...mine.slice(done, upToMine));
    for (let at = seen; at < upToTheirs; at++) {
      const token = theirTokens[at] ?? '';
      const left = room.get(token) ?? 0;
      if (left <= 0) continue; // mine has it elsewhere
      room.set(token, left - 1);
      result.push(theirs[at] as T);
    }
  };
  for (const [inMine, inTheirs] of pairsOf(mineTokens, theirTokens)) {
    take(inMine, inTheirs);
    result.push(mine[inMine] as T);
    [done, seen] = [inMine + 1, inTheirs + 1];
  }
  take(mine.length, theirs.length);
  return result;
}

export function countsOf(tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

type Pair = readonly [number, number];

/** Which tokens of both are the same, in order. */
function pairsOf(one: readonly string[], other: readonly string[]): readonly Pair[] {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const middle = pairsBetween(
    distinct(one.slice(start, one.length - end)),
    distinct(other.slice(start, other.length - end)),
  );
  return [
    ...Array.from({ length: start }, (_, at): Pair => [at, at]),
    ...middle.map(([a, b]): Pair => [start + a, start + b]),
    ...Array.from({ length: end }, (_, at): Pair => [one.length - end + at, other.length - end + at]),
  ];
}

function pairsBetween(one: readonly string[], other: readonly string[]): readonly Pair[] {
  if (one.length === 0 || other.length === 0) return [];
  if (one.length + other.length > MOST_COMPARED) return pairsAsTheyCome(one, other);
  const pairs: Pair[] = [];
  for (let at: ReturnType<typeof LCS> | null = LCS([...one], [...other]); at !== null; at = at.chain)
    if (at.buffer1index >= 0) pairs.push([at.buffer1index, at.buffer2index]);
  return pairs.reverse();
}

/** In linear time: what was moved up is not found again, and so are the lines before the place where it stands now. */
function pairsAsTheyCome(one: readonly string[], other: readonly string[]): readonly Pair[] {
  const places = new Map<string, number[]>();
  for (let at = other.length - 1; at >= 0; at--) {
    const token = other[at] ?? '';
    const known = places.get(token);
    if (known === undefined) places.set(token, [at]);
    else known.push(at);
  }
  const pairs: Pair[] = [];
  let done = -1;
  one.forEach((token, at) => {
    const known = places.get(token) ?? [];
    while ((known.at(-1) ?? Infinity) <= done) known.pop();
    const found = known.pop();
    if (found === undefined || found > done + MOST_SKIPPED) return;
    pairs.push([at, found]);
    done = found;
  });
  return pairs;
}

/** Tokens that stand often are told apart by what stands above them: the work grows with how often one is found. */
function distinct(tokens: readonly string[]): readonly string[] {
  const counts = countsOf(tokens);
  let above = '';
  let distance = 0;
  return tokens.map((token) => {
    if ((counts.get(token) ?? 0) <= MOST_EQUAL) {
      above = token;
      distance = 0;
      return token;
    }
    distance++;
    return `${token}\n${distance}\n${above}`;
  });
}
