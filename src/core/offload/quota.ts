import type { FileLocation, FilePort } from '../ports/files.ts';

/** The kept outputs of a session. */
export interface SessionOutputs {
  readonly sessionId: string;
  readonly bytes: number;
  /** when the newest of them was changed, ms since the epoch */
  readonly newestMs: number;
}

export interface QuotaRules {
  /** bytes that all outputs together may take; null: any */
  readonly quota: number | null;
  readonly current: string | undefined;
  /** whether there still is such a session */
  readonly exists: (outputs: SessionOutputs) => boolean;
}

/** What has to go for the outputs to be within the quota; both oldest first. */
export interface QuotaPlan {
  /** of sessions that are gone: nobody can look at them any more */
  readonly remove: readonly SessionOutputs[];
  /** what would have to go as well, of sessions that are still there: only after asking */
  readonly ask: readonly SessionOutputs[];
  /** bytes of all outputs now */
  readonly total: number;
}

/** Takes no more than is needed, and never anything of the current session. */
export function planQuota(
  outputs: readonly SessionOutputs[],
  { quota, current, exists }: QuotaRules,
): QuotaPlan {
  const total = bytesOf(outputs);
  const oldestFirst = outputs
    .filter(({ sessionId }) => sessionId !== current)
    .toSorted((a, b) => a.newestMs - b.newestMs);
  const over = quota === null ? 0 : total - quota;
  const remove = enough(
    oldestFirst.filter((session) => !exists(session)),
    over,
  );
  const ask = enough(
    oldestFirst.filter((session) => exists(session)),
    over - bytesOf(remove),
  );
  return { remove, ask, total };
}

export function bytesOf(outputs: readonly SessionOutputs[]): number {
  return outputs.reduce((sum, { bytes }) => sum + bytes, 0);
}

function enough(outputs: readonly SessionOutputs[], needed: number): readonly SessionOutputs[] {
  let left = needed;
  return outputs.filter(({ bytes }) => {
    const isNeeded = left > 0;
    if (isNeeded) left -= bytes;
    return isNeeded;
  });
}

/** What is in the folder, by session. What cannot be read counts as nothing. */
export async function measureOutputs(
  files: FilePort,
  folder: FileLocation,
): Promise<readonly SessionOutputs[]> {
  const sessions = await listOrNothing(files, folder);
  const outputs: SessionOutputs[] = [];
  for (const { name, kind, isSymlink } of sessions) {
    if (kind !== 'directory' || isSymlink) continue;
    const stats = await statsIn(files, `${folder}/${name}`);
    outputs.push({
      sessionId: name,
      bytes: stats.reduce((sum, { size }) => sum + size, 0),
      newestMs: stats.reduce((newest, { modifiedMs }) => Math.max(newest, modifiedMs), 0),
    });
  }
  return outputs;
}

async function statsIn(files: FilePort, folder: FileLocation) {
  const items = await listOrNothing(files, folder);
  const stats = [];
  for (const { name } of items) {
    const stat = await files.stat(`${folder}/${name}`).catch(() => undefined);
    if (stat?.kind === 'file') stats.push(stat);
  }
  return stats;
}

async function listOrNothing(files: FilePort, folder: FileLocation) {
  return files.list(folder).catch(() => []);
}

export interface Expired {
  /** bytes that are free again */
  readonly bytes: number;
  /** sessions whose outputs could not be removed */
  readonly failed: number;
}

/** Removes the outputs of whole sessions. Never rejects: what cannot be removed is counted, and stays. */
export async function expire(
  files: FilePort,
  folder: FileLocation,
  outputs: readonly SessionOutputs[],
): Promise<Expired> {
  let bytes = 0;
  let failed = 0;
  for (const output of outputs) {
    try {
      await files.remove(`${folder}/${output.sessionId}`);
      bytes += output.bytes;
    } catch {
      failed += 1;
    }
  }
  return { bytes, failed };
}
