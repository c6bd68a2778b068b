import type { SearchMatch } from '../ports/search.ts';
import { findSecrets } from '../text/redact.ts';
import type { ToolContext } from './define-tool.ts';
import { joinLocation } from './location.ts';
import { KEY_MARK } from './key-across.ts';
import { MAX_TEXT_BYTES } from './text-file.ts';

/** What may be a line of a private key, or a part of one. */
const BODY = /[A-Za-z0-9+/]{16}/;
/** Read to see whether matches are in keys, in all. */
const MAX_READ_BYTES = 100_000_000;

/**
 * The matches without the lines of private keys: a line alone does not tell that it is one.
 * @param directory that their paths are relative to
 */
export async function withoutKeys(
  matches: readonly SearchMatch[],
  directory: string,
  { files, codec }: Pick<ToolContext, 'files' | 'codec'>,
): Promise<readonly SearchMatch[]> {
  const suspects = new Set(matches.filter(mayBeOfKey).map(({ path }) => path));
  const keys = new Map<string, readonly KeyLines[]>();
  let room = MAX_READ_BYTES;
  for (const path of suspects) {
    const location = joinLocation(directory, path);
    const size = (await files.stat(location).catch(() => undefined))?.size ?? 0;
    if (size > Math.min(room, MAX_TEXT_BYTES)) continue;
    room -= size;
    const decoded = codec.decode(await files.read(location).catch(() => new Uint8Array()));
    if (decoded.kind === 'text') keys.set(path, keyLines(decoded.text));
  }
  return matches.map((match) => {
    const isOfKey = keys
      .get(match.path)
      ?.some(({ first, last }) => first <= match.line && match.line <= last);
    return isOfKey === true && mayBeOfKey(match)
      ? { path: match.path, line: match.line, text: KEY_MARK }
      : match;
  });
}

/** Where the key's beginning is seen too, the line is redacted like any other text. */
function mayBeOfKey({ text }: SearchMatch): boolean {
  return BODY.test(text) && !text.includes('-----BEGIN ');
}

/** Lines of a file, from 1. */
interface KeyLines {
  readonly first: number;
  readonly last: number;
}

function keyLines(text: string): readonly KeyLines[] {
  if (!text.includes('PRIVATE KEY')) return [];
  const lines: KeyLines[] = [];
  let line = 1;
  let counted = 0;
  const lineAt = (at: number) => {
    for (let end = text.indexOf('\n', counted); end >= 0 && end < at; end = text.indexOf('\n', counted)) {
      counted = end + 1;
      line += 1;
    }
    return line;
  };
  for (const { start, end, what } of findSecrets(text, { from: 0, isWhole: true }).secrets)
    if (what === 'private key') lines.push({ first: lineAt(start), last: lineAt(end) });
  return lines;
}
