import type { Entry } from '../../model/entry.ts';
import { groupAlike } from './recall-group.ts';
import type { Hit } from './recall-hits.ts';
import { hitsOf, PAGE_TOKENS } from './recall-hits.ts';
import { rankPassages } from './recall-rank.ts';
import type { Pause, ScannedPart } from './recall-scan.ts';
import { scanEntries } from './recall-scan.ts';
import { queryTerms } from './recall-terms.ts';
import type { EntryPart } from './recall-text.ts';
import { ages, RECALL, rewoundEntries } from './recall-text.ts';

export interface SearchOptions {
  /** called between entries, so that a long session does not hold up everything else */
  readonly pause?: Pause;
  /** what the kept outputs of an entry say */
  readonly keptParts?: ReadonlyMap<Entry, readonly EntryPart[]>;
}

export interface TranscriptHits {
  /** best first */
  readonly hits: readonly Hit[];
  /** entries that were searched */
  readonly searched: number;
  /** no word in the query: nothing could be searched for */
  readonly isBlank: boolean;
}

/** Said beside a call of recall: it repeats the question. */
const ASKING = 0.5;
/** Told again, by a summary or in what was taken back: behind the words themselves. */
const RETOLD = 0.9;

/**
 * The passages of a transcript that answer a query, best first: by the words they share with it, the rare ones counting
 * most; lines alike are one hit.
 */
export async function searchTranscript(
  entries: readonly Entry[],
  query: string,
  { pause = () => undefined, keptParts = new Map() }: SearchOptions = {},
): Promise<TranscriptHits> {
  const terms = queryTerms(query);
  if (terms.count === 0) return { hits: [], searched: 0, isBlank: true };
  const scan = await scanEntries(entries, terms, { pause, keptParts });
  const rewound = rewoundEntries(entries);
  const ranked = await rankPassages(scan, { terms, pause, weightOf: (part) => weightOf(part, rewound) });
  await pause();
  const groups = groupAlike(ranked, terms);
  await pause();
  const places = { age: ages(entries), isRewound: (entry: Entry) => rewound.has(entry) };
  return { hits: groups.flatMap((group) => hitsOf(group, places)), searched: scan.entries, isBlank: false };
}

function weightOf({ entry }: ScannedPart, rewound: ReadonlySet<Entry>): number {
  if (entry.kind === 'compaction' || rewound.has(entry)) return RETOLD;
  return isAsking(entry) ? ASKING : 1;
}

function isAsking(entry: Entry): boolean {
  return (
    entry.kind === 'assistant' &&
    entry.blocks.some((block) => block.type === 'tool_use' && block.name === RECALL)
  );
}

/** Hits in pages of a bounded size; every hit is on one of them. */
export function hitPages(hits: readonly Hit[]): readonly (readonly Hit[])[] {
  const pages: Hit[][] = [];
  let room = 0;
  for (const hit of hits) {
    room -= hit.tokens;
    const page = pages.at(-1);
    if (page === undefined || room < 0) {
      pages.push([hit]);
      room = PAGE_TOKENS - hit.tokens;
    } else page.push(hit);
  }
  return pages;
}
