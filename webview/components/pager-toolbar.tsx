import { useEffect, useRef, useState } from 'preact/hooks';
import type { OutputSize } from '../../src/protocol/output-pages.ts';
import { formatCount } from '../format.ts';
import { PAGE_ROWS } from '../pager/output-reader.ts';
import type { ShownRow } from '../pager/terminal-row.ts';
import type { Pager } from '../pager/use-pager.ts';
import { useStore } from '../state.ts';
import { Icon } from './icon.tsx';
import { PagerSearch } from './pager-search.tsx';
import { ToolButton } from './tool-button.tsx';

export function PagerToolbar({ pager }: { readonly pager: Pager }) {
  const { search, line } = pager;
  const findings = search.findings.value;
  const message = line.refusal ?? (findings.kind === 'failed' ? findings.reason : undefined);
  return (
    <>
      <div class="pager-tools" role="group" aria-label="Output tools">
        <Pages pager={pager} />
        <PagerSearch search={search} />
        <div class="pager-group">
          <GoToLine line={line} />
          <ToolButton name="Wrap lines" icon="word-wrap" isPressed={pager.isWrapped} act={pager.toggleWrap} />
          {pager.follow.isOffered && (
            <ToolButton
              name="Follow"
              icon="arrow-circle-down"
              isPressed={pager.follow.isOn}
              isDisabled={!pager.follow.isGrowing}
              act={pager.follow.toggle}
            />
          )}
          <CopyPage pager={pager} />
          <FileButtons toolUseId={pager.toolUseId} />
        </div>
      </div>
      <div role="status">
        {pager.isChanged && (
          <p class="pager-notice">
            <Icon name="warning" />
            The file was changed: this is what it holds now, as far as the output went.
          </p>
        )}
      </div>
      <div role="alert">
        {message !== undefined && (
          <p class="pager-message">
            <Icon name="error" />
            {message}
          </p>
        )}
      </div>
    </>
  );
}

function Pages({ pager: { page, goToPage, reader, size } }: { readonly pager: Pager }) {
  return (
    <div class="pager-group pager-pages">
      <ToolButton
        name="Previous page"
        icon="chevron-left"
        isDisabled={page.number === 0}
        act={() => goToPage(page.number - 1)}
      />
      <ToolButton
        name="Next page"
        icon="chevron-right"
        isDisabled={page.number >= page.last}
        act={() => goToPage(page.number + 1)}
      />
      <span class="pager-status" role="status">
        {size === undefined ? 'Loading…' : statusText(page.number, reader.page(page.number), size)}
      </span>
    </div>
  );
}

/** The lines on a page; its rows, where only earlier pages could tell which line they are of. */
function statusText(page: number, rows: readonly ShownRow[] | undefined, size: OutputSize): string {
  if (rows === undefined) return 'Loading…';
  if (rows.length === 0) return 'No lines';
  const of = (count: number) => (size.isCounted ? formatCount(count) : '…');
  const next = rows.findIndex(({ line }) => line !== undefined);
  const nextLine = rows[next]?.line;
  const first = nextLine === undefined || next === 0 ? nextLine : nextLine - 1;
  const last = rows.findLast(({ line }) => line !== undefined)?.line;
  if (first !== undefined && last !== undefined)
    return `Lines ${formatCount(first)}–${formatCount(last)} of ${of(size.lines)}`;
  const firstRow = page * PAGE_ROWS;
  return `Rows ${formatCount(firstRow + 1)}–${formatCount(firstRow + rows.length)} of ${of(size.rows)}`;
}

/** Digits, all together or in groups of three: with commas as the pager writes them, or with spaces of any width. */
const WHOLE_NUMBER = /^(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+)$/;

function wholeNumber(text: string): number | undefined {
  const number = Number(text.replace(/\D/g, ''));
  return WHOLE_NUMBER.test(text) && Number.isSafeInteger(number) ? number : undefined;
}

function GoToLine({ line }: { readonly line: Pager['line'] }) {
  const [text, setText] = useState('');
  const go = () => {
    const typed = text.trim();
    const number = wholeNumber(typed);
    if (typed === '') return;
    if (number !== undefined) void line.goTo(number);
    else line.refuse(typed);
  };
  return (
    <input
      class="pager-line"
      type="text"
      inputMode="numeric"
      aria-label="Go to line"
      placeholder="Go to line"
      autocomplete="off"
      aria-invalid={line.refusal !== undefined}
      value={text}
      onInput={(event) => {
        setText(event.currentTarget.value);
        line.forget();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.isComposing) go();
      }}
    />
  );
}

/** How long a button says what came of it. Milliseconds. */
const SAID_MS = 1_500;

function CopyPage({ pager: { page, reader } }: { readonly pager: Pager }) {
  const [outcome, setOutcome] = useState<'Copied' | 'Could not copy'>();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  const rows = reader.page(page.number);
  const copy = () => {
    const say = (what: typeof outcome) => {
      setOutcome(what);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setOutcome(undefined), SAID_MS);
    };
    navigator.clipboard.writeText(textOf(rows ?? [])).then(
      () => say('Copied'),
      () => say('Could not copy'),
    );
  };
  const icon = outcome === undefined ? 'copy' : outcome === 'Copied' ? 'check' : 'error';
  return (
    <>
      <ToolButton name="Copy page" icon={icon} isDisabled={rows === undefined} act={copy} />
      <span class="visually-hidden" role="status">
        {outcome}
      </span>
    </>
  );
}

/** A line that is shown in several rows is one line, without what was written over. */
function textOf(rows: readonly ShownRow[]): string {
  const begins = (row: ShownRow, index: number) => index > 0 && row.line !== undefined;
  return rows
    .map((row, index) => `${begins(row, index) ? '\n' : ''}${row.isWrittenOver === true ? '' : row.text}`)
    .join('');
}

function FileButtons({ toolUseId }: { readonly toolUseId: string }) {
  const { ask } = useStore();
  return (
    <>
      <ToolButton name="Open in editor" icon="go-to-file" act={() => void ask('openOutput', { toolUseId })} />
      <ToolButton
        name="Reveal in explorer"
        icon="folder-opened"
        act={() => void ask('revealOutput', { toolUseId })}
      />
    </>
  );
}
