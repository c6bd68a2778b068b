/**
 * Where words begin and end, for text of any language and for code: `parseHTTPResponse_v2` is one run of the words
 * parse, HTTP, Response, v, 2. Reads character codes only, because a whole session is read this way for one query.
 */

const SEPARATOR = 1;
const LOWER = 2;
const UPPER = 3;
const DIGIT = 4;
/** scripts written without spaces, or with endings joined to the word: searched by pairs of characters */
const UNSPACED = 5;

const kinds = new Uint8Array(0x10000);
const lowers = new Uint16Array(0x10000);

function learn(code: number): number {
  const character = String.fromCharCode(code);
  // One unit for one unit: `İ` alone would become two.
  lowers[code] = character.toLowerCase().charCodeAt(0);
  return (kinds[code] = kindOf(character));
}

function kindOf(character: string): number {
  if (
    /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u.test(
      character,
    )
  )
    return UNSPACED;
  if (/\p{Lu}|\p{Lt}/u.test(character)) return UPPER;
  if (/\p{N}/u.test(character)) return DIGIT;
  // Halves of characters beyond the basic plane: letters of rare scripts and emoji, both worth finding.
  return /\p{L}|\p{M}|\p{Cs}/u.test(character) ? LOWER : SEPARATOR;
}

/** {@link SEPARATOR}, {@link LOWER}, {@link UPPER}, {@link UNSPACED} or a digit. */
function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return kinds[code] || learn(code);
}

/** The character's code in small letters; one unit stays one unit. */
function lowerAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (kinds[code] === 0) learn(code);
  return lowers[code] ?? code;
}

export function lowerCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase();
}

export function isWordAt(text: string, at: number): boolean {
  return kindAt(text, at) > SEPARATOR;
}

export function isUnspacedAt(text: string, at: number): boolean {
  return kindAt(text, at) === UNSPACED;
}

/** End of the unbroken run of letters and digits that begins at `at`, or of the run of an unspaced script. */
export function runEnd(text: string, at: number, end: number): number {
  const isUnspaced = isUnspacedAt(text, at);
  let next = at + 1;
  while (next < end) {
    const kind = kindAt(text, next);
    if (kind === SEPARATOR || (kind === UNSPACED) !== isUnspaced) break;
    next += 1;
  }
  return next;
}

/** End of the word that begins at `at` inside of a run: where small letters meet a capital, or letters digits. */
export function wordEnd(text: string, at: number, end: number): number {
  const first = kindAt(text, at);
  let next = at + 1;
  if (first === UPPER) {
    while (next < end && kindAt(text, next) === UPPER) next += 1;
    if (next >= end || kindAt(text, next) !== LOWER) return next;
    if (next - at > 1) return next - 1; // HTTP|Response: the last capital begins the next word
  }
  const kind = first === DIGIT ? DIGIT : LOWER;
  while (next < end && kindAt(text, next) === kind) next += 1;
  return next;
}

/** A number for a word, whatever the size of its letters. Two words have the same so rarely that ranking may ignore it. */
export function wordHash(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5; // FNV-1a
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ lowerAt(text, at), 0x01000193);
  return hash | 0;
}
