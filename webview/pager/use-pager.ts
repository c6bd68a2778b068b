import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OutputSearchResult, OutputSize } from '../../src/protocol/output-pages.ts';
import { formatCount, plural } from '../format.ts';
import { useStore } from '../state.ts';
import { OutputReader, PAGE_ROWS, pageOf } from './output-reader.ts';
import { OutputSearch } from './output-search.ts';
import type { Query } from './output-search.ts';
import { useFollow } from './use-follow.ts';
import { useVirtualRows } from './virtual-rows.ts';

/** Rows read before and behind those in sight, so that who scrolls finds them there. */
const READ_AHEAD = 300;
/** A reader who rests this long is where they want to be. Milliseconds. */
const REST_MS = 150;

export type Pager = ReturnType<typeof usePager>;

/** All that the pager shows of an output and can do with it. */
export function usePager(toolUseId: string) {
  const { output, get } = useStore();
  const [opened] = useState(() => output.peek());
  const scroller = useRef<HTMLDivElement>(null);
  const [reader] = useState(() => new OutputReader((at, rows) => get('outputPage', { toolUseId, at, rows })));
  const size = reader.size.value;
  const isWrapped = output.value?.isWrapped ?? true;
  const changes = reader.changes.value;
  const drawn = useVirtualRows({
    scroller,
    count: size?.rows ?? 0,
    isCounted: size?.isCounted === true,
    isWrapped,
    changes,
    isRead: (row) => reader.row(row) !== undefined,
    start: opened?.row ?? 0,
  });
  const { wasOn, stop, ...follow } = useFollow({ scroller, size, height: drawn.height, goTo: drawn.goTo });
  const rows: typeof drawn = {
    ...drawn,
    goTo: (...place) => {
      stop();
      drawn.goTo(...place);
    },
  };
  const ask = (query: Query) => get('searchOutput', { toolUseId, ...query });
  const search = useOutputSearch({ ask, reader, rows });
  const goToEnd = async () => {
    const end = await reader.find('end');
    if (end !== undefined) drawn.goTo(end.row, 'end');
  };
  const line = useGoToLine(reader, (row) => rows.goTo(row, 'center'));

  useEffect(() => {
    if (opened?.line !== undefined) void line.goTo(opened.line);
    return () => reader.close();
  }, []);
  useLayoutEffect(() => {
    if (size === undefined) reader.want(opened?.row ?? 0, opened?.row ?? 0);
    else reader.want(Math.max(0, rows.first - READ_AHEAD), rows.last + READ_AHEAD);
  });
  useSavedPlace(rows.first, size !== undefined);
  useEffect(() => line.letGo(), [changes]);
  const isSettled = size?.isCounted === true && !size.isGrowing;
  useEffect(() => {
    if (isSettled) void search.again({ stays: wasOn });
  }, [isSettled]);

  return {
    ...{ toolUseId, reader, search, rows, size, scroller, isWrapped, line, goToEnd },
    isChanged: changes > 0,
    follow,
    page: shownPage(rows, size),
    goToPage: (page: number) => rows.goTo(page * PAGE_ROWS),
    toggleWrap: () => {
      if (output.value !== undefined) output.value = { ...output.value, isWrapped: !isWrapped };
    },
  };
}

interface SearchInput {
  readonly ask: (query: Query) => Promise<OutputSearchResult>;
  readonly reader: OutputReader;
  readonly rows: ReturnType<typeof useVirtualRows>;
}

/** Searches again where the files are others: what was found before is nowhere. */
function useOutputSearch({ ask, reader, rows }: SearchInput): OutputSearch {
  const latest = useRef(rows);
  latest.current = rows;
  const [search] = useState(
    () =>
      new OutputSearch({
        // It was looked for in the files as they are: what is shown is to be of the same.
        ask: (query) => ask(query).finally(() => void reader.look()),
        from: () => latest.current.first,
        isGrowing: () => reader.size.peek()?.isGrowing === true,
        show: ({ row }) => latest.current.goTo(row, 'center'),
      }),
  );
  const changes = reader.changes.value;
  useEffect(() => {
    if (changes > 0) void search.anew();
  }, [changes]);
  useEffect(() => () => search.close(), []);
  return search;
}

/** The page that is read: at the end of the output the last one, however short. */
function shownPage(
  { first, last }: { readonly first: number; readonly last: number },
  size: OutputSize | undefined,
) {
  const lastPage = pageOf(Math.max(0, (size?.rows ?? 0) - 1));
  const isAtEnd = size !== undefined && last >= size.rows - 1;
  return { number: isAtEnd ? lastPage : pageOf(first), last: lastPage };
}

/** Goes to a line, and says where there is none. */
function useGoToLine(reader: OutputReader, show: (row: number) => void) {
  const [row, setRow] = useState<number>();
  const [refusal, setRefusal] = useState<string>();
  const goTo = async (line: number) => {
    const size = reader.size.peek();
    const isThere = line >= 1 && !(size?.isCounted === true && line > size.lines);
    const found = isThere ? await reader.find({ line }) : undefined;
    if (found?.line === line) {
      setRow(found.row);
      setRefusal(undefined);
      show(found.row);
    } else setRefusal(noSuchLine(line, reader.size.peek()));
  };
  return {
    /** the row that was gone to */
    row,
    refusal,
    goTo,
    refuse: (text: string) => setRefusal(`“${text}” is not the number of a line.`),
    forget: () => setRefusal(undefined),
    /** the row is another line's now */
    letGo: () => setRow(undefined),
  };
}

function noSuchLine(line: number, size: OutputSize | undefined): string {
  const known = size?.isCounted === true ? `: the output has ${plural(size.lines, 'line')}` : '';
  return `There is no line ${formatCount(line)}${known}.`;
}

/** Remembers, across reloads, where the reader rests. */
function useSavedPlace(row: number, isOpen: boolean): void {
  const { output } = useStore();
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setTimeout(() => {
      const open = output.peek();
      if (open === undefined || (open.row === row && open.line === undefined)) return;
      const { line: _, ...rest } = open;
      output.value = { ...rest, row };
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [row, isOpen]);
}
