import type { Memory, MemoryId } from '../model/memory.ts';
import { boundText } from '../text/bound-text.ts';
import type { MemoryDocument } from './document.ts';
import type { MemoryView } from './memory-view.ts';
import { memoriesOf } from './named-alike.ts';
import { tidyText } from './tidy.ts';
import { isShownWhole } from './view-lines.ts';

/** Characters of a text that a refusal repeats; only a person's own may be longer. */
const MOST_REPEATED = 20_000;

type Told = Pick<Memory, 'id' | 'text'>;

/**
 * What the model was last told that each memory says. It replaces and forgets only what it knows: somebody may have
 * edited it since.
 */
export class ToldMemories {
  readonly #texts = new Map<MemoryId, string>();

  note(memories: readonly Told[]): void {
    for (const { id, text } of memories) this.#texts.set(id, tidyText(text));
  }

  /** Why another must not stand in its place: a sentence for the model. Undefined: it may. What it says counts as told. */
  objectionToReplace(memory: Memory): string | undefined {
    if (memory.source === 'user')
      return `${memory.id} is a person's own line and stays as they wrote it. Write what was learnt as a memory of its own, without replaces, or tell the person.`;
    return this.#objectionToUnknown(memory);
  }

  /** The same of forgetting it. @param what by which it was asked for: its id or its whole text */
  objectionToForget(memory: Memory, what: string): string | undefined {
    if (memory.source !== 'user') return what === memory.id ? this.#objectionToUnknown(memory) : undefined;
    if (tidyText(what) === tidyText(memory.text)) return undefined;
    this.note([memory]);
    return `${memory.id} is a person's own line, and goes only by its whole text, exactly as it is now:\n${repeated(memory)}`;
  }

  #objectionToUnknown(memory: Memory): string | undefined {
    if (this.#texts.get(memory.id) === tidyText(memory.text)) return undefined;
    this.note([memory]);
    return `You have not been told what ${memory.id} says by now; ask again if it still holds for this:\n${repeated(memory)}`;
  }
}

/** What the view of a document tells whole. */
export function toldBy(document: MemoryDocument, { endsAt }: MemoryView): readonly Told[] {
  const items = document.items.slice(0, endsAt);
  const learnt =
    endsAt === undefined
      ? document.learnt
      : document.learnt.slice(0, Math.max(0, endsAt - document.items.length));
  return memoriesOf({ ...document, items, learnt }).flatMap(({ id, text }) =>
    id !== undefined && isShownWhole(text) ? [{ id, text }] : [],
  );
}

function repeated({ text }: Memory): string {
  return boundText(text, MOST_REPEATED);
}
