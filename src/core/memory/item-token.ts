import type { DocumentItem } from './document.ts';

/** What makes two lines the same: a `\r` at the end may come from another editor. */
export function tokenOf(item: DocumentItem): string {
  if (item.kind === 'prose') return `p${item.text.endsWith('\r') ? item.text.slice(0, -1) : item.text}`;
  return item.id === undefined ? `t${item.text}` : item.id;
}
