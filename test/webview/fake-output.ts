import type {
  OutputPage,
  OutputPageRequest,
  OutputRow,
  OutputSearchRequest,
  OutputSearchResult,
  OutputSize,
} from '../../src/protocol/output-pages.ts';

/** An output as a host would page it, one row for each text; a row without a line goes on with the one before. */
export interface FakeOutput {
  rows: readonly Omit<OutputRow, 'byte'>[];
  size?: Partial<OutputSize>;
  missing?: string;
  /** rows with matches that a search lists */
  mostMatched?: number;
}

export function linesOf(texts: readonly string[]): FakeOutput['rows'] {
  return texts.map((text, index) => ({ text, line: index + 1 }));
}

export const numbered = (count: number) =>
  linesOf(Array.from({ length: count }, (_, index) => `row ${index + 1}`));

/** Layout, as far as a list that is drawn in part needs one: 30 rows are in sight. */
export function giveLayout(): void {
  const { prototype } = HTMLElement;
  Object.defineProperty(prototype, 'clientHeight', { configurable: true, get: () => 540 });
  Object.defineProperty(prototype, 'offsetHeight', { configurable: true, get: () => 18 });
  Object.defineProperty(prototype, 'scrollHeight', { configurable: true, get: () => 100_000_000 });
  prototype.scrollIntoView = () => undefined;
  prototype.scrollTo = function (this: HTMLElement, to?: ScrollToOptions | number) {
    this.scrollTop = typeof to === 'object' ? (to.top ?? 0) : 0;
    this.dispatchEvent(new Event('scroll'));
  };
}

/** The host's answers about the output as it is when they are asked for. */
export function hostOf(output: FakeOutput) {
  const size = (): OutputSize => ({
    bytes: output.rows.reduce((sum, { text }) => sum + text.length + 1, 0),
    rows: output.rows.length,
    lines: output.rows.filter(({ line }) => line !== undefined).length,
    isCounted: true,
    isGrowing: false,
    generation: 0,
    ...output.size,
  });
  const rowAt = (at: OutputPageRequest['at'], rows: number): number => {
    if (at === 'end') return Math.max(0, output.rows.length - rows);
    // A place behind the end is the last row.
    const last = output.rows.length - 1;
    if ('row' in at) return Math.min(at.row, last);
    const found = 'line' in at ? output.rows.findIndex(({ line }) => line === at.line) : 0;
    return found < 0 ? last : found;
  };
  // Matches are looked for in what is seen of a row.
  const plain = (raw: string) => raw.replace(/\u001b\[[\d;]*m/g, '');
  return {
    outputPage: ({ at, rows }: OutputPageRequest): OutputPage => {
      if (output.missing !== undefined) return { kind: 'missing', reason: output.missing };
      const firstRow = rowAt(at, rows);
      const found = output.rows.slice(firstRow, firstRow + rows);
      const page = found.map((row) => ({ ...row, byte: 0 }));
      return { kind: 'page', rows: page, firstRow, style: '', size: size() };
    },
    searchOutput: ({ text, isCaseSensitive }: OutputSearchRequest): OutputSearchResult => {
      const folded = (raw: string) => (isCaseSensitive ? plain(raw) : plain(raw).toLowerCase());
      const matches = output.rows.flatMap((row, index) => {
        const count = folded(row.text).split(folded(text)).length - 1;
        return count === 0 ? [] : [{ row: index, line: row.line ?? 1, byte: 0, count }];
      });
      const listed = matches.slice(0, output.mostMatched);
      const count = matches.reduce((sum, match) => sum + match.count, 0);
      return { matches: listed, count, isCut: listed.length < matches.length };
    },
  };
}
