import type { Color, DecorationType } from 'ansi-sequence-parser';
import { createAnsiSequenceParser } from 'ansi-sequence-parser';
import { controlSequences } from '../../src/core/model/control-sequences.ts';
import type { OutputRow } from '../../src/protocol/output-pages.ts';

/** How a piece of a row looks; colours as the terminal's sequences name them, null for the theme's own. */
export interface Look {
  readonly foreground: Color | null;
  readonly background: Color | null;
  readonly decorations: ReadonlySet<DecorationType>;
}

export interface Span {
  readonly text: string;
  readonly look: Look;
}

/** A row as a terminal would show it in the end. */
export interface ShownRow {
  /** absent where the row goes on with the line of the row before */
  readonly line?: number;
  /** the spans' texts, one after the other */
  readonly text: string;
  readonly spans: readonly Span[];
  /** the line goes on in the next row, which begins it anew: on a terminal nothing of this one would be left */
  readonly isWrittenOver?: true;
}

/** @param style colour sequences that are in force where the first row begins */
export function showRows(rows: readonly OutputRow[], style: string): readonly ShownRow[] {
  const parser = createAnsiSequenceParser();
  parser.parse(withoutControls(style));
  let rest = ''; // of a sequence that the end of a row cuts off
  return rows.map(({ line, text }, index) => {
    const raw = line === undefined ? rest + text : text;
    rest = CUT_OFF.exec(raw)?.[0] ?? '';
    const spans = settled(parser.parse(withoutControls(raw)).map(toSpan));
    return {
      ...(line !== undefined && { line }),
      text: spans.map((span) => span.text).join(''),
      spans,
      ...(isWrittenOver(rows[index + 1], text) && { isWrittenOver: true }),
    };
  });
}

/** A line that counts up in place is cut into rows before its carriage returns are done, as it may have any length. */
function isWrittenOver(next: OutputRow | undefined, text: string): boolean {
  return next !== undefined && next.line === undefined && next.text.includes('\r') && text.includes('\r');
}

interface Token extends Look {
  readonly value: string;
}

function toSpan({ value, ...look }: Token): Span {
  return { text: value, look };
}

const CUT_OFF = /\u001b(?:\[[0-?]*)?$/;

/** A sequence with parameters (1), intermediates (2) and what it does (3); every other one, or what there is of it. */
const ESCAPES = new RegExp(
  String.raw`\u001b\[([0-?]*)([ -/]*)([@-~])|${controlSequences()}|\u001b\[[0-?]*[ -/]*|\u001b[ -/]*[0-~]?`,
  'g',
);

/** Controls without a picture. What moves on the row, `\b`, `\t` and `\r`, and what is left of the sequences stay. */
const UNSEEN = /[\u0000\u0003-\u0007\n-\f\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g;

/** Private stand-ins for the erasing sequences, which mean something only together with `\r`. */
const ERASE_TO_END = '\u0001';
const ERASE_LINE = '\u0002';

/** Colours, moves on the row and text: what anything else would do to a screen is not shown. */
function withoutControls(raw: string): string {
  if (!/[\u0000-\b\n-\u001f\u007f-\u009f]/.test(raw)) return raw;
  return raw
    .replace(/[\u0001\u0002]/g, '')
    .replaceAll('\u009b', '\u001b[')
    .replace(ESCAPES, (_, ...parts: readonly (string | undefined)[]) => {
      const [parameters, between, action] = parts;
      if (parameters === undefined || between !== '') return '';
      if (action === 'm' && /^[\d;:]*$/.test(parameters)) return `\u001b[${plainColours(parameters)}m`;
      return action === 'K' ? erasure(parameters) : '';
    })
    .replace(UNSEEN, '');
}

function erasure(parameters: string): string {
  if (parameters === '2') return ERASE_LINE;
  return parameters === '1' ? '' : ERASE_TO_END;
}

/** Written as the parser knows them: nothing means reset, parts are kept apart by `;`, underlines have no colour or shape. */
function plainColours(parameters: string): string {
  return parameters
    .replace(/(^|;)58;(?:5;\d+|2;\d+;\d+;\d+)/g, '$159')
    .split(';')
    .map((part) => {
      if (part === '') return '0';
      if (part.startsWith('4:')) return part === '4:0' ? '24' : '4';
      if (part.startsWith('58:')) return '59';
      return part.replace(/^([34]8:2):\d*:(\d+:\d+:\d+)$/, '$1:$2').replaceAll(':', ';');
    })
    .join(';');
}

/** What is left when the carriage returns, backspaces and erasures are done. */
function settled(spans: readonly Span[]): readonly Span[] {
  if (!spans.some(({ text }) => /[\u0001\u0002\b\r]/.test(text))) return spans;
  const row = new Cells();
  for (const { text, look } of spans) for (const char of text) row.write(char, look);
  return row.spans();
}

const BLANK: Look = { foreground: null, background: null, decorations: new Set() };

class Cells {
  private cells: (Span | undefined)[] = [];
  private column = 0;

  write(char: string, look: Look): void {
    switch (char) {
      case '\r':
        this.column = 0;
        break;
      case '\b':
        this.column = Math.max(0, this.column - 1);
        break;
      case ERASE_LINE:
        this.cells = [];
        break;
      case ERASE_TO_END:
        this.cells.length = Math.min(this.cells.length, this.column);
        break;
      default:
        this.cells[this.column++] = { text: char, look };
    }
  }

  spans(): readonly Span[] {
    const spans: Span[] = [];
    for (const cell of Array.from(this.cells, (found) => found ?? { text: ' ', look: BLANK })) {
      const last = spans.at(-1);
      if (last?.look === cell.look) spans[spans.length - 1] = { ...last, text: last.text + cell.text };
      else spans.push(cell);
    }
    return spans;
  }
}
