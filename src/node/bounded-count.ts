/** A tokenizer that is exact, and whose time grows with the square of a piece's length. */
export interface PieceTokenizer {
  /** how it splits a text into pieces that it encodes one by one; global and unicode */
  readonly pattern: RegExp;
  /** tokens of one piece */
  count(piece: string): number;
}

/** Splitting looks at no more than so much at once; a border costs at most a token. */
const SLICE = 16 * 1024;

/** Pieces of words and code are shorter; up to here the count is exact. Characters. */
const EXACT_LENGTH = 48;

/** Longer pieces are cut into such chunks, and beyond so many chunks only so many are read. */
const CHUNK = 32;
const CHUNKS = 16;

/** The vocabulary has long tokens for one character repeated, so those are read in longer chunks. */
const REPEAT_CHUNK = 128;

const CACHE_ENTRIES = 100_000;

/** What reading a piece costs beside the square of its length, in the same unit. */
const FIXED_WORK = 100;

/** What one call may spend, in squared bytes: one to two seconds of js-tiktoken. */
const WORK = 6_000_000;

/** Tokens per character of what cannot be read in time, as long as nothing better is known. */
const UNREAD_RATIO = 0.5;

/**
 * Counts texts with a bounded amount of work, whatever the texts are. Exact for prose and code. A piece without a
 * break (a run of one character, a key, a script without spaces) is read in chunks, a long one in evenly spread
 * samples: a few percent off. When a call has spent its work, the pieces that are not in the cache are estimated
 * from those it has read.
 */
export function createBoundedCounter(
  tokenizer: PieceTokenizer,
): (texts: readonly string[]) => readonly number[] {
  const cache = new Map<string, number>();
  return (texts) => {
    const call: Call = { tokenizer, cache, work: WORK, readChars: 0, readTokens: 0 };
    return texts.map((text) => Math.round(countText(call, text)));
  };
}

interface Call {
  readonly tokenizer: PieceTokenizer;
  readonly cache: Map<string, number>;
  work: number;
  readChars: number;
  readTokens: number;
}

function countText(call: Call, text: string): number {
  let tokens = 0;
  for (let start = 0; start < text.length;) {
    const end = characterBorder(text, start + SLICE);
    for (const [piece] of text.slice(start, end).matchAll(call.tokenizer.pattern))
      tokens += countPiece(call, piece);
    start = end;
  }
  return tokens;
}

function countPiece(call: Call, piece: string): number {
  if (piece.length <= EXACT_LENGTH) return read(call, piece);
  const first = piece.charAt(0);
  if (piece === first.repeat(piece.length)) {
    const chunk = piece.slice(0, REPEAT_CHUNK);
    return (read(call, chunk) / chunk.length) * piece.length;
  }
  const chunks = Math.min(CHUNKS, Math.ceil(piece.length / CHUNK));
  const isWhole = chunks * CHUNK >= piece.length;
  const stride = isWhole ? CHUNK : (piece.length - CHUNK) / (chunks - 1);
  let tokens = 0;
  let chars = 0;
  for (let index = 0; index < chunks; index++) {
    const start = characterBorder(piece, Math.floor(index * stride));
    const chunk = piece.slice(start, characterBorder(piece, start + CHUNK));
    tokens += read(call, chunk);
    chars += chunk.length;
  }
  return (tokens / chars) * piece.length;
}

/** This index, or the next where it is inside a character: half of one would be counted as something else. */
function characterBorder(text: string, index: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(index)) && index > 0 ? index + 1 : index;
}

function read(call: Call, piece: string): number {
  const known = call.cache.get(piece);
  if (known !== undefined) return known;
  const bytes = Buffer.byteLength(piece);
  const work = bytes * bytes + FIXED_WORK;
  if (work > call.work) {
    call.work = 0;
    const ratio = call.readChars > 0 ? call.readTokens / call.readChars : UNREAD_RATIO;
    return piece.length * ratio;
  }
  call.work -= work;
  const tokens = call.tokenizer.count(piece);
  call.readChars += piece.length;
  call.readTokens += tokens;
  if (call.cache.size >= CACHE_ENTRIES) call.cache.clear();
  call.cache.set(piece, tokens);
  return tokens;
}
