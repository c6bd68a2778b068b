import { LOOK_AHEAD, LOOK_BEHIND } from '../text/redact-rules.ts';
import type { Secret } from '../text/redact.ts';
import { findSecrets } from '../text/redact.ts';

export interface ByteSource {
  readonly size: number;
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A stretch of a source in bytes, or of a text in characters. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** The secrets that a page alone would not tell: it has not all of them, or not what stands beside them. */
export async function secretsAtEdges(source: ByteSource, { start, end }: Extent): Promise<readonly Secret[]> {
  const from = Math.max(0, start - LOOK_AHEAD - LOOK_BEHIND);
  const text = asText(await source.read(from, Math.min(source.size, end + LOOK_AHEAD)));
  const { secrets } = findSecrets(text, { from: from === 0 ? 0 : LOOK_BEHIND, isWhole: true });
  return secrets
    .map((secret) => ({
      ...{ what: secret.what, at: from + secret.at },
      ...{ start: from + secret.start, end: from + secret.end },
    }))
    .filter((secret) => secret.end > start && (secret.at - LOOK_BEHIND < start || isCut(secret, end)));
}

/** Where what is shown ends that would end in a secret: before it, unless it begins in it too. */
export function endBefore(secrets: readonly Secret[], { start, end }: Extent): number {
  return secrets.reduceRight(
    (least, secret) => (secret.at > start && isCut(secret, least) ? secret.at : least),
    end,
  );
}

/** Where what is shown of a text ends that is cut at `end`: not in a secret. */
export function endBeforeSecret(text: string, end: number): number {
  const { secrets } = findSecrets(text.slice(0, end + LOOK_AHEAD), { from: 0, isWhole: true });
  return endBefore(secrets, { start: -1, end });
}

/** What is looked at behind a secret. */
const MAX_BEHIND = 2;

function isCut({ at, end }: Secret, where: number): boolean {
  return at < where && where < end + MAX_BEHIND;
}

/** One character for each byte: what secrets begin and end with is ASCII. */
export function asText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}
