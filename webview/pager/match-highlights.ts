import type { Range } from './output-search.ts';

/**
 * Matches of a row that are drawn as elements. Where it has more, the browser draws them over the text, all but the one
 * that is looked at: thousands of elements take a second to lay out.
 */
export const MOST_MARKS = 20;

/** A piece of a text: the browser looks at all matches of a node for each of its lines. */
const PIECE = /.{100,}?(?<=[ -~])(?=[ -~])|.+$/gs;

/** The text in pieces of about a hundred characters, none of which is made of two. */
export function shortPieces(text: string): readonly string[] {
  return text.match(PIECE) ?? [];
}

/** Styled as `::highlight(output-match)`. */
const NAME = 'output-match';

export function canHighlight(): boolean {
  return typeof Highlight === 'function' && 'highlights' in CSS;
}

/**
 * Has the browser draw matches until it is told otherwise.
 * @param element where the text is drawn, with names for what would not be seen
 * @returns takes them back
 */
export function highlightMatches(element: Element, text: string, matches: readonly Range[]): () => void {
  const places = placesIn(element, text);
  const drawn = mended(matches).flatMap((match) => rangesOver(places, match));
  const all = CSS.highlights.get(NAME) ?? new Highlight();
  CSS.highlights.set(NAME, all);
  for (const range of drawn) all.add(range);
  return () => {
    for (const range of drawn) all.delete(range);
  };
}

/** Matches that touch look as one. */
function mended(matches: readonly Range[]): readonly Range[] {
  const mended: Range[] = [];
  for (const match of matches) {
    const last = mended.at(-1);
    if (last?.end === match.start) mended[mended.length - 1] = { start: last.start, end: match.end };
    else mended.push(match);
  }
  return mended;
}

/** A piece of the text, and the node that shows it. */
interface Place extends Range {
  readonly node: Text;
}

/** As far as the nodes show the text. */
function placesIn(element: Element, text: string): readonly Place[] {
  const places: Place[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let start = 0;
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    const isName = node.parentElement?.className === 'unseen';
    const length = isName ? String.fromCodePoint(text.codePointAt(start) ?? 0).length : node.length;
    if (!isName && !text.startsWith(node.data, start)) break;
    places.push({ node, start, end: start + length });
    start += length;
  }
  return places;
}

function rangesOver(places: readonly Place[], { start, end }: Range): readonly StaticRange[] {
  const first = places.findIndex((place) => place.end > start);
  if (first < 0) return [];
  const ranges: StaticRange[] = [];
  for (const place of places.slice(first)) {
    if (place.start >= end) break;
    const isWhole = place.end - place.start !== place.node.length; // a name
    const from = isWhole ? 0 : Math.max(0, start - place.start);
    const to = isWhole ? place.node.length : Math.min(place.node.length, end - place.start);
    const { node } = place;
    ranges.push(
      new StaticRange({ startContainer: node, startOffset: from, endContainer: node, endOffset: to }),
    );
  }
  return ranges;
}
