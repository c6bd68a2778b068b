import { nextTrigger } from './redact-rules.ts';
import { contextOf, findSecrets, markOf, openKeyFrom } from './redact.ts';

/** How far back in a line that has not ended a secret may have begun, where it is not all one word. */
const LOOK_BACK = 300;
/** Between the name of a secret and its value. */
const BETWEEN = 128;
/** What a line ends in that may be the beginning of a secret, or a line of a key. */
const BEGINNING = /(?:[Ss]ecret (?:[Aa]ccess )?)?[A-Za-z0-9_:/+=-]*$/;

/**
 * `redactText` over a text that people watch as it comes: lines when they end, and of the last one what cannot be part of
 * a secret, so that a question that waits for its answer is seen. The rest is held back until more comes.
 */
export class LiveRedactor {
  /** what was given out already and is still looked back at, then what is held back */
  #text = '';
  /** where what is held back begins */
  #from = 0;

  /** @returns what can be shown by now, maybe nothing */
  push(piece: string): string {
    const text = this.#text + piece;
    const { secrets, decided } = findSecrets(text, { from: this.#from, isWhole: false });
    const parts: string[] = [];
    let done = this.#from;
    for (const { start, end, what } of secrets) {
      parts.push(text.slice(done, start), markOf(what));
      done = end;
    }
    const to = harmlessUpTo(text, decided);
    parts.push(text.slice(done, to));
    const kept = contextOf(text, to);
    this.#text = text.slice(kept);
    this.#from = to - kept;
    return parts.join('');
  }
}

function harmlessUpTo(text: string, decided: number): number {
  if (/[\r\n]/.test(text.slice(decided))) return decided; // lines that may be a key's
  const rest = text.slice(decided);
  const word = /\S*$/.exec(rest.slice(-LOOK_BACK))?.index ?? 0;
  const isOneWord = word === 0 && rest.length > LOOK_BACK;
  const start = isOneWord ? wordStart(rest) - BETWEEN : rest.length - LOOK_BACK;
  const trigger = nextTrigger(text, decided + Math.max(0, start), text.length);
  const tail = rest.slice(-LOOK_BACK);
  const beginning = text.length - (BEGINNING.exec(tail)?.[0].length ?? 0);
  return Math.max(decided, Math.min(trigger, beginning, openKeyFrom(text, decided)));
}

function wordStart(line: string): number {
  return 1 + Math.max(line.lastIndexOf(' '), line.lastIndexOf('\t'));
}
