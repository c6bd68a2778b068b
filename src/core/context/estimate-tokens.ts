import { sampleWindows } from '../model/sample-windows.ts';
import type { CharacterKind } from './character-kinds.ts';
import {
  CYRILLIC,
  DIGIT,
  HAN,
  HANGUL,
  isJoinedHan,
  isJoinedHangul,
  KANA,
  kindOf,
  LETTER,
  LOWER,
  NEWLINE,
  PUNCTUATION,
  SPACE,
  SURROGATE,
  SYMBOL,
  UPPER,
} from './character-kinds.ts';

/** An unbroken run at least so long that changes class so often is a key, a hash or encoded bytes. */
const BLOB_LENGTH = 24;
const BLOB_CHANGES = 0.33;

/** A megabyte of results that nobody has counted yet is looked at in one go when a session is opened: milliseconds. */
const READ = { whole: 2_048, window: 256 };

/**
 * Tokens of a text by the look of its characters, for what no tokenizer has counted yet. The weights follow
 * o200k_base: within a quarter of it on prose, code, JSON, Chinese, Japanese, Korean, Cyrillic, base64 and hex.
 * A long text is sampled, so that it takes a fraction of a millisecond and may run on any path.
 */
export function estimateTokens(text: string): number {
  if (text === '') return 0;
  const { windows, scale } = sampleWindows(text.length, READ);
  const tokens = windows.reduce((sum, { start, end }) => sum + weigh(text, start, end), 0);
  return Math.max(1, Math.ceil(tokens * scale));
}

function weigh(text: string, start: number, end: number): number {
  let tokens = 0;
  let previous: CharacterKind = NEWLINE;
  let blobChecked = start;
  for (let at = start; at < end;) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind <= DIGIT && at >= blobChecked) {
      const blob = scanBlob(text, at, end);
      blobChecked = blob.end;
      if (blob.tokens > 0) {
        tokens += blob.tokens;
        previous = DIGIT;
        at = blob.end;
        continue;
      }
    }
    const next = runEnd(text, at, end);
    tokens += weighRun(text, { kind, at, next, end, previous });
    previous = kind;
    at = next;
  }
  return tokens;
}

/** A word is capitals and then small letters, as in the tokenizer; everything else is a run of its kind. */
function runEnd(text: string, start: number, end: number): number {
  const kind = kindOf(text.charCodeAt(start));
  let at = start + 1;
  if (kind === UPPER) {
    while (at < end && kindOf(text.charCodeAt(at)) === UPPER) at++;
    while (at < end && kindOf(text.charCodeAt(at)) === LOWER) at++;
    return at;
  }
  while (at < end && kindOf(text.charCodeAt(at)) === kind) at++;
  return at;
}

interface Run {
  readonly kind: CharacterKind;
  readonly at: number;
  readonly next: number;
  readonly end: number;
  readonly previous: CharacterKind;
}

function weighRun(text: string, run: Run): number {
  const length = run.next - run.at;
  switch (run.kind) {
    case LOWER:
      return weighWord(text, run);
    case UPPER:
      return weighCapitalised(text, run);
    case DIGIT:
      // A space does not join a number as it joins a word.
      return Math.ceil(length / 3) + (run.previous === SPACE ? 1 : 0);
    case SPACE:
      return weighSpace(text, run);
    case NEWLINE:
      return (run.previous === PUNCTUATION ? 0 : 1) + excess(length, 4) / 16;
    case PUNCTUATION:
      return weighPunctuation(text, run);
    case HAN:
      return sumOver(text, run, (code) => (isJoinedHan(code) ? 0.32 : 0.98));
    case HANGUL:
      return isRepeat(text, run)
        ? length
        : sumOver(text, run, (code) => (isJoinedHangul(code) ? 0.34 : 1.36));
    case KANA:
      return length * 0.72;
    case CYRILLIC:
      return 0.6 + length * 0.2;
    case LETTER:
      return 0.4 + length * 0.36;
    case SYMBOL:
      return weighSymbols(text, run);
    case SURROGATE:
      return length * 0.85;
    default:
      return length;
  }
}

function weighWord(text: string, run: Run): number {
  const length = run.next - run.at;
  if (isRepeat(text, run)) return 1 + length / 8;
  const marks = sumOver(text, run, (code) => (code > 127 ? 0.75 : 0));
  return 1.03 + marks + excess(length, 7) * 0.07 + excess(length, 16) * 0.33;
}

function weighCapitalised(text: string, run: Run): number {
  const length = run.next - run.at;
  if (isRepeat(text, run)) return 1 + length / 8;
  const isShouted = length > 1 && kindOf(text.charCodeAt(run.next - 1)) === UPPER;
  if (isShouted) return 1.05 + excess(length, 3) * 0.3;
  return 1.05 + excess(length, 7) * 0.1 + excess(length, 16) * 0.3;
}

/** One space belongs to the word after it; indentation is one token beside that. */
function weighSpace(text: string, { at, next, end }: Run): number {
  const length = next - at;
  const isBeforeNewline = next < end && kindOf(text.charCodeAt(next)) === NEWLINE;
  if (length === 1 || isBeforeNewline) return excess(length, 80) / 128;
  return 1 + excess(length, 80) / 128;
}

function weighPunctuation(text: string, run: Run): number {
  const length = run.next - run.at;
  if (length === 1) {
    const joinsWord =
      run.previous !== SPACE && run.next < run.end && kindOf(text.charCodeAt(run.next)) <= UPPER;
    return joinsWord ? 0.4 : 1;
  }
  if (length > 4 && isRepeat(text, run)) return 1 + length / 64;
  return 1 + excess(length, 2) * 0.1 + excess(length, 4) * 0.5;
}

/** Lines and boxes are drawn with repeats, and those join; different signs do not. */
function weighSymbols(text: string, run: Run): number {
  let last = -1;
  return sumOver(text, run, (code) => {
    const weight = code === last ? 0.08 : 1;
    last = code;
    return weight;
  });
}

function sumOver(text: string, { at, next }: Run, weight: (code: number) => number): number {
  let sum = 0;
  for (let index = at; index < next; index++) sum += weight(text.charCodeAt(index));
  return sum;
}

/** The same character over and over: the vocabulary has tokens for many of them at once. */
function isRepeat(text: string, { at, next }: Run): boolean {
  if (next - at < 8) return false;
  const first = text.charCodeAt(at);
  for (let index = at + 1; index < next; index++) if (text.charCodeAt(index) !== first) return false;
  return true;
}

/** Looks at the unbroken run of letters and digits from here: where it ends, and its tokens where it is no language. */
function scanBlob(
  text: string,
  start: number,
  end: number,
): { readonly end: number; readonly tokens: number } {
  let at = start;
  let changes = 0;
  let hasCapitals = false;
  let last: CharacterKind = kindOf(text.charCodeAt(start));
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind > DIGIT && code !== PLUS && code !== SLASH && code !== EQUALS && code !== DASH) break;
    if (kind > DIGIT) continue;
    if (kind !== last) changes++;
    if (kind === UPPER) hasCapitals = true;
    last = kind;
  }
  const length = at - start;
  const isBlob = length >= BLOB_LENGTH && changes >= length * BLOB_CHANGES;
  return { end: at, tokens: isBlob ? length * (hasCapitals ? 0.68 : 0.58) : 0 };
}

const PLUS = 0x2b;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const DASH = 0x2d;

function excess(length: number, over: number): number {
  return Math.max(0, length - over);
}

/** Anthropic scales an image down to this edge, and bills a token per so many pixels. */
const MAX_EDGE = 1568;
const PIXELS_PER_TOKEN = 750;
const MAX_IMAGE_TOKENS = 1600;

/** Tokens of an image by its dimensions in pixels; where they are unknown (0), the most an image can cost. */
export function estimateImageTokens(width: number, height: number): number {
  if (!(width > 0 && height > 0)) return MAX_IMAGE_TOKENS;
  const scale = Math.min(1, MAX_EDGE / Math.max(width, height));
  const tokens = Math.ceil((width * scale * height * scale) / PIXELS_PER_TOKEN);
  return Math.min(MAX_IMAGE_TOKENS, Math.max(1, tokens));
}
