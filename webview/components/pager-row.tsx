import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatCount } from '../format.ts';
import { memo } from '../memo.ts';
import { canHighlight, highlightMatches, MOST_MARKS, shortPieces } from '../pager/match-highlights.ts';
import type { Query, Range } from '../pager/output-search.ts';
import { rangesIn } from '../pager/output-search.ts';
import type { Look, ShownRow, Span } from '../pager/terminal-row.ts';
import type { TerminalTheme } from '../pager/terminal-theme.ts';
import { ExactText } from './exact-text.tsx';

interface PagerRowProps {
  /** in the scroll space */
  readonly index: number;
  /** undefined while it is read */
  readonly row: ShownRow | undefined;
  readonly query: Query;
  /** which of the row's matches is looked at */
  readonly currentMatch: number | undefined;
  /** it was gone to by its number */
  readonly isTarget: boolean;
  readonly theme: TerminalTheme;
  readonly measure: ((row: HTMLElement | null) => void) | undefined;
}

export const PagerRow = memo(function PagerRow(props: PagerRowProps) {
  const { index, row, query, currentMatch, isTarget, theme, measure } = props;
  const ranges = row === undefined ? [] : rangesIn(row.text, query);
  const current = currentMatch === undefined ? undefined : ranges[Math.min(currentMatch, ranges.length - 1)];
  const spans = row?.spans ?? [];
  const isDense = ranges.length > MOST_MARKS && canHighlight();
  const marked = isDense ? ranges.filter((range) => range === current) : ranges;
  const text = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!isDense || row === undefined || text.current === null) return undefined;
    const others = ranges.filter((range) => range !== current);
    return highlightMatches(text.current, row.text, others);
  });
  return (
    <div
      class={classOf(row, isTarget)}
      data-index={index}
      role={row?.isWrittenOver === true ? 'deletion' : undefined}
      ref={measure ?? null}
    >
      <span class="pager-number" aria-hidden="true">
        {row?.line !== undefined && formatCount(row.line)}
      </span>
      <span class="pager-text" ref={text}>
        {piecesOf(isDense ? shortSpans(spans) : spans, marked).map((piece, position) => (
          <PieceView key={position} piece={piece} isCurrent={piece.match === current} theme={theme} />
        ))}
        {row?.text === '' && <br /> /* so that it is copied with the others */}
      </span>
    </div>
  );
});

function classOf(row: ShownRow | undefined, isTarget: boolean): string {
  const names = ['pager-row'];
  if (isTarget) names.push('target');
  if (row !== undefined && row.line === undefined) names.push('continued');
  if (row?.isWrittenOver === true) names.push('written-over');
  return names.join(' ');
}

function shortSpans(spans: readonly Span[]): readonly Span[] {
  return spans.flatMap(({ text, look }) => shortPieces(text).map((piece) => ({ text: piece, look })));
}

interface Piece {
  readonly text: string;
  readonly look: Look;
  /** the match that it is of */
  readonly match?: Range;
}

/** Spans, cut where matches begin and end. */
function piecesOf(spans: readonly Span[], ranges: readonly Range[]): readonly Piece[] {
  if (ranges.length === 0) return spans;
  const pieces: Piece[] = [];
  let at = 0;
  let match = 0;
  for (const { text, look } of spans) {
    const end = at + text.length;
    while (at < end) {
      const range = ranges[match];
      const isInside = range !== undefined && at >= range.start;
      const until = Math.min(end, (isInside ? range.end : range?.start) ?? end);
      const piece = { text: text.slice(text.length - (end - at), text.length - (end - until)), look };
      pieces.push(isInside ? { ...piece, match: range } : piece);
      at = until;
      if (range !== undefined && at >= range.end) match++;
    }
  }
  return pieces;
}

interface PieceViewProps {
  readonly piece: Piece;
  readonly isCurrent: boolean;
  readonly theme: TerminalTheme;
}

function PieceView({ piece: { text, look, match }, isCurrent, theme }: PieceViewProps) {
  const decorations = [...look.decorations].map((name) => `ansi-${name}`).join(' ');
  if (match !== undefined)
    return (
      <mark class={`${isCurrent ? 'current-match ' : ''}${decorations}`}>
        <ExactText text={text} />
      </mark>
    );
  const colors = theme.colorsOf(look);
  if (decorations === '' && Object.keys(colors).length === 0) return <ExactText text={text} />;
  return (
    <span class={decorations} style={colors}>
      <ExactText text={text} />
    </span>
  );
}
