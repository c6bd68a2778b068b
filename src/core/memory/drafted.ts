import type { Memory } from '../model/memory.ts';
import type { MemoryDraft } from '../ports/project-memory.ts';

const DAY_MS = 86_400_000;

/** The memory that a draft becomes. */
export function memoryOf(
  draft: MemoryDraft,
  { nowMs, ...as }: Pick<Memory, 'id' | 'source' | 'status'> & { readonly nowMs: number },
): Memory {
  const { text, category, importance, origin, days } = draft;
  return {
    ...{ text, category, importance, origin, ...as },
    ...{ isPinned: false, createdMs: nowMs, updatedMs: nowMs, uses: 0 },
    ...(days !== undefined && { expiresMs: nowMs + days * DAY_MS }),
  };
}

/** What a memory becomes when the same is said again: it holds longer, and matters more. Itself where it does not. */
export function reinforced(known: Memory, { importance, days }: MemoryDraft, nowMs: number): Memory {
  const expiresMs = laterOf(known.expiresMs, days === undefined ? undefined : nowMs + days * DAY_MS);
  if (importance <= known.importance && expiresMs === known.expiresMs) return known;
  const { expiresMs: _before, ...rest } = known;
  return {
    ...rest,
    importance: importance > known.importance ? importance : known.importance,
    ...(expiresMs !== undefined && { expiresMs }),
  };
}

/** Undefined is never, and later than any time. */
function laterOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.max(a, b);
}
