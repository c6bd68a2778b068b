import type { Memory, MemoryId } from '../model/memory.ts';
import { AGENT_IMPORTANCE, USER_IMPORTANCE } from '../model/memory.ts';
import type { MemoryChange } from '../ports/memory-store.ts';
import { appendItems, BLANK_LINE } from './append-items.ts';
import { textKey } from './checks.ts';
import type { DocumentItem, DocumentMemory, MemoryDocument } from './document.ts';
import { putBack } from './line-places.ts';
import { idsIn, memoriesOf } from './named-alike.ts';
import { parseDocument, withoutEmptyHeading } from './parse.ts';
import { isBlank, renderDocument } from './render.ts';
import { tidyText } from './tidy.ts';

/**
 * MEMORY.md as the store would have it: the person's part laid out as it was, with the texts of now, and what was learnt in
 * order. Proposals are left out.
 * @param memories those that the file is to show
 * @param before the person's part with the lines that have left it: what was taken back stands where it stood there
 */
export function documentOf(
  layout: MemoryDocument,
  memories: readonly Memory[],
  before: readonly DocumentItem[] = [],
): MemoryDocument {
  const active = memories.filter(({ status }) => status === 'active');
  const users = new Map(
    active.filter(({ source }) => source === 'user').map((memory) => [memory.id, memory]),
  );
  const kept = withCopies(layout.items, users).flatMap((item) => itemNow(item, users));
  const shown = idsIn({ ...layout, items: kept, learnt: [] });
  const isMissing = (id: MemoryId) => users.has(id) && !shown.has(id);
  const placed =
    kept.length === 0 || ![...users.keys()].some(isMissing)
      ? kept
      : putBack(kept, before, (item, id) => (isMissing(id) ? itemNow(item, users)[0] : undefined));
  const placedIds = idsIn({ ...layout, items: placed, learnt: [] });
  const bullet = layout.items.findLast((item) => item.kind === 'memory')?.bullet ?? '-';
  const others = [...users.values()]
    .filter(({ id }) => !placedIds.has(id))
    .sort((a, b) => a.createdMs - b.createdMs || inOrder(a.id, b.id))
    .map(({ id, text }): DocumentItem => ({ kind: 'memory', id, text, bullet }));
  const learnt = active.filter(({ source }) => source !== 'user').sort(byRank);
  return settled({ ...layout, items: appendItems(placed, others), learnt: learnt.map(learntOf) });
}

/** As it would be read again. What was learnt is written as it is read: thousands need not be. */
function settled({ learnt, ...layout }: MemoryDocument): MemoryDocument {
  const { items, hasBom, eol } = parseDocument(renderDocument({ ...layout, learnt: [] }));
  if (learnt.length === 0) return { items, hasBom, eol, learnt };
  const above = withoutEmptyHeading(items);
  const isOneLine = items.length < 2 && !items.some(({ text }) => text.includes('\n'));
  return {
    hasBom: layout.hasBom,
    eol: isOneLine ? layout.eol : eol,
    items: above.length === 0 || isBlank(above.at(-1)) ? above : [...above, BLANK_LINE],
    learnt,
  };
}

/** The file keeps a person's own words, blanks and tabs; what the store has of them is tidy. */
function itemNow(item: DocumentItem, users: Users): readonly DocumentItem[] {
  if (item.kind === 'prose' || item.id === undefined) return [item];
  const memory = users.get(item.id);
  const { kind, id, bullet } = item;
  if (memory === undefined) return [];
  return [{ kind, id, bullet, text: saysTheSame(item.text, memory) ? item.text : memory.text }];
}

type Users = ReadonlyMap<MemoryId, Memory>;

/** A store that was written before what is behind a blank line belonged to the bullet has its beginning only. */
function saysTheSame(text: string, memory: Memory): boolean {
  const tidy = tidyText(text);
  if (tidy === memory.text) return true;
  return tidy.startsWith(memory.text) && tidyText(text.split(/\n\s*\n/, 1)[0] ?? '') === memory.text;
}

/** What is said twice is one memory: the bullet without its id says what the one with it says, and goes with it. */
function withCopies(items: readonly DocumentItem[], users: Users): readonly DocumentItem[] {
  const fates = new Map<string, Memory | undefined>();
  for (const item of items) {
    if (item.kind === 'prose' || item.id === undefined) continue;
    const [text, memory] = [tidyText(item.text), users.get(item.id)];
    if (text !== '' && (memory?.text === text || !fates.has(text))) fates.set(text, memory);
  }
  return items.flatMap((item): readonly DocumentItem[] => {
    const text = item.kind === 'prose' || item.id !== undefined ? undefined : tidyText(item.text);
    if (text === undefined || !fates.has(text)) return [item];
    const memory = fates.get(text);
    if (memory === undefined) return [];
    return memory.text === text ? [item] : [{ ...item, text: memory.text }];
  });
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
  /** a memory that the file does not show, as it is, or was when it was forgotten; undefined where its words are gone */
  readonly past: (id: MemoryId) => Memory | undefined;
}

/**
 * What makes the store say what the document says. The document that is given back has the ids of what is new, and is
 * what {@link documentOf} makes of it and the changed store.
 */
export function changesOf({ document, memories, newId, nowMs, isForgotten, past }: ReconcileOptions): {
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
    const was = before ?? returned(past(item.id), nowMs, place);
    const memory = memoryNow({ item, id: item.id, text, place, before: was, nowMs });
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
  for (const { id, text, status } of known.values())
    if (!shown.has(id) && (status === 'active' || !free.has(textKey(text)))) free.set(textKey(text), id);
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

/** A line that is there again is the memory it was. A person who brings one back whose time is over wants it for good. */
function returned(memory: Memory | undefined, nowMs: number, place: Place): Memory | undefined {
  if (memory?.expiresMs === undefined || memory.expiresMs > nowMs || place === 'learnt') return memory;
  const { expiresMs: _over, ...rest } = memory;
  return rest;
}

/** What somebody typed, what was forgotten before this process began, and what came with the file from another machine. */
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
