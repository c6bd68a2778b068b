import * as z from 'zod';
import { MEMORY_CATEGORIES } from '../../core/model/memory.ts';
import type { Memory, MemoryId } from '../../core/model/memory.ts';
import type { MemoryChange } from '../../core/ports/memory-store.ts';

/** What this version writes, and all that it reads. */
const JOURNAL_VERSION = 1;

const importance = z.literal([1, 2, 3, 4, 5]);

const memorySchema = z.object({
  id: z.string().min(1),
  text: z.string(),
  category: z.enum(MEMORY_CATEGORIES),
  importance,
  source: z.enum(['user', 'agent', 'extractor']),
  origin: z.object({ sessionId: z.string(), entryId: z.string().startsWith('e') }).exactOptional(),
  status: z.enum(['active', 'proposed']),
  isPinned: z.boolean(),
  createdMs: z.number(),
  updatedMs: z.number(),
  usedMs: z.number().exactOptional(),
  uses: z.number(),
  expiresMs: z.number().exactOptional(),
});

const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('put'), memory: memorySchema }),
  z.object({ kind: z.literal('forget'), id: z.string(), atMs: z.number() }),
  z.object({ kind: z.literal('used'), ids: z.array(z.string()), atMs: z.number() }),
  z.object({ kind: z.literal('base'), file: z.string(), text: z.string().exactOptional() }),
]);

const recordSchema = z.object({
  v: z.literal(JOURNAL_VERSION),
  /** who wrote it: one opening of a store in one process */
  writer: z.string(),
  /** counts up by writer; a record that is met again is known by it */
  seq: z.number().int().positive(),
  changes: z.array(changeSchema),
});

/** A change as it is kept: what is restored is put, with its words. */
export type KeptChange = Exclude<MemoryChange, { kind: 'restore' }>;

/** What one `write` has written. */
export interface JournalRecord {
  readonly writer: string;
  readonly seq: number;
  readonly changes: readonly KeptChange[];
}

/** A line of a journal; `newer`: of a version of the product that came after this one. */
export type JournalLine = JournalRecord | 'damaged' | 'newer';

/** Undefined for what is no memory. */
export function memoryFrom(value: unknown): Memory | undefined {
  const { data } = memorySchema.safeParse(value);
  return data as Memory | undefined;
}

/**
 * The newline before it closes off whatever a crash has left there, also in the middle of a line of another window:
 * nobody has to look.
 */
export function encodeRecord({ writer, seq, changes }: JournalRecord): Buffer {
  return Buffer.from(`\n${JSON.stringify({ v: JOURNAL_VERSION, writer, seq, changes })}\n`);
}

export function parseLine(line: string): JournalLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'damaged';
  }
  const { data } = recordSchema.safeParse(value);
  if (data !== undefined) return data as JournalRecord;
  const isNewer = z.object({ v: z.number().gt(JOURNAL_VERSION) }).safeParse(value).success;
  return isNewer ? 'newer' : 'damaged';
}

/**
 * What is restored is put with its words: who reads the journal later has them no more.
 * @param known a memory as it is, or was when it was forgotten
 */
export function keptChanges(
  changes: readonly MemoryChange[],
  known: (id: MemoryId) => Memory | undefined,
): readonly KeptChange[] {
  const put = new Map<MemoryId, Memory>();
  return changes.flatMap((change) => {
    if (change.kind === 'put') put.set(change.memory.id, change.memory);
    if (change.kind !== 'restore') return [change];
    const memory = put.get(change.id) ?? known(change.id);
    return memory === undefined ? [] : [{ kind: 'put', memory }];
  });
}
