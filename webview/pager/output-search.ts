import type { ReadonlySignal } from '@preact/signals';
import { computed, signal } from '@preact/signals';
import { once } from '../../src/core/model/once.ts';
import type { OutputMatch, OutputSearchResult } from '../../src/protocol/output-pages.ts';

/** How long nothing is typed before it is searched for. */
const TYPING_PAUSE_MS = 250;

export interface Query {
  readonly text: string;
  readonly isCaseSensitive: boolean;
}

/** One match of many: the how-manieth of all, and of those in its row; both from 0. */
export interface CurrentMatch {
  readonly index: number;
  readonly row: number;
  readonly indexInRow: number;
}

export type Findings =
  | { readonly kind: 'none' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'found'; readonly result: OutputSearchResult };

interface SearchDeps {
  /** @throws Error with the host's words when it refuses */
  readonly ask: (query: Query) => Promise<OutputSearchResult>;
  /** the row from which on a match is looked for */
  readonly from: () => number;
  /** rows may have come since it was asked */
  readonly isGrowing: () => boolean;
  /** brings the match into sight */
  readonly show: (match: CurrentMatch) => void;
}

/** What is searched for in an output, and which of the matches is looked at. */
export class OutputSearch {
  readonly #deps: SearchDeps;
  readonly #query = signal<Query>({ text: '', isCaseSensitive: false });
  readonly #findings = signal<Findings>({ kind: 'none' });
  readonly #index = signal<number | undefined>(undefined);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #searched: Query | undefined;

  /** the match that is looked at */
  readonly current = computed((): CurrentMatch | undefined => {
    const findings = this.#findings.value;
    const index = this.#index.value;
    if (findings.kind !== 'found' || index === undefined) return undefined;
    return matchAt(findings.result.matches, index);
  });

  constructor(deps: SearchDeps) {
    this.#deps = deps;
  }

  get query(): ReadonlySignal<Query> {
    return this.#query;
  }

  get findings(): ReadonlySignal<Findings> {
    return this.#findings;
  }

  type(text: string): void {
    this.#query.value = { ...this.#query.peek(), text };
    clearTimeout(this.#timer);
    if (text === '') this.#clear();
    else this.#timer = setTimeout(() => void this.#search(), TYPING_PAUSE_MS);
  }

  toggleCase(): void {
    const query = this.#query.peek();
    this.#query.value = { ...query, isCaseSensitive: !query.isCaseSensitive };
    if (query.text !== '') void this.#search();
  }

  /** Goes to the next match (1) or the previous one (−1), around the ends; searches at once what was just typed. */
  step(by: 1 | -1): void {
    const findings = this.#findings.peek();
    if (this.#query.peek().text === '') return;
    if (this.#searched !== this.#query.peek() || findings.kind === 'failed') void this.#search();
    else if (findings.kind === 'found') {
      const { matches } = findings.result;
      // Rows may have come since.
      if (matches.length === 0) void this.#search();
      else if (this.#deps.isGrowing() && isAround(this.#index.peek(), { to: this.#next(matches, by), by }))
        void this.#stepOn(by);
      else this.#goTo(this.#next(matches, by));
    }
  }

  /** Whoever is at an end of what was found goes on into what came since. */
  async #stepOn(by: 1 | -1): Promise<void> {
    await this.again({ stays: true });
    const findings = this.#findings.peek();
    if (findings.kind === 'found' && findings.result.matches.length > 0)
      this.#goTo(this.#next(findings.result.matches, by));
  }

  #next(matches: readonly OutputMatch[], by: 1 | -1): number {
    return indexAfterStep(matches, { by, index: this.#index.peek(), row: this.#deps.from() });
  }

  /**
   * The same again, of an output that has become longer. The match that is looked at stays; where there was none, the
   * first that came is gone to, unless the reader is to stay.
   */
  async again({ stays }: { readonly stays: boolean }): Promise<void> {
    const query = this.#searched;
    if (query === undefined) return;
    const result = await this.#deps.ask(query).catch(() => undefined);
    // Where it fails, what was found before is still right.
    if (result === undefined || this.#searched !== query) return;
    this.#findings.value = { kind: 'found', result };
    if (!stays && this.#index.peek() === undefined) this.#goToFirst(result.matches);
  }

  /** The same again, of an output that is another: there is no match any more that was looked at, and the reader stays. */
  async anew(): Promise<void> {
    if (this.#searched !== undefined) await this.#search({ stays: true });
  }

  close(): void {
    this.#clear();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#searched = undefined;
    this.#findings.value = { kind: 'none' };
    this.#index.value = undefined;
  }

  async #search({ stays } = { stays: false }): Promise<void> {
    clearTimeout(this.#timer);
    const query = this.#query.peek();
    this.#searched = query;
    this.#index.value = undefined;
    this.#findings.value = { kind: 'searching' };
    const findings = await this.#found(query);
    if (this.#searched !== query) return;
    this.#findings.value = findings;
    if (findings.kind === 'found' && !stays) this.#goToFirst(findings.result.matches);
  }

  async #found(query: Query): Promise<Findings> {
    try {
      return { kind: 'found', result: await this.#deps.ask(query) };
    } catch (error) {
      return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  #goToFirst(matches: readonly OutputMatch[]): void {
    if (matches.length > 0) this.#goTo(indexFrom(matches, this.#deps.from()));
  }

  #goTo(index: number): void {
    this.#index.value = index;
    const match = this.current.peek();
    if (match !== undefined) this.#deps.show(match);
  }
}

/** How many matches there are up to each of the rows, and in it. */
const totalsOf = once((matches: readonly OutputMatch[]): readonly number[] => {
  let total = 0;
  return matches.map(({ count }) => (total += count));
});

/** Matches that can be gone to: fewer than were found, where their rows were too many. */
function countOf(matches: readonly OutputMatch[]): number {
  return totalsOf(matches).at(-1) ?? 0;
}

function matchAt(matches: readonly OutputMatch[], index: number): CurrentMatch | undefined {
  const totals = totalsOf(matches);
  const position = firstWhere(totals, (total) => total > index);
  const match = matches[position];
  return match && { index, row: match.row, indexInRow: index - (totals[position - 1] ?? 0) };
}

/** Of the first match in this row or behind it, else of the first one. */
function indexFrom(matches: readonly OutputMatch[], row: number): number {
  const position = firstWhere(matches, (match) => match.row >= row);
  return position === matches.length ? 0 : (totalsOf(matches)[position - 1] ?? 0);
}

/** Where it begins to be true, and stays so; the length, where it never is. */
function firstWhere<Each>(all: readonly Each[], isTrue: (each: Each) => boolean): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const each = all[middle];
    if (each !== undefined && isTrue(each)) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Step {
  readonly by: 1 | -1;
  /** of the match that is looked at, where there is one */
  readonly index: number | undefined;
  /** where a step without one begins */
  readonly row: number;
}

function indexAfterStep(matches: readonly OutputMatch[], { by, index, row }: Step): number {
  const reachable = countOf(matches);
  if (index !== undefined) return (index + by + reachable) % reachable;
  const next = indexFrom(matches, row);
  return by === 1 ? next : (next - 1 + reachable) % reachable;
}

/** Whether a step has gone around an end, or may have. */
function isAround(
  from: number | undefined,
  { to, by }: { readonly to: number; readonly by: 1 | -1 },
): boolean {
  return from === undefined || (by === 1 ? to <= from : to >= from);
}

/** Where the query is in a row: start and end of each match. */
export function rangesIn(text: string, { text: wanted, isCaseSensitive }: Query): readonly Range[] {
  if (wanted === '') return [];
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), isCaseSensitive ? 'gu' : 'giu');
  return Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}

export interface Range {
  readonly start: number;
  readonly end: number;
}
