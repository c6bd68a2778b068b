import type { ToolResultEntry } from '../model/entry.ts';

const texts = new WeakMap<ToolResultEntry, string>();

/** All text of a result. */
export function textOf(entry: ToolResultEntry): string {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const made = entry.content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
  texts.set(entry, made);
  return made;
}
