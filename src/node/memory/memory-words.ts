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
const LATIN_MARKS = /(?<=\p{Script=Latin})\p{M}+/gu;

/** Longer ones are data; nobody searches for them. */
const MAX_WORD = 100;
const SHORTEST_STEM = 3;

/**
 * The words of a text as a search compares them: small letters, Latin ones without their marks. An identifier is there
 * whole and in parts, a path too, English words with and without their ending, Chinese and its like by pairs.
 */
export function wordsOf(text: string): readonly string[] {
  const plain = folded(text);
  return [
    ...compounds(plain),
    ...spacedRuns(plain).flatMap(spacedWords),
    ...unspacedRuns(plain).flatMap((run) => [...pairs(run), ...lastOf(run)]),
  ].filter((word) => word.length <= MAX_WORD);
}

/** The words that are asked for, and the beginning of a word that the query ends with. */
export interface QueryWords {
  readonly words: readonly string[];
  /** undefined where the query does not end in a word */
  readonly beginning: string | undefined;
}

export function queryWords(query: string): QueryWords {
  const plain = folded(query);
  const words = [
    ...compounds(plain),
    ...spacedRuns(plain).flatMap(spacedWords),
    ...unspacedRuns(plain).flatMap(pairs),
  ].filter((word) => word.length <= MAX_WORD);
  const end = new RegExp(`(?:${UNSPACED_RUN.source}|${SPACED_RUN.source})$`, 'u').exec(
    plain.slice(-MAX_WORD),
  );
  const last = end?.[0];
  return { words: [...new Set(words)], beginning: last === undefined ? undefined : beginningOf(last) };
}

function beginningOf(run: string): string {
  return isUnspaced(run) ? [...run].slice(-2).join('') : run.toLowerCase();
}

function isUnspaced(run: string): boolean {
  return run.search(UNSPACED_RUN) === 0;
}

function folded(text: string): string {
  if (ASCII.test(text)) return text;
  return text.normalize('NFKD').replace(LATIN_MARKS, '').normalize('NFC');
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
  return runs(text, COMPOUND).map((word) => word.toLowerCase());
}

/** Whole, in its parts where it has several, and each without its ending. */
function spacedWords(run: string): readonly string[] {
  const whole = run.toLowerCase();
  const parts = runs(run, PART).map((part) => part.toLowerCase());
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
