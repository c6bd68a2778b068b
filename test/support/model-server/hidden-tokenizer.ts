import { referenceCount } from '../reference-tokenizer.ts';
import type { TokenizeText } from './tokens.ts';

/** How much more than the reference it counts. */
const FACTOR = 1.13;

const MOST_UNBROKEN = 48;
const LONGEST_LINE = 600;
const UNBROKEN = new RegExp(String.raw`\S{${MOST_UNBROKEN + 1}}`, 'u');
const LINE = /[^\n]*\n*/gu;
const WORD = /[^\S\n]?\S+|\s+/gu;

/**
 * A tokenizer that no client has: 13% more than the one clients estimate with, so that a client has to learn the
 * factor from the usage it is told. Linear: it counts line by line, each once, and cuts unbroken runs, which the
 * reference is quadratic in.
 */
export function hiddenTokenizer(): TokenizeText {
  const known = new Map<string, number>();
  const countPiece = (piece: string): number => {
    const tokens = known.get(piece) ?? referenceCount(piece);
    known.set(piece, tokens);
    return tokens;
  };
  const countWord = (word: string): number => {
    if (word.length <= MOST_UNBROKEN) return countPiece(word);
    let tokens = 0;
    for (let from = 0; from < word.length; from += MOST_UNBROKEN)
      tokens += countPiece(word.slice(from, from + MOST_UNBROKEN).toWellFormed());
    return tokens;
  };
  const countLine = (line: string): number => {
    if (line.length <= LONGEST_LINE && !UNBROKEN.test(line)) return countPiece(line);
    let tokens = 0;
    for (const [word] of line.matchAll(WORD)) tokens += countWord(word);
    return tokens;
  };
  return (text) => {
    let tokens = 0;
    for (const [line] of text.matchAll(LINE)) tokens += countLine(line);
    return Math.ceil(tokens * FACTOR);
  };
}
