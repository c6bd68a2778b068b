import type { Importance, MemoryCategory, MemoryId } from '../model/memory.ts';

/**
 * MEMORY.md as it is read. In front stand the person's lines in the order of the file, free prose among bullets that are
 * memories; behind {@link LEARNT} what was learnt, by importance.
 */
export interface MemoryDocument {
  readonly hasBom: boolean;
  readonly eol: '\n' | '\r\n';
  readonly items: readonly DocumentItem[];
  readonly learnt: readonly DocumentMemory[];
}

export type DocumentItem =
  /** one line, byte for byte, that is no memory: a heading, a paragraph, a blank line, a line of a block */
  { readonly kind: 'prose'; readonly text: string } | DocumentMemory;

export interface DocumentMemory {
  readonly kind: 'memory';
  /** absent for a bullet that somebody typed and nobody has read yet */
  readonly id?: MemoryId;
  /** as it stands in the file, its lines without their two blanks */
  readonly text: string;
  /** its bullet: `-`, `*` or `+` */
  readonly bullet: string;
  /** as the comment says; absent where there is no comment, or one with an id only */
  readonly importance?: Importance;
  readonly category?: MemoryCategory;
}

/** The heading between what people wrote and what was learnt. */
export const LEARNT = '## Learnt on the way';

/** Marks in the file where the model's view of it ends. Read over. */
export const VIEW_ENDS = '<!-- Plimsoll: the model sees what stands above this line. -->';
