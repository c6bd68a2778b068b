import type { IncomingHttpHeaders } from 'node:http';
import { betasOf, KNOWN_BETAS } from '../betas.ts';
import { invalidRequest } from '../refusal.ts';
import type { Refusal } from '../refusal.ts';

/** What comes before anybody reads the body as a prompt. */

export interface DoorOptions {
  /** the only key that is let in; undefined lets any key in */
  readonly apiKey: string | undefined;
  /** bytes */
  readonly maxBodyBytes: number;
}

export const DOOR_RULES = [
  'credentials',
  'version-header',
  'beta-header',
  'body-size',
  'json',
  'unicode',
] as const;

/** The key a request brings: as a bearer token, or as `x-api-key`. */
function keyOf(headers: IncomingHttpHeaders): string {
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  const header = headers['x-api-key'];
  return bearer ?? (typeof header === 'string' ? header : '');
}

export function checkCredentials(headers: IncomingHttpHeaders, options: DoorOptions): Refusal | undefined {
  const key = keyOf(headers);
  const isWelcome = options.apiKey === undefined ? key !== '' : key === options.apiKey;
  if (isWelcome) return undefined;
  const message = key === '' ? 'x-api-key header is required' : 'invalid x-api-key';
  return { status: 401, type: 'authentication_error', message };
}

export function checkVersion(headers: IncomingHttpHeaders): Refusal | undefined {
  const version = headers['anthropic-version'];
  if (version === undefined) return invalidRequest('anthropic-version: header is required');
  if (typeof version === 'string' && /^20\d\d-\d\d-\d\d$/.test(version)) return undefined;
  return invalidRequest(`anthropic-version: "${version}" is not a valid version`);
}

export function checkBetas(headers: IncomingHttpHeaders): Refusal | undefined {
  const unknown = betasOf(headers).filter((name) => !KNOWN_BETAS.has(name));
  if (unknown.length === 0) return undefined;
  const names = unknown.map((name) => `\`${name}\``).join(', ');
  return invalidRequest(`Unexpected value(s) ${names} for the \`anthropic-beta\` header.`);
}

export function checkSize(bytes: number, options: DoorOptions): Refusal | undefined {
  if (bytes <= options.maxBodyBytes) return undefined;
  return { status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' };
}

/** Parses the bytes, or says what is wrong with them. */
export function parseJson(bytes: Uint8Array): { readonly value: unknown } | { readonly refusal: Refusal } {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch (error) {
    return { refusal: invalidRequest(`The request body is not valid JSON: ${(error as Error).message}`) };
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Half a surrogate pair is legal in JavaScript and in JSON's grammar, but no Unicode text. */
export function checkUnicode(value: unknown, path = ''): Refusal | undefined {
  if (typeof value === 'string') {
    if (!LONE_SURROGATE.test(value)) return undefined;
    return invalidRequest(`The request body is not valid JSON: no low surrogate in string: ${path}`);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const refusal = checkUnicode(name, path) ?? checkUnicode(inner, path === '' ? name : `${path}.${name}`);
    if (refusal) return refusal;
  }
  return undefined;
}
