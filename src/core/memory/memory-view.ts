import type { Memory } from '../model/memory.ts';
import { MEMORY_BOUND } from '../model/memory.ts';
import { redactText } from '../text/redact.ts';
import { blocksIn, mayOpenBlock } from './blocks.ts';
import type { DocumentItem, DocumentMemory, MemoryDocument } from './document.ts';
import { LEARNT } from './document.ts';
import { lookupOf } from './memory-lookup.ts';
import { isBlank, linesOf } from './render.ts';
import { tidyText } from './tidy.ts';
import { byteLength, lineInView, proseInView } from './view-lines.ts';

/** What the prompt says of a project's memory. */
export interface MemoryView {
  /** undefined where there is nothing to say */
  readonly text: string | undefined;
  /** memories in it */
  readonly entries: number;
  /** UTF-8 */
  readonly bytes: number;
  readonly tokens: number;
  /** of items and learnt memories, the first that is not in it for want of room; absent where all are */
  readonly endsAt?: number;
}

export interface MemoryViewOptions {
  readonly memories: readonly Memory[];
  readonly tokensOf: (text: string) => number;
  readonly nowMs: number;
}

const HEADER = `# Project memory

Notes kept from earlier sessions of this project; what was learnt on the way bears its day. They may be out of date: what the user says, the project instructions and the code itself win over them.`;

/** The view of a document, within {@link MEMORY_BOUND}: whole items in their order, up to the first that has no room. */
export function viewOfMemory(document: MemoryDocument, options: MemoryViewOptions): MemoryView {
  const { pieces, endsAt } = fitting(document, options);
  const whole = viewOf(pieces, options.tokensOf);
  if (isWithin(whole)) return { ...whole, ...(endsAt !== undefined && { endsAt }) };
  // Texts may take more together than one by one.
  let [fits, isTooMuch] = [0, pieces.length];
  while (isTooMuch - fits > 1) {
    const middle = (fits + isTooMuch) >> 1;
    if (isWithin(viewOf(pieces.slice(0, middle), options.tokensOf))) fits = middle;
    else isTooMuch = middle;
  }
  const first = pieces[fits];
  return { ...viewOf(pieces.slice(0, fits), options.tokensOf), ...(first && { endsAt: first.at }) };
}

/** What is in the view whole or not at all. */
interface Piece {
  /** the first of items and learnt memories that it shows */
  readonly at: number;
  readonly text: string;
  readonly isMemory: boolean;
}

function viewOf(pieces: readonly Piece[], tokensOf: (text: string) => number): MemoryView {
  if (pieces.length === 0) return { text: undefined, entries: 0, bytes: 0, tokens: 0 };
  const text = redactText([HEADER, ...pieces.map((piece) => piece.text)].join('\n'));
  const entries = pieces.filter(({ isMemory }) => isMemory).length;
  return { text, entries, bytes: byteLength(text), tokens: tokensOf(text) };
}

function isWithin({ entries, bytes, tokens }: Pick<MemoryView, 'entries' | 'bytes' | 'tokens'>): boolean {
  return entries <= MEMORY_BOUND.entries && bytes <= MEMORY_BOUND.bytes && tokens <= MEMORY_BOUND.tokens;
}

/** The pieces that have room one by one; nothing that is behind them is looked at. */
function fitting(document: MemoryDocument, options: MemoryViewOptions) {
  const pieces: Piece[] = [];
  let { entries, bytes, tokens } = {
    entries: 0,
    bytes: byteLength(HEADER),
    tokens: options.tokensOf(HEADER),
  };
  for (const piece of piecesOf(document, options)) {
    entries += piece.isMemory ? 1 : 0;
    bytes += byteLength(piece.text) + 1;
    if (bytes <= MEMORY_BOUND.bytes) tokens += options.tokensOf(`${piece.text}\n`);
    if (!isWithin({ entries, bytes, tokens })) return { pieces, endsAt: piece.at };
    pieces.push(piece);
  }
  return { pieces, endsAt: undefined };
}

/** In order. A blank line, and the heading of what was learnt, belong to what is behind them. */
function* piecesOf(document: MemoryDocument, { memories, nowMs }: MemoryViewOptions): Generator<Piece> {
  const { items, learnt } = document;
  const find = lookupOf(document, memories);
  const isExpired = ({ id }: DocumentMemory) => (find(id)?.expiresMs ?? Infinity) <= nowMs;
  const endOfBlock = blockEndsOf(items);
  let gap = '\n'; // below the header
  for (let at = 0, end = 0; at < items.length; at = end) {
    const item = items[at];
    end = (endOfBlock(at) ?? at) + 1;
    if (item === undefined || (item.kind === 'memory' && isExpired(item))) continue;
    const text = isBlank(item) ? '' : end > at + 1 ? blockOf(items.slice(at, end)) : textOf(item);
    if (text !== '') yield { at, text: gap + text, isMemory: item.kind === 'memory' };
    gap = text === '' ? '\n' : '';
  }
  gap = `\n${LEARNT}\n`;
  for (const [index, memory] of learnt.entries()) {
    if (isExpired(memory)) continue;
    const day = dayOf(find(memory.id)?.updatedMs);
    const text = memoryInView({
      bullet: '-',
      text: day === undefined ? memory.text : `${day}: ${memory.text}`,
    });
    yield { at: items.length + index, text: gap + text, isMemory: true };
    gap = '';
  }
}

/** The last line of the block that begins at an item. Not asked for where the view holds none: there may be many lines. */
function blockEndsOf(items: readonly DocumentItem[]): (at: number) => number | undefined {
  let endOfBlock: ((at: number) => number | undefined) | undefined;
  return (at) => {
    const item = items[at];
    if (item?.kind !== 'prose' || !mayOpenBlock(item.text, at)) return undefined;
    endOfBlock ??= blocksIn(items.map((each) => linesOf(each)[0] ?? ''));
    return endOfBlock(at);
  };
}

function blockOf(items: readonly DocumentItem[]): string {
  return items.map(({ text }) => lineInView(text)).join('\n');
}

function textOf(item: DocumentItem): string {
  return item.kind === 'prose' ? proseInView(item.text) : memoryInView(item);
}

function memoryInView({ bullet, text }: Pick<DocumentMemory, 'bullet' | 'text'>): string {
  const [first = '', ...others] = tidyText(text).split('\n');
  return [lineInView(`${bullet} ${first}`), ...others.map((line) => lineInView(`  ${line}`))].join('\n');
}

/** The day of a time, in UTC. */
function dayOf(ms: number | undefined): string | undefined {
  const date = new Date(ms ?? NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);
}
