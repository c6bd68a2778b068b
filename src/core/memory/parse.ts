import type { MemoryId } from '../model/memory.ts';
import type { DocumentItem, DocumentMemory, MemoryDocument } from './document.ts';
import { LEARNT, VIEW_ENDS } from './document.ts';
import { appendItems, BLANK_LINE } from './append-items.ts';
import { fencesOf } from './fences.ts';
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
  const learntAt = lines.findIndex(isLearnt);
  const seen = new Map<MemoryId, string>();
  if (learntAt < 0) return { hasBom, eol, items: emptied(itemsOf(lines, seen)), learnt: [] };
  const items = itemsOf(lines.slice(0, learntAt), seen);
  const behind = lines.slice(learntAt + 1).filter((line) => !isLearnt(line));
  const { learnt, others } = divided(itemsOf(behind, seen, true));
  const all = appendItems(items, others);
  const needsBlank = learnt.length > 0 && all.length > 0 && !isBlank(all.at(-1));
  return { hasBom, eol, items: needsBlank ? [...all, BLANK_LINE] : emptied(all), learnt };
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

/** The items of some lines. An id that was seen before is left out: the bullet is a copy. */
function itemsOf(
  lines: readonly string[],
  seen: Map<MemoryId, string>,
  isBehind = false,
): readonly DocumentItem[] {
  const fences = fencesOf(lines);
  const items: DocumentItem[] = [];
  for (let at = 0; at < lines.length;) {
    const fenceEnd = fences.get(at);
    const bullet = fenceEnd === undefined ? bulletOf(lines[at] ?? '') : undefined;
    let end = (fenceEnd ?? at) + 1;
    if (bullet === undefined) for (const text of lines.slice(at, end)) items.push({ kind: 'prose', text });
    else {
      while (lines[end]?.startsWith('  ') === true) end++;
      const others = lines.slice(at + 1, end).map((line) => line.slice(2));
      items.push(...identified(memoryOf(bullet, others), seen, isBehind));
    }
    at = end;
  }
  return items;
}

/** The bullet that a line at the margin begins with, if there is something behind it and the line is no rule. */
function bulletOf(line: string): { readonly bullet: string; readonly rest: string } | undefined {
  const bullet = line.charAt(0);
  if (!'-*+'.includes(bullet) || line.charAt(1) !== ' ' || line.trimEnd().length < 2) return undefined;
  if (RULE.test(line)) return undefined;
  return { bullet, rest: line.slice(2) };
}

const RULE = /^([-*])(?: +\1)+\s*$/;

function memoryOf(
  { bullet, rest }: { readonly bullet: string; readonly rest: string },
  others: readonly string[],
): DocumentMemory {
  const { text, comment } = readComment(rest);
  const lines = comment !== undefined && text.trim() === '' ? others : [text, ...others];
  return { kind: 'memory', bullet, text: lines.join('\n'), ...comment };
}

/** Of a bullet of which the comment alone is left nothing stays, nor of what was learnt twice, or is a person's now. */
function identified(
  memory: DocumentMemory,
  seen: Map<MemoryId, string>,
  isBehind: boolean,
): readonly DocumentMemory[] {
  const { id, kind, bullet, text } = memory;
  if (id === undefined) return [memory];
  if (text.trim() === '') return [];
  const known = seen.get(id);
  if (known !== undefined) return isBehind && known === text ? [] : [{ kind, bullet, text }];
  seen.set(id, text);
  return [memory];
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
