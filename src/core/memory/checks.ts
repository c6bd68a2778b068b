import { MAX_MEMORY_CHARS } from '../model/memory.ts';
import { findSecrets, redactText } from '../text/redact.ts';
import { memoriesOf } from './named-alike.ts';
import { parseDocument } from './parse.ts';
import { isPlaceholder } from './placeholder.ts';

/** Why a text must not be remembered: a sentence for the model. Undefined: it may. */
export function objectionToText(text: string): string | undefined {
  if (text.trim() === '') return 'There is no text to remember.';
  if (text.length > MAX_MEMORY_CHARS)
    return `A memory has at most ${MAX_MEMORY_CHARS} characters, and this one has ${text.length}. Say it shorter, or divide it.`;
  if (redactText(text) !== text)
    return 'It holds a secret. Say where the secret is kept instead of what it is.';
  const placeholder = text.split('\n').find(isPlaceholder);
  if (placeholder !== undefined)
    return `“${placeholder.trim()}” stands for a text that is not there. ${WRITE_ALL}`;
  return undefined;
}

const WRITE_ALL = 'Write out everything that is to stay.';

/** Memories or lines of a file so that a shrink is looked at. */
const LEAST_SHRUNK = 6;

/** Why MEMORY.md must not be changed so by a tool: a sentence for the model. Undefined: it may. */
export function objectionToEdit(before: string, after: string): string | undefined {
  const known = new Set(linesOf(before));
  const placeholder = linesOf(after).find((line) => !known.has(line) && isPlaceholder(line));
  if (placeholder !== undefined) return `“${placeholder}” stands for a text that is not there. ${WRITE_ALL}`;
  const secrets = new Set(secretsIn(before));
  if (secretsIn(after).some((secret) => !secrets.has(secret)))
    return 'It puts a secret into the file. Say where the secret is kept instead of what it is.';
  return shrinkOf(before, after);
}

function shrinkOf(before: string, after: string): string | undefined {
  const counts = [
    ['memories', memoriesIn(before), memoriesIn(after)],
    ['lines', linesOf(before).length, linesOf(after).length],
  ] as const;
  for (const [what, had, has] of counts)
    if (had >= LEAST_SHRUNK && has < had / 2)
      return `It would leave ${has} of ${had} ${what}. To forget some, use memory_forget for each of them; to change some, edit only these.`;
  return undefined;
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function memoriesIn(text: string): number {
  return memoriesOf(parseDocument(text)).length;
}

function secretsIn(text: string): readonly string[] {
  return findSecrets(text, { from: 0, isWhole: true }).secrets.map(({ start, end }) =>
    text.slice(start, end),
  );
}

/** Whether two texts are the same but for case, spaces and punctuation at their ends. */
export function sameText(a: string, b: string): boolean {
  return textKey(a) === textKey(b);
}

/** The same for texts that {@link sameText} holds for. */
export function textKey(text: string): string {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).join(' ');
  return withoutEnds(words) || words;
}

const SIGN = /[\p{P}\s]/u;

function withoutEnds(text: string): string {
  const signs = [...text];
  const start = signs.findIndex((sign) => !SIGN.test(sign));
  return start < 0 ? '' : signs.slice(start, 1 + signs.findLastIndex((sign) => !SIGN.test(sign))).join('');
}

/** Words that a text needs so that one that is nearly the same can be told from another. */
const LEAST_WORDS = 6;
const LEAST_ALIKE = 0.85;

/**
 * Whether one says what the other says: most words are in both and in the same order, and nothing differs that turns a
 * statement around (numbers, names of code, negations).
 */
export function isNearlySame(a: string, b: string): boolean {
  if (sameText(a, b)) return true;
  const [one, other] = [wordsOf(a), wordsOf(b)];
  if (one.length < LEAST_WORDS || other.length < LEAST_WORDS) return false;
  const [inOne, inOther] = [new Set(one), new Set(other)];
  const common = [...inOne].filter((word) => inOther.has(word)).length;
  if (common / (inOne.size + inOther.size - common) < LEAST_ALIKE) return false;
  if (!areEqual(one.filter(isDecisive).sort(), other.filter(isDecisive).sort())) return false;
  return areEqual(
    [...inOne].filter((word) => inOther.has(word)),
    [...inOther].filter((word) => inOne.has(word)),
  );
}

function wordsOf(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map(withoutEnds)
    .filter(Boolean)
    .map((word) => (isName(word) ? word : word.toLowerCase()));
}

/** Of code: what differs in a letter is another thing. */
function isName(word: string): boolean {
  return /\d|[\p{L}\d][_/\\.@:=][\p{L}\d]|\p{Ll}\p{Lu}/u.test(word);
}

const NEGATIONS = new Set(
  'no not never none nothing neither nor without avoid except instead unless cannot kein keine keinen nicht nie niemals ohne ne pas jamais sans nunca sin não sem'.split(
    ' ',
  ),
);

function isDecisive(word: string): boolean {
  return isName(word) || NEGATIONS.has(word) || /n[’']t$/.test(word);
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, at) => word === b[at]);
}
