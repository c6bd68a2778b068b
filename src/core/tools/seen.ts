import type { FileSeen, ToolDetails } from '../model/entry.ts';
import type { FileLocation } from '../ports/files.ts';

/** Folds a result's details into what the model has seen. A look at a part does not undo a look at the whole. */
export function rememberSeen(seen: Map<FileLocation, FileSeen>, details: ToolDetails | undefined): void {
  for (const now of details?.seen ?? []) {
    const before = seen.get(now.file);
    const isKnownWhole = before !== undefined && before.hash === now.hash && before.isPartial !== true;
    if (!isKnownWhole) seen.set(now.file, now);
  }
}
