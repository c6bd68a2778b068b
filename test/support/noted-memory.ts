import type { Memory } from '../../src/core/model/memory.ts';
import { objectionToEdit, objectionToText, sameText } from '../../src/core/memory/checks.ts';
import type { ForgetAnswer, MemoryDraft, ProjectMemoryPort } from '../../src/core/ports/project-memory.ts';

/** A project's memory at the port, kept in an array: for what is about its users. The product's own checks hold. */
export class NotedMemory implements ProjectMemoryPort {
  readonly memories: Memory[] = [];
  readonly proposed: MemoryDraft[] = [];
  readonly searched: [query: string, limit: number][] = [];
  /** ids of what was shown whole */
  readonly told: string[] = [];
  readonly #file: string | undefined;

  /** @param file where MEMORY.md is */
  constructor(file?: string) {
    this.#file = file;
  }

  /** What the prompt would say of it. */
  get section(): string | undefined {
    if (this.memories.length === 0) return undefined;
    return ['# Project memory', '', ...this.memories.map(({ text }) => `- ${text}`)].join('\n');
  }

  write(draft: MemoryDraft): ReturnType<ProjectMemoryPort['write']> {
    const reason = objectionToText(draft.text);
    if (reason !== undefined) return Promise.resolve({ kind: 'refused', reason });
    const known = this.memories.find(({ text }) => sameText(text, draft.text));
    if (known !== undefined) return Promise.resolve({ kind: 'known', memory: known });
    if (draft.replaces !== undefined) void this.forgetTold(draft.replaces);
    const { text, category, importance, origin, days } = draft;
    const now = Date.parse('2026-03-01T12:00:00Z');
    const memory: Memory = {
      ...{ id: `m000000${this.memories.length + 1}`, text, category, importance, origin },
      ...{ source: 'agent', status: 'active', isPinned: false, createdMs: now, updatedMs: now, uses: 0 },
      ...(days !== undefined && { expiresMs: now + days * 86_400_000 }),
    };
    this.memories.push(memory);
    return Promise.resolve({ kind: 'written', memory });
  }

  propose(drafts: readonly MemoryDraft[]): Promise<void> {
    this.proposed.push(...drafts);
    return Promise.resolve();
  }

  search(query: string, limit: number): Promise<readonly Memory[]> {
    this.searched.push([query, limit]);
    return Promise.resolve(this.memories.filter(({ text }) => text.includes(query)).slice(0, limit));
  }

  noteTold(shown: readonly Memory[]): void {
    this.told.push(...shown.map(({ id }) => id));
  }

  forgetTold(what: string): Promise<ForgetAnswer> {
    const memory = this.memories.find(({ id, text }) => id === what || sameText(text, what));
    if (memory === undefined) return Promise.resolve({ kind: 'unknown' });
    this.memories.splice(this.memories.indexOf(memory), 1);
    return Promise.resolve({ kind: 'forgotten', memory });
  }

  objectionTo(file: string, before: string, after: string): string | undefined {
    return file === this.#file ? objectionToEdit(before, after) : undefined;
  }
}
