import { assertNever } from '../model/assert-never.ts';
import { isBlankLine } from './bullets.ts';
import type { DocumentItem, DocumentMemory, MemoryDocument } from './document.ts';
import { LEARNT, VIEW_ENDS } from './document.ts';
import { withComment } from './id-comment.ts';

/**
 * MEMORY.md. What {@link parseDocument} gave comes back as it was, but for what is not kept.
 * @param options `endsAt`: before which of the items and the learnt ones behind them the model's view ends
 */
export function renderDocument(document: MemoryDocument, options: { readonly endsAt?: number } = {}): string {
  const { items, learnt, hasBom, eol } = document;
  const { endsAt = -1 } = options;
  const lines: string[] = [];
  const put = (item: DocumentItem, index: number) => {
    if (index === endsAt) lines.push(VIEW_ENDS);
    for (const line of linesOf(item)) lines.push(line);
  };
  items.forEach(put);
  if (learnt.length > 0) {
    if (items.length > 0 && !isBlank(items.at(-1))) lines.push('');
    lines.push(LEARNT, '');
    learnt.forEach((memory, index) => {
      put(memory, items.length + index);
    });
    lines.push('');
  }
  return (hasBom ? BOM : '') + lines.join(eol);
}

export const BOM = '\uFEFF';

export function isBlank(item: DocumentItem | undefined): boolean {
  return item?.kind === 'prose' && isBlankLine(item.text);
}

/** The lines that an item has in the file. */
export function linesOf(item: DocumentItem): readonly string[] {
  switch (item.kind) {
    case 'prose':
      return [item.text];
    case 'memory':
      return linesOfMemory(item);
    default:
      return assertNever(item);
  }
}

function linesOfMemory({ bullet, text, id, importance, category }: DocumentMemory): readonly string[] {
  const [first = '', ...others] = text.split('\n');
  const rank = importance === undefined || category === undefined ? {} : { importance, category };
  const line = `${bullet} ${first}`;
  return [
    id === undefined ? line : withComment(line, { id, ...rank }),
    ...others.map((other) => (isBlankLine(other) ? other : `  ${other}`)),
  ];
}
