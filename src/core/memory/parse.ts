import type { MemoryId } from '../model/memory.ts';
import type { DocumentItem, DocumentMemory, MemoryDocument } from './document.ts';
import { LEARNT, VIEW_ENDS } from './document.ts';
import { appendItems, BLANK_LINE } from './append-items.ts';
import { blocksIn } from './blocks.ts';
import { bulletOf, endOfBullet, isBlankLine } from './bullets.ts';
import { readComment } from './id-comment.ts';
import { BOM, isBlank, renderDocument } from './render.ts';

/**
 * Reads MEMORY.md. Any text is one. In linear time. A file whose lines all end in CRLF has that as its `eol`; where some
 * do, the `\r` belongs to the line before it.
 */
export function parseDocument(text: string): MemoryDocument {
  let document = readOnce(text);
  // What was taken out or moved may change how the rest is read.
  for (let round = 0, from = text; round < MAX_ROUNDS; round++) {
    const rendered = renderDocument(document);
    if (rendered === from) break;
    document = readOnce(rendered);
    from = rendered;
  }
  return document;
}

const MAX_ROUNDS = 6;

function readOnce(text: string): MemoryDocument {
  const hasBom = text.startsWith(BOM);
  const body = hasBom ? text.slice(BOM.length) : text;
  const eol = eolOf(body);
  const lines = body.split(eol).filter((line) => line.trimEnd() !== VIEW_ENDS);
  const { items: all, headings } = itemsOf(lines);
  const ours = headings.filter((at, index) => isRanked(all, at, headings[index + 1]));
  const [learntAt] = ours;
  const seen = new Map<MemoryId, string>();
  if (learntAt === undefined) return { hasBom, eol, items: emptied(identified(all, seen)), learnt: [] };
  const items = identified(withoutEmptyHeading(all.slice(0, learntAt)), seen);
  const isOurs = new Set(ours);
  const behind = all.filter((_, at) => at > learntAt && !isOurs.has(at));
  const { learnt, others } = divided(identified(behind, seen, true));
  const whole = appendItems(items, others);
  const needsBlank = learnt.length > 0 && whole.length > 0 && !isBlank(whole.at(-1));
  return { hasBom, eol, items: needsBlank ? [...whole, BLANK_LINE] : emptied(whole), learnt };
}

function eolOf(text: string): '\n' | '\r\n' {
  const at = text.indexOf('\n');
  if (at < 1 || text.charAt(at - 1) !== '\r') return '\n';
  return /(?<!\r)\n/.test(text) ? '\n' : '\r\n';
}

function isLearnt(line: string): boolean {
  return line.startsWith(LEARNT) && line.trimEnd() === LEARNT;
}

/** A file without a byte has no line. */
function emptied(items: readonly DocumentItem[]): readonly DocumentItem[] {
  const [only] = items;
  return items.length === 1 && only?.kind === 'prose' && only.text === '' ? [] : items;
}

/** The items of some lines, and which of them are headings as that of what was learnt. */
function itemsOf(lines: readonly string[]) {
  const endOfBlock = blocksIn(lines);
  const items: DocumentItem[] = [];
  const headings: number[] = [];
  for (let at = 0, end = 0; at < lines.length; at = end) {
    const line = lines[at] ?? '';
    const bullet = bulletOf(line);
    if (bullet !== undefined) {
      end = endOfBullet(lines, at);
      items.push(memoryOf(bullet, lines.slice(at + 1, end)));
      continue;
    }
    if (isLearnt(line)) headings.push(items.length);
    end = (endOfBlock(at) ?? at) + 1;
    for (const text of lines.slice(at, end)) items.push({ kind: 'prose', text });
  }
  return { items, headings };
}

/** Whether a heading is ours: memories with a rank stand below it. A person may have one with the same words. */
function isRanked(items: readonly DocumentItem[], at: number, end = items.length): boolean {
  for (let index = at + 1; index < end; index++) {
    const item = items[index];
    if (item?.kind === 'memory' && item.importance !== undefined) return true;
  }
  return false;
}

/** A heading of ours with nothing left below it, above the one that is written anew. */
export function withoutEmptyHeading(items: readonly DocumentItem[]): readonly DocumentItem[] {
  let end = items.length;
  for (let at = end - 1; at >= 0; at--) {
    const item = items[at];
    if (item?.kind !== 'prose' || !(isBlank(item) || isLearnt(item.text))) break;
    if (isLearnt(item.text)) end = at;
  }
  return emptied(items.slice(0, end));
}

function memoryOf(
  { bullet, rest }: { readonly bullet: string; readonly rest: string },
  below: readonly string[],
): DocumentMemory {
  const { text, comment } = readComment(rest);
  const others = below.map((line) => (isBlankLine(line) ? line : line.slice(2)));
  const isBare = comment !== undefined && isBlankLine(text);
  const lines = isBare ? others.slice(others.findIndex((line) => !isBlankLine(line))) : [text, ...others];
  return { kind: 'memory', bullet, text: lines.join('\n'), ...comment };
}

/**
 * An id that was seen before is left out: the bullet is a copy. Of a bullet of which the comment alone is left nothing
 * stays, nor of what was learnt twice, or is a person's now.
 */
function identified(
  items: readonly DocumentItem[],
  seen: Map<MemoryId, string>,
  isBehind = false,
): readonly DocumentItem[] {
  return items.flatMap((item): readonly DocumentItem[] => {
    if (item.kind === 'prose' || item.id === undefined) return [item];
    const { id, kind, bullet, text } = item;
    if (isBlankLine(text)) return [];
    const known = seen.get(id);
    if (known !== undefined) return isBehind && known === text ? [] : [{ kind, bullet, text }];
    seen.set(id, text);
    return [item];
  });
}

/** What stands behind the heading: what was learnt, and what a person has appended to the file. */
function divided(items: readonly DocumentItem[]) {
  const learnt: DocumentMemory[] = [];
  const others: DocumentItem[] = [];
  for (const item of items) {
    if (item.kind === 'memory' && item.importance !== undefined) learnt.push(item);
    else others.push(item);
  }
  return { learnt, others };
}
