import type { Memory } from '../../../src/core/model/memory.ts';
import type { MemoryChange } from '../../../src/core/ports/memory-store.ts';

/** A memory of which a test says only what it is about. */
export function memory(id: string, text: string, more: Partial<Memory> = {}): Memory {
  return {
    ...{ id, text, category: 'fact', importance: 3, source: 'agent', status: 'active' },
    ...{ isPinned: false, createdMs: 1, updatedMs: 1, uses: 0 },
    ...more,
  };
}

export function put(id: string, text: string, more: Partial<Memory> = {}): MemoryChange {
  return { kind: 'put', memory: memory(id, text, more) };
}

export function forget(id: string, atMs = 5): MemoryChange {
  return { kind: 'forget', id, atMs };
}
