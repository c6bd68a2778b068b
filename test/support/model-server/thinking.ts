import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

/** What a signature says of its thinking block, so that the server needs no memory of what it made. */
const seal = z.object({
  model: z.string(),
  /** sha256 of the thinking text */
  text: z.string(),
  /** the conversation before it, the first of {@link Position.bindings} */
  boundTo: z.string(),
  /** of the thinking block before it in the conversation; empty for the first */
  after: z.string(),
});

export type Seal = z.infer<typeof seal>;

const VERSION = 'sim1';

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function mac(key: string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** A signature that says `value`, for those who have the key. */
export function signJson(key: string, value: object): string {
  const content = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${VERSION}.${content}.${mac(key, content).toString('base64url')}`;
}

/** What the signature says; undefined when it was not made with this key. */
export function readSigned(key: string, signature: string): unknown {
  const [version, content = '', check = ''] = signature.split('.');
  if (version !== VERSION) return undefined;
  const expected = mac(key, content);
  const given = Buffer.from(check, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return JSON.parse(Buffer.from(content, 'base64url').toString());
}

/** Signs and checks thinking. Two servers with the same key understand each other's signatures. */
export class ThinkingSigner {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  sign(thinking: string, bound: Omit<Seal, 'text'>): string {
    return signJson(this.#key, { ...bound, text: digest(thinking) });
  }

  /** What the signature says; undefined when it is not of this server or not of this text. */
  read(signature: string, thinking: string): Seal | undefined {
    const { data } = seal.safeParse(readSigned(this.#key, signature));
    return data?.text === digest(thinking) ? data : undefined;
  }
}

/** How a later block names the thinking block before it. */
export function linkTo(signature: string): string {
  return digest(signature);
}
