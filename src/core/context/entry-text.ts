import type { ToolResultEntry } from '../model/entry.ts';
import { once } from '../model/once.ts';

/** All text of a result. */
export const textOf = once((entry: ToolResultEntry): string =>
  entry.content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n'),
);
