import { queryWords, wordsOf } from './memory-words.ts';

/** Characters of a text that are found; no memory that says one thing is nearly as long. */
const MAX_TEXT = 50_000;
/** Characters of a query that are looked at; a text that was pasted has said what it is about by then. */
const MAX_QUERY = 4_000;
/** Of a long query the rarest words are taken: they say most, and cost least. */
const MAX_TERMS = 24;
/** Words that a beginning may stand for. */
const MAX_ENDINGS = 50;
/** What a beginning counts beside a whole word. */
const BEGINNING_WEIGHT = 0.5;
/** BM25. Memories are all short: how long one is says little about it. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.3;

/** Where a word is: numbers of texts, ascending, and how often it is in each. */
interface Postings {
  readonly texts: number[];
  readonly counts: number[];
}

interface Term {
  readonly postings: Postings;
  readonly weight: number;
}

/**
 * Texts by their words, ranked by BM25, in memory. SQLite's own full-text search (FTS4 with matchinfo) was measured at
 * 12 ms for one common word among 10,000 texts and 75 ms for a beginning, and its segments keep words that were deleted.
 */
export class WordIndex {
  readonly #postings = new Map<string, Postings>();
  /** the words that begin with a character */
  readonly #beginnings = new Map<string, Set<string>>();
  readonly #numbers = new Map<string, number>();
  readonly #ids: (string | undefined)[] = [];
  readonly #lengths: number[] = [];
  readonly #free: number[] = [];
  #total = 0;
  #scores = new Float64Array(0);

  add(id: string, text: string): void {
    const number = this.#free.pop() ?? this.#ids.length;
    const counts = countsOf(text);
    const length = [...counts.values()].reduce((sum, count) => sum + count, 0);
    this.#numbers.set(id, number);
    this.#ids[number] = id;
    this.#lengths[number] = length;
    this.#total += length;
    for (const [word, count] of counts) this.#enter(word, number, count);
  }

  /** @param text what it was added with */
  remove(id: string, text: string): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    for (const word of countsOf(text).keys()) this.#leave(word, number);
    this.#total -= this.#lengths[number] ?? 0;
    this.#numbers.delete(id);
    this.#ids[number] = undefined;
    this.#free.push(number);
  }

  /** The ids of texts with any of the words, best first. @param boost what the score of a text is multiplied by */
  search(query: string, limit: number, boost: (id: string) => number): readonly Scored[] {
    const terms = this.#termsOf(query);
    if (this.#scores.length < this.#ids.length) this.#scores = new Float64Array(this.#ids.length * 2);
    const scores = this.#scores;
    const touched: number[] = [];
    for (const term of terms) this.#addScores(term, touched);
    const best = new Best(limit);
    for (const number of touched) {
      const id = this.#ids[number] ?? '';
      best.offer({ id, score: (scores[number] ?? 0) * boost(id) });
      scores[number] = 0;
    }
    return best.found;
  }

  #termsOf(query: string): readonly Term[] {
    const { words, beginning } = queryWords(query.slice(0, MAX_QUERY));
    const whole = words.flatMap((word) => this.#postings.get(word) ?? []);
    const rarest = whole.sort((a, b) => a.texts.length - b.texts.length).slice(0, MAX_TERMS);
    const terms = rarest.map((postings) => ({ postings, weight: this.#weightOf(postings) }));
    return beginning === undefined ? terms : [...terms, ...this.#endingsOf(beginning)];
  }

  #endingsOf(beginning: string): readonly Term[] {
    const found: Postings[] = [];
    for (const word of this.#beginnings.get(beginning.charAt(0)) ?? []) {
      const postings =
        word.length > beginning.length && word.startsWith(beginning) && this.#postings.get(word);
      if (postings) found.push(postings);
    }
    // Together they count as one word, by how many texts have any of them.
    const common = found.sort((a, b) => b.texts.length - a.texts.length).slice(0, MAX_ENDINGS);
    const weight = common[0] === undefined ? 0 : this.#weightOf(common[0]) * BEGINNING_WEIGHT;
    return common.map((postings) => ({ postings, weight }));
  }

  #weightOf({ texts }: Postings): number {
    return Math.log(1 + (this.#numbers.size - texts.length + 0.5) / (texts.length + 0.5));
  }

  #addScores({ postings: { texts, counts }, weight }: Term, touched: number[]): void {
    const scores = this.#scores;
    const mean = this.#total / Math.max(1, this.#numbers.size);
    for (let index = 0; index < texts.length; index += 1) {
      const number = texts[index] ?? 0;
      const count = counts[index] ?? 0;
      const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * (this.#lengths[number] ?? 0)) / mean;
      const before = scores[number] ?? 0;
      if (before === 0) touched.push(number);
      scores[number] = before + (weight * count * (SATURATION + 1)) / (count + SATURATION * length);
    }
  }

  #enter(word: string, number: number, count: number): void {
    const postings = this.#postings.get(word) ?? this.#newWord(word);
    const at = placeOf(postings.texts, number);
    postings.texts.splice(at, 0, number);
    postings.counts.splice(at, 0, count);
  }

  #newWord(word: string): Postings {
    const postings = { texts: [], counts: [] };
    this.#postings.set(word, postings);
    const siblings = this.#beginnings.get(word.charAt(0));
    if (siblings === undefined) this.#beginnings.set(word.charAt(0), new Set([word]));
    else siblings.add(word);
    return postings;
  }

  #leave(word: string, number: number): void {
    const postings = this.#postings.get(word);
    if (postings === undefined) return;
    const at = placeOf(postings.texts, number);
    if (postings.texts[at] !== number) return;
    postings.texts.splice(at, 1);
    postings.counts.splice(at, 1);
    if (postings.texts.length > 0) return;
    this.#postings.delete(word);
    this.#beginnings.get(word.charAt(0))?.delete(word);
  }
}

export interface Scored {
  readonly id: string;
  readonly score: number;
}

/** The best so many of those that are offered: sorting all of ten thousand would take longer than finding them. */
class Best {
  readonly found: Scored[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(scored: Scored): void {
    const last = this.found.at(-1);
    if (this.found.length >= this.#limit && (last === undefined || !isBefore(scored, last))) return;
    let at = this.found.length;
    for (let above = this.found[at - 1]; above !== undefined && isBefore(scored, above);)
      above = this.found[--at - 1];
    this.found.splice(at, 0, scored);
    if (this.found.length > this.#limit) this.found.pop();
  }
}

function isBefore(a: Scored, b: Scored): boolean {
  return a.score === b.score ? a.id < b.id : a.score > b.score;
}

function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text.slice(0, MAX_TEXT))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Where `number` is among the ascending numbers, or would be. */
function placeOf(numbers: readonly number[], number: number): number {
  let from = 0;
  let to = numbers.length;
  // Nearly always the newest.
  if (to === 0 || (numbers[to - 1] ?? 0) < number) return to;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] ?? 0) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}
