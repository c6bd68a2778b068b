import type { DocumentItem, MemoryDocument } from '../core/memory/document.ts';
import { VIEW_ENDS } from '../core/memory/document.ts';
import type { MemoryView } from '../core/memory/memory-view.ts';
import type { MemorySnapshot } from '../core/memory/project-memory.ts';
import { renderDocument } from '../core/memory/render.ts';
import type { Memory } from '../core/model/memory.ts';
import type { MemoryMeasure, MemoryRow, MemoryState } from '../protocol/memory.ts';

/** What the snapshot does not know. */
export interface MemoryPlace {
  readonly store: string;
  readonly path: string;
  /** the session that is shown */
  readonly sessionId: string;
}

export function memoryState(snapshot: MemorySnapshot, place: MemoryPlace): MemoryState {
  const { document, view, memories, proposals, notices, text } = snapshot;
  const row = (memory: Memory, isShown: boolean) => memoryRow(memory, { isShown, place });
  return {
    store: place.store,
    path: place.path,
    text,
    measure: measureOf(document, view),
    memories: inOrderOf(document, memories).map(({ memory, index }) => row(memory, isAbove(index, view))),
    proposals: proposals.map((memory) => row(memory, false)),
    notices,
  };
}

/** What a document takes of its bounds: where all of it is seen, what the view takes; else more than that. */
export function measureOf(document: MemoryDocument, view: MemoryView): MemoryMeasure {
  const { entries, bytes, tokens, endsAt } = view;
  if (endsAt === undefined) return { entries, bytes, tokens };
  const items = itemsOf(document);
  const rest = items.slice(endsAt);
  const restBytes = rest.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
  return {
    entries: items.filter(({ kind }) => kind === 'memory').length,
    bytes: bytes + restBytes,
    tokens: tokens + Math.ceil((tokens * restBytes) / Math.max(1, bytes)),
    shownLines: linesAbove(document, endsAt),
  };
}

function linesAbove(document: MemoryDocument, endsAt: number): number {
  const lines = renderDocument(document, { endsAt }).split(/\r?\n/);
  const at = lines.indexOf(VIEW_ENDS);
  return at < 0 ? lines.length : at;
}

function memoryRow(
  { origin, ...memory }: Memory,
  { isShown, place }: { readonly isShown: boolean; readonly place: MemoryPlace },
): MemoryRow {
  const { id, text, category, importance, source, isPinned, createdMs, updatedMs, usedMs, uses } = memory;
  return {
    ...{ id, text, category, importance, source, isPinned, isShown, createdMs, updatedMs, uses },
    ...(usedMs !== undefined && { usedMs }),
    ...(origin && { origin: { ...origin, isHere: origin.sessionId === place.sessionId } }),
  };
}

interface Placed {
  readonly memory: Memory;
  /** among the document's items; -1 for one that is not in it: it has expired */
  readonly index: number;
}

function inOrderOf(document: MemoryDocument, memories: readonly Memory[]): readonly Placed[] {
  const index = new Map(
    itemsOf(document).map((item, at) => [item.kind === 'memory' ? item.id : undefined, at] as const),
  );
  return memories
    .map((memory) => ({ memory, index: index.get(memory.id) ?? -1 }))
    .sort((a, b) => (a.index < 0 ? Infinity : a.index) - (b.index < 0 ? Infinity : b.index) || 0);
}

function isAbove(index: number, { endsAt }: MemoryView): boolean {
  return index >= 0 && (endsAt === undefined || index < endsAt);
}

function itemsOf({ items, learnt }: MemoryDocument): readonly DocumentItem[] {
  return [...items, ...learnt];
}
