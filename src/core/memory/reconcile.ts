import type { Memory, MemoryId } from '../model/memory.ts';
import { AGENT_IMPORTANCE, USER_IMPORTANCE } from '../model/memory.ts';
import type { MemoryChange } from '../ports/memory-store.ts';
import { appendItems, BLANK_LINE } from './append-items.ts';
import { textKey } from './checks.ts';
import type { DocumentItem, DocumentMemory, MemoryDocument } from './document.ts';
import { idsIn, memoriesOf } from './named-alike.ts';
import { parseDocument } from './parse.ts';
import { isBlank, renderDocument } from './render.ts';
import { tidyText } from './tidy.ts';

/**
 * MEMORY.md as the store would have it: the person's part laid out as it was, with the texts of now, and what was learnt in
 * order. Proposals are left out.
 * @param memories those that the file is to show
 */
export function documentOf(layout: MemoryDocument, memories: readonly Memory[]): MemoryDocument {
  const active = memories.filter(({ status }) => status === 'active');
  const users = new Map(
    active.filter(({ source }) => source === 'user').map((memory) => [memory.id, memory]),
  );
  const kept = layout.items.flatMap((item) => itemNow(item, users));
  const shown = idsIn({ ...layout, items: kept, learnt: [] });
  const bullet = layout.items.findLast((item) => item.kind === 'memory')?.bullet ?? '-';
  const others = [...users.values()]
    .filter(({ id }) => !shown.has(id))
    .sort((a, b) => a.createdMs - b.createdMs || inOrder(a.id, b.id))
    .map(({ id, text }): DocumentItem => ({ kind: 'memory', id, text, bullet }));
  const learnt = active.filter(({ source }) => source !== 'user').sort(byRank);
  return settled({ ...layout, items: appendItems(kept, others), learnt: learnt.map(learntOf) });
}

/** As it would be read again. What was learnt is written as it is read: thousands need not be. */
function settled({ learnt, ...layout }: MemoryDocument): MemoryDocument {
  const { items, hasBom, eol } = parseDocument(renderDocument({ ...layout, learnt: [] }));
  if (learnt.length === 0) return { items, hasBom, eol, learnt };
  const isOneLine = items.length < 2 && !items.some(({ text }) => text.includes('\n'));
  return {
    hasBom: layout.hasBom,
    eol: isOneLine ? layout.eol : eol,
    items: items.length === 0 || isBlank(items.at(-1)) ? items : [...items, BLANK_LINE],
    learnt,
  };
}

function itemNow(item: DocumentItem, users: ReadonlyMap<MemoryId, Memory>): readonly DocumentItem[] {
  if (item.kind === 'prose' || item.id === undefined) return [item];
  const memory = users.get(item.id);
  const { kind, id, bullet } = item;
  return memory === undefined ? [] : [{ kind, id, bullet, text: memory.text }];
}

function learntOf({ id, text, importance, category }: Memory): DocumentMemory {
  return { kind: 'memory', id, text: tidyText(text), bullet: '-', importance, category };
}

function byRank(a: Memory, b: Memory): number {
  return (
    Number(b.isPinned) - Number(a.isPinned) ||
    b.importance - a.importance ||
    lastMs(b) - lastMs(a) ||
    inOrder(a.id, b.id)
  );
}

function lastMs({ usedMs = 0, updatedMs }: Memory): number {
  return Math.max(usedMs, updatedMs);
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface ReconcileOptions {
  readonly document: MemoryDocument;
  /** those that the file shows, and proposals */
  readonly memories: readonly Memory[];
  readonly newId: () => MemoryId;
  readonly nowMs: number;
  readonly isForgotten: (id: MemoryId) => boolean;
}

/**
 * What makes the store say what the document says. The document that is given back has the ids of what is new, and is
 * what {@link documentOf} makes of it and the changed store.
 */
export function changesOf({ document, memories, newId, nowMs, isForgotten }: ReconcileOptions): {
  readonly changes: readonly MemoryChange[];
  readonly document: MemoryDocument;
} {
  const known = new Map(memories.map((memory) => [memory.id, memory]));
  const named = withIds(document, known, () => {
    for (;;) {
      const id = newId();
      if (!known.has(id) && !isForgotten(id)) return id;
    }
  });
  const puts: Memory[] = [];
  const after = new Map<MemoryId, Memory>();
  const put = (place: Place) => (item: DocumentItem) => {
    if (item.kind === 'prose' || item.id === undefined) return;
    const text = tidyText(item.text);
    if (text === '') return;
    const before = known.get(item.id);
    const memory = memoryNow({ item, id: item.id, text, place, before, nowMs });
    after.set(item.id, memory);
    if (memory !== before) puts.push(memory);
  };
  named.items.forEach(put('items'));
  named.learnt.forEach(put('learnt'));
  const gone = memories.filter(({ id, status }) => status === 'active' && !after.has(id));
  const changes: MemoryChange[] = [
    ...puts.map((memory) => ({ kind: 'put' as const, memory })),
    ...gone.map(({ id }) => ({ kind: 'forget' as const, id, atMs: nowMs })),
  ];
  return { changes, document: documentOf(named, [...after.values()]) };
}

type Place = 'items' | 'learnt';

/**
 * The bullets that have no id get one: that of a memory with the same text which stands nowhere else, or a new one. What
 * is said twice stays without.
 */
function withIds(
  document: MemoryDocument,
  known: ReadonlyMap<MemoryId, Memory>,
  newId: () => MemoryId,
): MemoryDocument {
  const shown = idsIn(document);
  const said = new Set(
    memoriesOf(document).flatMap(({ id, text }) => (id === undefined ? [] : [tidyText(text)])),
  );
  const free = new Map<string, MemoryId>();
  for (const { id, text } of known.values()) if (!shown.has(id)) free.set(textKey(text), id);
  const items = document.items.map((item): DocumentItem => {
    if (item.kind === 'prose' || item.id !== undefined) return item;
    const text = tidyText(item.text);
    if (text === '' || said.has(text)) return item;
    said.add(text);
    const key = textKey(text);
    const id = free.get(key) ?? newId();
    free.delete(key);
    return { ...item, id };
  });
  return { ...document, items };
}

interface Said {
  readonly item: DocumentMemory;
  readonly id: MemoryId;
  /** tidied */
  readonly text: string;
  readonly place: Place;
  readonly before: Memory | undefined;
  readonly nowMs: number;
}

/** The memory as the document says it: the one before where it says nothing else. */
function memoryNow({ item, id, text, place, before, nowMs }: Said): Memory {
  if (before === undefined) return newMemory({ item, id, text, place, nowMs });
  const { importance = before.importance, category = before.category } = item;
  const isChanged = text !== before.text || importance !== before.importance || category !== before.category;
  const source = place === 'items' ? 'user' : before.source;
  if (!isChanged && source === before.source && before.status === 'active') return before;
  const updatedMs = text === before.text ? before.updatedMs : nowMs;
  return { ...before, text, importance, category, source, status: 'active', updatedMs };
}

/** What somebody typed, what was forgotten and is there again, and what came with the file from another machine. */
function newMemory({ item, id, text, place, nowMs }: Omit<Said, 'before'>): Memory {
  const isUsers = place === 'items';
  return {
    id,
    text,
    category: item.category ?? (isUsers ? 'convention' : 'fact'),
    importance: item.importance ?? (isUsers ? USER_IMPORTANCE : AGENT_IMPORTANCE),
    source: isUsers ? 'user' : 'agent',
    status: 'active',
    isPinned: false,
    createdMs: nowMs,
    updatedMs: nowMs,
    uses: 0,
  };
}
