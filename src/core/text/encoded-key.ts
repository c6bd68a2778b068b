/** A stretch of a text, in UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Longest private key that is known as one, markers included. */
export const MAX_KEY_CHARS = 16_384;

/** `-----BEGIN` in base64, as `base64 key.pem`, the secrets of Kubernetes and settings of build servers have it. */
export const ENCODED_BEGIN = 'LS0tLS1CRUdJTi';

/** Lines go on while they are as long as only base64 is: what is shorter has nothing but a part of the closing marker. */
const ENCODED =
  /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,16000}={0,2}(?:(?:\r\n|\n|\\n)[ \t]{0,16}[A-Za-z0-9+/]{40,200}={0,2}(?=[\s"'\\]|$))*/y;
/** Signs that the kind of a key takes, a multiple of four. */
const KIND_SIGNS = 80;
/** A break, blanks and the shortest line that goes on. */
const LEAST_BEHIND = 64;

/** The private key in base64 that begins at `at`; certificates and public keys are none. */
export function encodedKeyFrom(text: string, at: number, isWhole: boolean): Stretch | 'open' | undefined {
  ENCODED.lastIndex = at;
  const found = ENCODED.exec(text.slice(0, at + MAX_KEY_CHARS))?.[0];
  if (found === undefined || !isPrivate(found)) return undefined;
  const end = at + found.length;
  if (!isWhole && text.length - end < LEAST_BEHIND && found.length < MAX_KEY_CHARS - LEAST_BEHIND)
    return 'open';
  return { start: at, end };
}

function isPrivate(encoded: string): boolean {
  const signs = /^[A-Za-z0-9+/]*/.exec(encoded.slice(0, KIND_SIGNS))?.[0] ?? '';
  return /^-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY/.test(
    atob(signs.slice(0, signs.length - (signs.length % 4))),
  );
}
