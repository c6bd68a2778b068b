/** How a vocabulary takes a text apart, and counts the parts. */
export interface PieceTokenizer {
  /** finds the pieces that are encoded one by one; global and unicode */
  readonly pattern: RegExp;
  /** tokens of one piece, in time that hardly grows faster than its length */
  readonly count: (piece: string) => number;
}

/** The pattern looks at no more than so many characters at once: it may go back and forth in a run without breaks. */
const SLICE = 16 * 1024;

/** What is remembered of pieces may take so much room: their characters, and an entry of the map for each. */
const CACHE_ROOM = 4_000_000;
const ENTRY_ROOM = 16;

/** A short string cut out of a text is a copy; a longer one would keep the whole text in memory. */
const COPIED = 12;

/**
 * Counts texts exactly as the vocabulary's own encoder does. Only a stretch of 16k characters without a space is cut
 * where it should not be, which may cost it a token: one in thousands.
 */
export function createTextCounter({ pattern, count }: PieceTokenizer): (text: string) => number {
  const cache = new Map<string, number>();
  let room = CACHE_ROOM;
  const countPiece = (piece: string): number => {
    const known = cache.get(piece);
    if (known !== undefined) return known;
    const tokens = count(piece);
    if (room < 0) {
      cache.clear();
      room = CACHE_ROOM;
    }
    room -= piece.length + ENTRY_ROOM;
    cache.set(piece.length <= COPIED ? piece : copyOf(piece), tokens);
    return tokens;
  };
  return (text) => {
    let tokens = 0;
    for (const slice of slicesOf(text))
      for (const [piece] of slice.matchAll(pattern)) tokens += countPiece(piece);
    return tokens;
  };
}

function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const slice = text.slice(start, characterBorder(text, start + SLICE));
    const isLast = start + slice.length === text.length;
    const length = isLast ? slice.length : lastBorder(slice);
    yield slice.slice(0, length);
    start += length;
  }
}

/** Before the last space behind a word or a sign: no piece crosses that. */
function lastBorder(slice: string): number {
  for (let at = slice.length - 1; at > 0; at--)
    if (slice.charAt(at) === ' ' && slice.charAt(at - 1).trim() !== '') return at;
  return slice.length;
}

/** This index, or the next where it is inside a character: half of one would be counted as something else. */
function characterBorder(text: string, index: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(index)) ? index + 1 : index;
}

function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
