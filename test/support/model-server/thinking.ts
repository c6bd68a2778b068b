import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

/** What a signature says of its thinking block, so that the server needs no memory of what it made. */
const seal = z.object({
  model: z.string(),
  /** sha256 of the thinking text */
  text: z.string(),
  /** the conversation before it, {@link Position.boundTo} */
  boundTo: z.string(),
  /** of the thinking block before it in the conversation; empty for the first */
  after: z.string(),
});

export type Seal = z.infer<typeof seal>;

const VERSION = 'sim1';

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function mac(key: string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Signs and checks thinking. Two servers with the same key understand each other's signatures. */
export class ThinkingSigner {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  sign(thinking: string, bound: Omit<Seal, 'text'>): string {
    const content = Buffer.from(JSON.stringify({ ...bound, text: digest(thinking) })).toString('base64url');
    return `${VERSION}.${content}.${mac(this.#key, content).toString('base64url')}`;
  }

  /** What the signature says; undefined when it is not of this server or not of this text. */
  read(signature: string, thinking: string): Seal | undefined {
    const [version, content = '', check = ''] = signature.split('.');
    if (version !== VERSION) return undefined;
    const expected = mac(this.#key, content);
    const given = Buffer.from(check, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const { data } = seal.safeParse(JSON.parse(Buffer.from(content, 'base64url').toString()));
    return data?.text === digest(thinking) ? data : undefined;
  }
}

/** How a later block names the thinking block before it. */
export function linkTo(signature: string): string {
  return digest(signature);
}
