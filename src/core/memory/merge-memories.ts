import { cutBefore } from '../model/cut-text.ts';
import type { MemoryId } from '../model/memory.ts';
import type { DocumentItem, DocumentMemory, MemoryDocument } from './document.ts';
import { memoriesOf } from './named-alike.ts';
import { tidyText } from './tidy.ts';

type Place = 'items' | 'learnt';

export interface Decisions {
  /** What is to stand in a place for a memory, once: nothing if it is gone, or stands in the other. */
  take(id: MemoryId, place: Place): readonly DocumentItem[];
  readonly conflicts: readonly string[];
}

interface Placed {
  readonly memory: DocumentMemory;
  readonly place: Place;
}

interface Sides<T> {
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
}

/** What becomes of each memory with an id, wherever it stands. */
export function decide({ base, mine, theirs }: Sides<MemoryDocument>): Decisions {
  const [before, ours, others] = [placesOf(base), placesOf(mine), placesOf(theirs)];
  const isMine = (text: string) => memoriesOf(mine).some((each) => tidyText(each.text) === tidyText(text));
  const left = new Map<MemoryId, { readonly place: Place; readonly items: readonly DocumentItem[] }>();
  const conflicts: string[] = [];
  for (const id of new Set([...ours.keys(), ...others.keys()])) {
    const sides = { base: before.get(id), mine: ours.get(id), theirs: others.get(id) };
    const outcome = outcomeOf(sides);
    if (outcome === undefined) continue;
    const { place, memory, other, conflict } = outcome;
    if (conflict !== undefined) conflicts.push(conflict);
    const isNew = other !== undefined && !isMine(other.text);
    left.set(id, { place, items: isNew ? [memory, other] : [memory] });
  }
  const take = (id: MemoryId, place: Place) => {
    const found = left.get(id);
    if (found?.place !== place) return [];
    left.delete(id);
    return found.items;
  };
  return { take, conflicts };
}

interface Outcome extends Placed {
  /** the text of the other side, where both changed it */
  readonly other?: DocumentMemory;
  readonly conflict?: string;
}

/** Undefined: it is gone. */
function outcomeOf({ base, mine, theirs }: Sides<Placed | undefined>): Outcome | undefined {
  if (mine !== undefined && theirs !== undefined) return bothHave({ base, mine, theirs });
  const kept = mine ?? theirs;
  if (kept === undefined || base === undefined) return kept;
  if (isUntouched(base, kept)) return undefined;
  const conflict = `${quoted(kept.memory.text)} was removed in one place and changed in another. It is kept.`;
  return { ...kept, conflict };
}

function bothHave({ base, mine, theirs }: BothSides & Pick<Sides<Placed | undefined>, 'base'>): Outcome {
  const place = placeOf(base?.place, mine.place, theirs.place);
  const pick = <Key extends keyof DocumentMemory>(key: Key) =>
    changed(base?.memory[key], mine.memory[key], theirs.memory[key]);
  const [importance, category] = [pick('importance'), pick('category')];
  const merged = textOf(base, { mine, theirs });
  const memory: DocumentMemory = {
    kind: 'memory',
    ...(mine.memory.id !== undefined && { id: mine.memory.id }),
    text: merged ?? mine.memory.text,
    bullet: pick('bullet') ?? mine.memory.bullet,
    ...(importance !== undefined && { importance }),
    ...(category !== undefined && { category }),
  };
  if (merged !== undefined) return { memory, place };
  const { kind, bullet, text } = theirs.memory;
  const conflict = `A memory was changed in two places: ${quoted(mine.memory.text)} and ${quoted(text)}. Both are kept.`;
  return { memory, place, other: { kind, bullet, text }, conflict };
}

interface BothSides {
  readonly mine: Placed;
  readonly theirs: Placed;
}

/** Undefined where both made different things of it. Blanks that are not kept change nothing. */
function textOf(base: Placed | undefined, { mine, theirs }: BothSides): string | undefined {
  const [own, other] = [tidyText(mine.memory.text), tidyText(theirs.memory.text)];
  const before = base === undefined ? undefined : tidyText(base.memory.text);
  if (own === other) return changed(base?.memory.text, mine.memory.text, theirs.memory.text);
  if (own === before) return theirs.memory.text;
  return other === before ? mine.memory.text : undefined;
}

/** What one side gave to the person is theirs. */
function placeOf(base: Place | undefined, mine: Place, theirs: Place): Place {
  if (mine === theirs) return mine;
  return base === undefined ? 'items' : changed(base, mine, theirs);
}

function isUntouched(base: Placed, kept: Placed): boolean {
  const isAdopted = base.place === 'learnt' && kept.place === 'items';
  const [before, after] = [base.memory, kept.memory];
  if (isAdopted || tidyText(before.text) !== tidyText(after.text)) return false;
  return before.importance === after.importance && before.category === after.category;
}

function placesOf({ items, learnt }: MemoryDocument): ReadonlyMap<MemoryId, Placed> {
  const places = new Map<MemoryId, Placed>();
  const put = (place: Place) => (memory: DocumentItem) => {
    if (memory.kind === 'memory' && memory.id !== undefined) places.set(memory.id, { memory, place });
  };
  learnt.forEach(put('learnt'));
  items.forEach(put('items'));
  return places;
}

/** What a side changed; mine where both did. */
export function changed<T>(base: T | undefined, mine: T, theirs: T): T {
  return mine === base ? theirs : mine;
}

const MAX_QUOTED = 80;

/** The beginning of a text, for a sentence about it. */
export function quoted(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const end = cutBefore(line, MAX_QUOTED);
  return line.length <= MAX_QUOTED ? `“${line}”` : `“${line.slice(0, end)}…”`;
}
