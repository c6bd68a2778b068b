import type { MemoryId } from '../model/memory.ts';
import type { DocumentItem, MemoryDocument } from './document.ts';
import { tokenOf } from './item-token.ts';
import { changed, decide, quoted } from './merge-memories.ts';
import type { Decisions } from './merge-memories.ts';
import { countsOf, editsOf, joined } from './merge-sequence.ts';
import { namedAlike } from './named-alike.ts';
import { parseDocument } from './parse.ts';
import { isBlank, linesOf, renderDocument } from './render.ts';

export interface MergeSides {
  readonly base: MemoryDocument;
  readonly mine: MemoryDocument;
  readonly theirs: MemoryDocument;
}

export interface Merged {
  readonly document: MemoryDocument;
  /** sentences for a person: where both sides were kept, or one against the other's wish */
  readonly conflicts: readonly string[];
}

/**
 * Joins what two sides made of a base. Memories are the same by their id, those without one and prose by their text. What
 * one side wrote is there, what one side took out and the other did not touch is gone, and nothing else is.
 */
export function mergeDocuments(sides: MergeSides): Merged {
  const eol = changed(sides.base.eol, sides.mine.eol, sides.theirs.eol);
  const hasBom = changed(sides.base.hasBom, sides.mine.hasBom, sides.theirs.hasBom);
  const { base, mine, theirs } = namedAlike({
    base: withEol(sides.base, eol),
    mine: withEol(sides.mine, eol),
    theirs: withEol(sides.theirs, eol),
  });
  const decisions = decide({ base, mine, theirs });
  const conflicts = [...decisions.conflicts];
  const items = mergeLines(
    { base: base.items, mine: mine.items, theirs: theirs.items },
    { decisions, place: 'items', conflicts },
  );
  const learnt = mergeLines(
    { base: base.learnt, mine: mine.learnt, theirs: theirs.learnt },
    { decisions, place: 'learnt', conflicts },
  ).filter((item) => item.kind === 'memory');
  const document = parseDocument(renderDocument({ hasBom, eol, items, learnt }));
  return { document, conflicts };
}

interface Lines {
  readonly base: readonly DocumentItem[];
  readonly mine: readonly DocumentItem[];
  readonly theirs: readonly DocumentItem[];
}

interface Wanted {
  readonly decisions: Decisions;
  readonly place: 'items' | 'learnt';
  readonly conflicts: string[];
}

function mergeLines({ base, mine, theirs }: Lines, { decisions, place, conflicts }: Wanted) {
  const ours = editsOf(base, mine, tokenOf);
  const others = editsOf(base, theirs, tokenOf);
  const moved = idsOf([...ours.added.values(), ...others.added.values()].flat());
  const twice = addedTwice([...ours.added.values()].flat(), [...others.added.values()].flat());
  const result: DocumentItem[] = [];
  const put = (item: DocumentItem) => {
    if (item.kind === 'prose' || item.id === undefined) result.push(item);
    else result.push(...decisions.take(item.id, place));
  };
  const isMoved = (item: DocumentItem) =>
    item.kind === 'memory' && item.id !== undefined && moved.has(item.id);
  for (let at = 0; at <= base.length; at++) {
    const added = (others.added.get(at) ?? []).filter((item) => !twice.has(item));
    const own = ours.added.get(at) ?? [];
    const isReplaced = at > 0 && !ours.kept.has(at - 1) && !others.kept.has(at - 1);
    const sentence = isReplaced ? sentenceOf(own, added) : undefined;
    if (sentence !== undefined) conflicts.push(sentence);
    joined(own, added, tokenOf).forEach(put);
    const item = base[at];
    if (item === undefined || isMoved(item)) continue;
    const mineOne = ours.kept.get(at);
    const theirOne = others.kept.get(at);
    if (item.kind === 'memory' && item.id !== undefined) put(item);
    else if (mineOne !== undefined && theirOne !== undefined) put(changedItem(item, mineOne, theirOne));
  }
  return result;
}

function idsOf(items: readonly DocumentItem[]): ReadonlySet<MemoryId> {
  return new Set(items.flatMap((item) => (item.kind === 'memory' && item.id !== undefined ? [item.id] : [])));
}

/** Of what they added, the memories without id that I added too, be it elsewhere. */
function addedTwice(
  mine: readonly DocumentItem[],
  theirs: readonly DocumentItem[],
): ReadonlySet<DocumentItem> {
  const unnamed = (item: DocumentItem) => item.kind === 'memory' && item.id === undefined;
  const counts = countsOf(mine.filter(unnamed).map(tokenOf));
  return new Set(
    theirs.filter(unnamed).filter((item) => {
      const left = counts.get(tokenOf(item)) ?? 0;
      counts.set(tokenOf(item), left - 1);
      return left > 0;
    }),
  );
}

function changedItem(base: DocumentItem, mine: DocumentItem, theirs: DocumentItem): DocumentItem {
  const [line] = linesOf(base);
  return linesOf(mine)[0] === line ? theirs : mine;
}

/** One line of the base made into different ones by both. */
function sentenceOf(mine: readonly DocumentItem[], theirs: readonly DocumentItem[]): string | undefined {
  const wordsOf = (items: readonly DocumentItem[]) =>
    items.filter((item) => !isBlank(item) && (item.kind === 'prose' || item.id === undefined)).map(tokenOf);
  const [own, others] = [wordsOf(mine), wordsOf(theirs)];
  const [first] = own.filter((token) => !others.includes(token));
  const [other] = others.filter((token) => !own.includes(token));
  if (first === undefined || other === undefined) return undefined;
  return `A line was changed in two places: ${quoted(first.slice(1))} and ${quoted(other.slice(1))}. Both are kept.`;
}

function withEol(document: MemoryDocument, eol: MemoryDocument['eol']): MemoryDocument {
  if (document.eol === eol || eol === '\n') return document;
  const bare = <Item extends DocumentItem>(item: Item): Item => ({
    ...item,
    text: item.text.replaceAll(/\r(?=\n|$)/g, ''),
  });
  return { ...document, items: document.items.map(bare), learnt: document.learnt.map(bare) };
}
