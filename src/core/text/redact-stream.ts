import type { Secret } from './redact.ts';
import { contextOf, findSecrets, markOf } from './redact.ts';

/** Looking anew at what is held back is put off until so much of it is new. */
const LEAST_NEW = 1 / 16;

/**
 * `redactText` over a stream of bytes in any encoding in which ASCII is itself; every other one passes through. What comes
 * out is what went in, byte for byte, but for the secrets, and does not depend on where the stream is cut. A line is held
 * back until it ends, and what may be a key until it is decided: about 64 KB at most,
 * not counting colours and other unseen characters, and with them 16 MB.
 */
export class Redactor {
  /** what was given out already and is still looked back at, then what is held back */
  #held = new Uint8Array();
  #text = '';
  /** where what is held back begins */
  #from = 0;
  #fresh: Uint8Array[] = [];
  #freshBytes = 0;
  #hasBreak = false;

  push(bytes: Uint8Array): Uint8Array {
    if (bytes.length === 0) return new Uint8Array();
    this.#fresh.push(Uint8Array.from(bytes)); // whoever gave them may use the memory again
    this.#freshBytes += bytes.length;
    this.#hasBreak ||= bytes.includes(0x0a) || bytes.includes(0x0d);
    const waiting = this.#text.length - this.#from;
    const least = Math.max(this.#hasBreak ? 0 : MOST_FRESH, waiting * LEAST_NEW);
    return this.#freshBytes >= least ? this.#giveOut(waiting > MOST_HELD) : new Uint8Array();
  }

  /** The rest. */
  end(): Uint8Array {
    const rest = this.#giveOut(true);
    this.#keepFrom(this.#held.length);
    return rest;
  }

  #giveOut(isWhole: boolean): Uint8Array {
    this.#held = join([this.#held, ...this.#fresh]);
    this.#text = [this.#text, ...this.#fresh.map(toLatin1)].join('');
    this.#fresh = [];
    this.#freshBytes = 0;
    this.#hasBreak = false;
    const { secrets, decided } = findSecrets(this.#text, { from: this.#from, isWhole });
    const out = replaced(this.#held, secrets, { from: this.#from, to: decided });
    this.#keepFrom(decided);
    return out;
  }

  #keepFrom(decided: number): void {
    const from = contextOf(this.#text, decided);
    this.#held = this.#held.slice(from);
    this.#text = this.#text.slice(from);
    this.#from = decided - from;
  }
}

const MOST_FRESH = 16_384;
/** Beyond that nearly all is unseen characters, and is decided as it is. */
const MOST_HELD = 16_000_000;

function replaced(
  bytes: Uint8Array,
  secrets: readonly Secret[],
  { from, to }: { readonly from: number; readonly to: number },
): Uint8Array {
  const parts: Uint8Array[] = [];
  let done = from;
  for (const { start, end, what } of secrets) {
    parts.push(bytes.subarray(done, start), new TextEncoder().encode(markOf(what)));
    done = end;
  }
  return join([...parts, bytes.subarray(done, to)]);
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const SLICE = 8_192;

/** One character for each byte, by its number. */
function toLatin1(bytes: Uint8Array): string {
  const parts: string[] = [];
  const toText: (codes: Uint8Array) => string = (codes) =>
    Reflect.apply(String.fromCharCode, undefined, codes) as string;
  for (let at = 0; at < bytes.length; at += SLICE) parts.push(toText(bytes.subarray(at, at + SLICE)));
  return parts.join('');
}
