import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ToolItem } from '../../src/protocol/view-model.ts';
import { formatCount } from '../format.ts';
import { plainLineEnds } from '../live-text.ts';
import type { ReadingTrouble } from '../pager/output-reader.ts';
import type { CurrentMatch } from '../pager/output-search.ts';
import type { TerminalTheme } from '../pager/terminal-theme.ts';
import type { Pager } from '../pager/use-pager.ts';
import { ROW_PX } from '../pager/virtual-rows.ts';
import { cardLabel } from '../tools.ts';
import { ExactText } from './exact-text.tsx';
import { Icon } from './icon.tsx';
import { PagerRow } from './pager-row.tsx';

interface PagerContentProps {
  readonly pager: Pager;
  readonly item: ToolItem;
  readonly theme: TerminalTheme;
}

/** Where the output is read: the rows in sight, or why there are none. */
export function PagerContent({ pager, item, theme }: PagerContentProps) {
  const { reader, rows, size, scroller, goToEnd } = pager;
  const trouble = reader.trouble.value;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.shiftKey || (event.key !== 'Home' && event.key !== 'End')) return;
    event.preventDefault();
    if (event.key === 'Home') rows.goTo(0);
    else void goToEnd();
  };
  return (
    <div
      ref={scroller}
      class={`pager-content${pager.isWrapped ? ' wrapped' : ''}`}
      role="document"
      tabIndex={0}
      aria-label={`Output of ${cardLabel(item)}`}
      aria-busy={size === undefined && trouble === undefined}
      onKeyDown={onKeyDown}
    >
      {trouble !== undefined ? (
        <Trouble trouble={trouble} text={item.output} retry={() => reader.retry()} />
      ) : (
        <Rows pager={pager} theme={theme} />
      )}
    </div>
  );
}

function Rows({ pager, theme }: Pick<PagerContentProps, 'pager' | 'theme'>) {
  const { reader, search, rows, size, line, scroller } = pager;
  const query = search.query.value;
  const current = search.current.value;
  useReveal(scroller, current);
  if (size === undefined) return <p class="pager-note">Loading…</p>;
  if (size.rows === 0) return <p class="pager-note">{size.isGrowing ? 'Nothing yet.' : 'It is empty.'}</p>;
  const digits = formatCount(size.lines).length;
  return (
    <div
      class="pager-rows"
      style={{ height: `${rows.height}px`, '--row-height': `${ROW_PX}px`, '--digits': digits }}
    >
      <div class="pager-window" style={{ transform: `translateY(${rows.top}px)` }}>
        {rows.rows.map((row) => (
          <PagerRow
            key={row}
            index={row - rows.base}
            row={reader.row(row)}
            query={query}
            currentMatch={current?.row === row ? current.indexInRow : undefined}
            isTarget={line.row === row}
            theme={theme}
            measure={rows.measure}
          />
        ))}
      </div>
    </div>
  );
}

/** Brings a match into sight that is far along its row, once it is drawn. */
function useReveal(scroller: Pager['scroller'], current: CurrentMatch | undefined): void {
  const revealed = useRef<CurrentMatch>();
  useLayoutEffect(() => {
    if (current === revealed.current) return;
    const match = scroller.current?.querySelector('.current-match');
    if (current !== undefined && !match) return;
    revealed.current = current;
    match?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
}

interface TroubleProps {
  readonly trouble: ReadingTrouble;
  /** what the conversation still has of the output */
  readonly text: string;
  readonly retry: () => void;
}

function Trouble({ trouble: { kind, reason }, text, retry }: TroubleProps) {
  return (
    <div class="pager-trouble">
      <p role="alert">
        <Icon name="warning" />
        {reason}
      </p>
      {kind === 'failed' && (
        <button type="button" class="button secondary small" onClick={retry}>
          Try again
        </button>
      )}
      {text !== '' && (
        <>
          <h3>What the conversation still has of it</h3>
          <pre class="output">
            <ExactText text={plainLineEnds(text)} />
          </pre>
        </>
      )}
    </div>
  );
}
