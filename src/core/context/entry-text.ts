import type { ToolResultEntry } from '../model/entry.ts';

/** All text of a result. */
export function textOf(entry: ToolResultEntry): string {
  return entry.content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
}
