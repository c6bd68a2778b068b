/** Scripts that do not put spaces between words, or hang endings onto them: taken two characters at a time. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}' +
  '\\p{Script=Khmer}\\p{Script=Myanmar}ー';
const UNSPACED_RUN = new RegExp(`[${UNSPACED}]+`, 'gu');
const SPACED_RUN = new RegExp(`(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_])+`, 'gu');
/** `src/node/hash.ts`, `plimsoll.model`, `keep-alive`; tried where a word begins only, or a long one would take long. */
const COMPOUND = /(?<![\p{L}\p{N}_])[\p{L}\p{N}_]+(?:[./\\:@#+-]+[\p{L}\p{N}_]+)+/gu;
/** Most texts are plain, and taken apart in a fraction of the time. */
const ASCII = /^[\0-\x7f]*$/;
const ASCII_RUN = /\w+/g;
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lt}\p{Lm}\p{M}]+|\p{Lu}|\p{N}+/gu;
/** `don't`, `l'équipe`; tried where a word begins only, as the compounds are. */
const LETTER = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}]';
const CONTRACTION = new RegExp(
  `(?<![\\p{L}\\p{N}\\p{M}_])${LETTER}[\\p{L}\\p{M}]*(?:'${LETTER}[\\p{L}\\p{M}]*)+`,
  'gu',
);
/** A flag, or one picture of those that are joined to one. */
const PICTURE = /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}/gu;

/** Marks that a word is written without as well; in other scripts they make another word. */
const MARKS = /(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const APOSTROPHES = /[‘’‛ʼ]/g;
/** Soft hyphens, joiners, how a picture is to be drawn, and skin tones. */
const UNSEEN = /[\u00ad\u200d\ufe00-\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;
/** Letters that are written otherwise in capitals, or where a keyboard has none of them. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O' },
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i', ς: 'σ' },
};
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

/** Longer ones are data; nobody searches for them. */
const MAX_WORD = 100;
const SHORTEST_STEM = 3;

/**
 * The words of a text as a search compares them: small letters, Latin ones without their marks. An identifier is there
 * whole and in parts, a path too, English words with and without their ending, Chinese and its like by pairs.
 */
export function wordsOf(text: string): readonly string[] {
  return wordsIn(normalised(text), (run) => [...pairs(run), ...lastOf(run)]);
}

/** @param ofUnspaced the words of a run that has no spaces */
function wordsIn(plain: string, ofUnspaced: (run: string) => readonly string[]): readonly string[] {
  return [
    ...compounds(plain),
    ...contractions(plain),
    ...spacedRuns(plain).flatMap(spacedWords),
    ...unspacedRuns(plain).flatMap(ofUnspaced),
    ...pictures(plain),
  ].filter((word) => word.length <= MAX_WORD);
}

/** The words that are asked for, and the beginning of a word that the query ends with. */
export interface QueryWords {
  readonly words: readonly string[];
  /** undefined where the query does not end in a word */
  readonly beginning: string | undefined;
}

export function queryWords(query: string): QueryWords {
  const plain = normalised(query);
  return { words: [...new Set(wordsIn(plain, pairs))], beginning: beginningIn(plain.slice(-MAX_WORD)) };
}

/** Of `don't` the whole, as with `t` too many words begin; of `l'équ` what is behind the article. */
function beginningIn(plain: string): string | undefined {
  const last = LAST_RUN.exec(plain)?.[0];
  if (last === undefined) return undefined;
  const contraction = last.length < SHORTEST_STEM ? LAST_CONTRACTION.exec(plain)?.[0] : undefined;
  return contraction === undefined ? beginningOf(last) : joined(contraction);
}

const LAST_RUN = new RegExp(`(?:${UNSPACED_RUN.source}|${SPACED_RUN.source})$`, 'u');
const LAST_CONTRACTION = new RegExp(`${CONTRACTION.source}$`, 'u');

function beginningOf(run: string): string {
  return isUnspaced(run) ? [...run].slice(-2).join('') : small(run);
}

function isUnspaced(run: string): boolean {
  return run.search(UNSPACED_RUN) === 0;
}

/** A text or a query as its words are taken from it: in one way of writing, but with its capitals, which part names. */
function normalised(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .replace(MARKS, '')
    .replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? letter)
    .replace(APOSTROPHES, "'")
    .normalize('NFC');
}

/** The end of a Greek word has a small letter of its own. */
function small(word: string): string {
  return word.toLowerCase().replaceAll('ς', 'σ');
}

function runs(text: string, kind: RegExp): readonly string[] {
  return text.match(kind) ?? [];
}

function spacedRuns(text: string): readonly string[] {
  return runs(text, ASCII.test(text) ? ASCII_RUN : SPACED_RUN);
}

function unspacedRuns(text: string): readonly string[] {
  return ASCII.test(text) ? [] : runs(text, UNSPACED_RUN);
}

function compounds(text: string): readonly string[] {
  return runs(text, COMPOUND).map(small);
}

function contractions(text: string): readonly string[] {
  return text.includes("'") ? runs(text, CONTRACTION).map(joined) : [];
}

function joined(contraction: string): string {
  return small(contraction.replaceAll("'", ''));
}

function pictures(text: string): readonly string[] {
  return ASCII.test(text) ? [] : runs(text, PICTURE);
}

/** Whole, in its parts where it has several, and each without its ending. */
function spacedWords(run: string): readonly string[] {
  const whole = small(run);
  const parts = runs(run, PART).map(small);
  const words = parts.length > 1 ? [whole, ...parts] : [whole];
  return words.flatMap((word) => {
    const stem = stemOf(word);
    return stem === word ? [word] : [word, stem];
  });
}

/** Without its English ending, so that `decisions` finds a decision. */
function stemOf(word: string): string {
  const ending = /^[a-z]{5,}$/.test(word) ? (/(?:ing|ed|es|(?<!s)s)$/.exec(word)?.[0] ?? '') : '';
  const stem = word.slice(0, word.length - ending.length);
  return stem.length < SHORTEST_STEM ? word : stem;
}

function pairs(run: string): readonly string[] {
  const characters = [...run];
  if (characters.length <= 2) return [run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Of a pair its first character finds it as a beginning, its second does not. */
function lastOf(run: string): readonly string[] {
  const characters = [...run];
  return characters.length > 1 ? characters.slice(-1) : [];
}
