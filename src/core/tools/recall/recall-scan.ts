import type { Entry } from '../../model/entry.ts';
import type { PassageIndex } from './recall-index.ts';
import { passageIndex } from './recall-index.ts';
import type { EntryPart } from './recall-text.ts';
import { entryParts } from './recall-text.ts';
import type { QueryTerms, Span } from './recall-terms.ts';

/** A line; of a long one some sentences. The unit that is ranked, because a fact is a line and not a file. */
export interface Passage extends Span {
  readonly entry: Entry;
  /** position of the entry among those searched: higher is newer */
  readonly index: number;
  readonly part: EntryPart;
  /** position of the passage in its part */
  readonly line: number;
  /** the query's terms that it holds */
  readonly bits: number;
}

/** A part of an entry in which something was found, passage by passage. */
export interface ScannedPart extends Pick<Passage, 'entry' | 'index' | 'part'> {
  readonly spans: PassageIndex['spans'];
  /** for each passage the query's terms that it holds */
  readonly bits: Int32Array;
}

export interface Scan {
  /** those that hold a term, oldest first */
  readonly parts: readonly ScannedPart[];
  /** how many passages hold a term */
  readonly found: number;
  /** how many passages hold each term */
  readonly counts: readonly number[];
  /** how many passages there are */
  readonly total: number;
  /** how many entries were searched */
  readonly entries: number;
}

/** Lets others have their turn now and then; undefined where that is not due. @throws AbortedError */
export type Pause = () => Promise<void> | undefined;

export interface ScanOptions {
  readonly pause: Pause;
  /** what the kept outputs of an entry say */
  readonly keptParts: ReadonlyMap<Entry, readonly EntryPart[]>;
}

/** Reads all that was said, once. */
export async function scanEntries(
  entries: readonly Entry[],
  terms: QueryTerms,
  { pause, keptParts }: ScanOptions,
): Promise<Scan> {
  const parts: ScannedPart[] = [];
  const counts = new CountByBits();
  let total = 0;
  let searched = 0;
  for (const [index, entry] of entries.entries()) {
    const said = entryParts(entry).filter((part) => part.isEcho !== true);
    if (said.length > 0) searched += 1;
    for (const part of [...said, ...(keptParts.get(entry) ?? [])]) {
      const { spans, ...words } = passageIndex(part);
      const bits = bitsOfPassages(words, terms);
      total += bits.length;
      if (counts.add(bits)) parts.push({ entry, index, part, spans, bits });
      const due = pause();
      if (due !== undefined) await due;
    }
  }
  return { parts, found: counts.total, counts: counts.byTerm(terms.count), total, entries: searched };
}

function bitsOfPassages(
  { words, ends }: Pick<PassageIndex, 'words' | 'ends'>,
  { bitsOf }: QueryTerms,
): Int32Array {
  let word = 0;
  return Int32Array.from(ends, (end) => {
    let bits = 0;
    for (; word < end; word += 1) bits |= bitsOf(words[word] ?? 0);
    return bits;
  });
}

/** Most passages hold one of a few sets of terms: those are counted, and the terms only once at the end. */
class CountByBits {
  readonly #counts = new Map<number, number>();
  total = 0;

  /** Whether there are any. */
  add(passages: Int32Array): boolean {
    const before = this.total;
    for (const bits of passages) {
      if (bits === 0) continue;
      this.total += 1;
      this.#counts.set(bits, (this.#counts.get(bits) ?? 0) + 1);
    }
    return this.total > before;
  }

  byTerm(terms: number): readonly number[] {
    return Array.from({ length: terms }, (_, term) => {
      let count = 0;
      for (const [bits, passages] of this.#counts) if ((bits >> term) & 1) count += passages;
      return count;
    });
  }
}
