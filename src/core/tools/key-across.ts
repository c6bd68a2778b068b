import { MAX_KEY_CHARS } from '../text/encoded-key.ts';
import { keyAcross } from '../text/private-key.ts';
import { markOf } from '../text/redact.ts';
import type { PageLine } from './line-page.ts';
import type { ByteSource } from './secrets-across.ts';
import { asText } from './secrets-across.ts';

/** What is in the place of a key's rest at the beginning of a page. */
export const KEY_MARK = markOf('private key');

/**
 * Where the private key ends that a page begins in, so that the page shows none of it; undefined where it begins in none.
 * @param at byte of the source, which is in UTF-8
 */
export async function keyEndAt(source: ByteSource, at: number): Promise<number | undefined> {
  const from = Math.max(0, at - MAX_KEY_CHARS);
  const around = await source.read(from, Math.min(source.size, at + MAX_KEY_CHARS));
  const key = keyAcross(asText(around), at - from);
  return key === undefined ? undefined : from + key.end;
}

/** As {@link keyEndAt}, of a text and by its characters; 0 where the page begins in no key. */
export function keyEndIn(text: string, at: number): number {
  const from = Math.max(0, at - MAX_KEY_CHARS);
  const key = keyAcross(text.slice(from, at + MAX_KEY_CHARS), at - from);
  return key === undefined ? 0 : from + key.end;
}

/** The line without the characters at its beginning that are a key's. */
export function withoutKey(line: PageLine, covered: number): PageLine {
  const hidden = Math.min(covered, line.text.length);
  if (hidden <= 0) return line;
  return {
    ...line,
    text: KEY_MARK + line.text.slice(hidden),
    byteAt: (character) => line.byteAt(Math.max(0, character - KEY_MARK.length) + hidden),
  };
}
