import { act } from 'preact/test-utils';
import type { MemoryDraft, MemoryRow, MemoryState } from '../../src/protocol/memory.ts';
import type { PanelState } from '../../src/protocol/view-model.ts';
import { click, mountPanel, noMemories } from './panel-harness.tsx';

export const pause = (ms: number) => act(() => new Promise((resolve) => setTimeout(resolve, ms)));

/** Longer than anything waits for a pause in typing. */
export const TYPED_MS = 400;

export const memoryRow = (id: string, text: string, more: Partial<MemoryRow> = {}): MemoryRow => ({
  ...{ id, text, category: 'fact', importance: 3, source: 'agent', isPinned: false, isShown: true },
  ...{ createdMs: 0, updatedMs: 0, uses: 0 },
  ...more,
});

export const memoryState = (more: Partial<MemoryState> = {}): MemoryState => ({ ...noMemories, ...more });

interface MemoryOptions {
  readonly answers?: Readonly<Record<string, (body: never) => unknown>>;
  readonly draft?: MemoryDraft;
  readonly panel?: Partial<PanelState>;
}

/** The panel with the Memory tab open, in front of a host that remembers what `more` says. */
export async function openMemory(more: Partial<MemoryState> = {}, options: MemoryOptions = {}) {
  const drafts: (MemoryDraft | undefined)[] = [];
  const panel = await mountPanel(options.panel, {
    answers: {
      memory: () => memoryState(more),
      measureMemory: () => ({ entries: 1, bytes: 20, tokens: 5 }),
      loadMemoryDraft: () => options.draft,
      saveMemoryDraft: (draft: MemoryDraft | undefined) => void drafts.push(draft),
      ...options.answers,
    },
  });
  const tab = (name: string) =>
    [...panel.root.querySelectorAll<HTMLElement>('[role="tab"]')].find(({ textContent }) =>
      textContent.startsWith(name),
    )!;
  await click(tab('Memory'));
  return {
    ...panel,
    tab,
    drafts,
    field: () => panel.find('textarea[aria-label="Project memory"]') as HTMLTextAreaElement,
    save: () => panel.button('Save memory')!,
    rows: () => [...panel.root.querySelectorAll<HTMLElement>('ul[aria-label="Memory entries"] > li')],
    /** what the host is asked, by name */
    bodiesOf: (request: string) =>
      panel.asked.filter((asked) => asked.request === request).map(({ body }) => body),
    tell: (state: Partial<MemoryState>) => panel.receive({ push: 'memory', state: memoryState(state) }),
  };
}

/** An answer that comes when it is given. */
export function later<T>() {
  let give: (value: T) => void = () => undefined;
  let refuse: (reason: Error) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => ([give, refuse] = [resolve, reject]));
  return { promise, give: (value: T) => give(value), refuse: (words: string) => refuse(new Error(words)) };
}
