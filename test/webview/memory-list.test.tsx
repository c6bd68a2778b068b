// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserItem } from '../../src/protocol/view-model.ts';
import { agoInWords } from '../../webview/memory/ago.ts';
import { accessibleName, click, press, type } from './panel-harness.tsx';
import { later, memoryRow, openMemory, pause, TYPED_MS } from './memory-harness.tsx';

const tabs = memoryRow('m1', 'Use tabs', { source: 'user', importance: 5, isPinned: true });
const test = memoryRow('m2', 'Test first', { isShown: false });
const kind = memoryRow('m3', 'Be kind', { source: 'extractor' });
const memories = [tabs, test, kind];
const refuse = (words: string) => () => {
  throw new Error(words);
};

const textsOf = (rows: readonly HTMLElement[]) =>
  rows.map((row) => row.querySelector('.memory-text')!.textContent);

beforeEach(() => (Element.prototype.scrollIntoView = () => undefined));
afterEach(() => void vi.useRealTimers());

describe('the memories one by one', () => {
  it('say what they are, who wrote them, when they were of use and whether the model sees them', async () => {
    const used = { usedMs: Date.now() - 3 * 86_400_000, uses: 2 };
    const panel = await openMemory({ memories: [{ ...tabs, ...used }, test, kind] });
    const facts = panel.rows().map((row) => row.querySelector('p.memory-facts')!.textContent);
    expect(textsOf(panel.rows())).toEqual(['Use tabs', 'Test first', 'Be kind']);
    expect(facts[0]).toBe('Written by a personLast looked up 3 days ago');
    expect(facts[1]).toBe('The model does not see itWritten by the agentNever looked up');
    expect(facts[2]).toBe('Learnt at a compactionNever looked up');
  });

  it('hide nothing', async () => {
    const panel = await openMemory({ memories: [memoryRow('m1', 'is\u202eAdmin')] });
    expect(textsOf(panel.rows())).toEqual(['is⟨U+202E⟩Admin']);
    expect(panel.button('Delete: is⟨U+202E⟩Admin')).toBeDefined();
  });

  it('say so where there are none', async () => {
    const panel = await openMemory();
    expect(panel.find('.memory-entries').textContent).toContain('Nothing is remembered yet.');
    expect(panel.root.querySelector('input[aria-label="Search memories"]')).toBeNull();
  });

  it('lead to where they were learnt, if that is in this conversation', async () => {
    const item: UserItem = { kind: 'user', id: 'e2', text: 'Be kind, please.' };
    const origin = { sessionId: 's1', entryId: 'e2' } as const;
    const panel = await openMemory(
      {
        memories: [
          { ...kind, origin: { ...origin, isHere: true } },
          { ...test, origin: { ...origin, isHere: false } },
        ],
      },
      { panel: { items: [item] } },
    );
    expect(panel.rows()[1]!.textContent).toContain('in another session');
    expect(panel.rows()[1]!.querySelector('.source-link')).toBeNull();
    await click(panel.button('Go to Learnt at: You: Be kind, please.')!);
    expect(panel.find('[role="tab"][aria-selected="true"]').textContent).toBe('Chat');
    expect(document.activeElement?.textContent).toContain('Be kind, please.');
  });

  it('can be ranked and pinned', async () => {
    const pinned = { ...kind, isPinned: true };
    const panel = await openMemory({ memories: [tabs, test, pinned] });
    const rank = panel.find('select[aria-label="Importance: Test first"]') as HTMLSelectElement;
    expect([...rank.options].map(({ value }) => value)).toEqual(['1', '2', '3', '4', '5']);
    expect(rank.value).toBe('3');
    rank.value = '5';
    rank.dispatchEvent(new Event('change', { bubbles: true }));
    expect(panel.button('Pin: Be kind')!.getAttribute('aria-pressed')).toBe('true');
    expect(panel.button('Pin: Test first')!.getAttribute('aria-pressed')).toBe('false');
    await click(panel.button('Pin: Be kind')!);
    await click(panel.button('Pin: Test first')!);
    expect(panel.bodiesOf('changeMemory')).toEqual([
      { id: 'm2', importance: 5 },
      { id: 'm3', isPinned: false },
      { id: 'm2', isPinned: true },
    ]);
  });

  it('that a person wrote stand where they were put: they are not offered to be ranked or pinned, and say so', async () => {
    const panel = await openMemory({ memories });
    const [own, learnt] = panel.rows();
    const namesOf = (row: HTMLElement) => [...row.querySelectorAll('button, select')].map(accessibleName);
    expect(namesOf(own!)).toEqual(['Delete: Use tabs']);
    expect(own!.textContent).toContain('Yours: stands where you put it');
    expect(namesOf(learnt!)).toEqual(['Importance: Test first', 'Pin: Test first', 'Delete: Test first']);
    expect(learnt!.textContent).not.toContain('Yours');
  });

  it('are as they were where a change is refused, and why is said', async () => {
    const panel = await openMemory({ memories }, { answers: { changeMemory: refuse('The disk is full.') } });
    const rank = panel.find('select[aria-label="Importance: Test first"]') as HTMLSelectElement;
    rank.value = '5';
    rank.dispatchEvent(new Event('change', { bubbles: true }));
    await pause(0);
    expect(rank.value).toBe('3');
    expect(panel.find('.memory-entries [role="alert"]').textContent).toContain('The disk is full.');
  });

  it('are drawn some hundreds at a time', async () => {
    const many = Array.from({ length: 450 }, (_, index) => memoryRow(`m${index}`, `Memory ${index}`));
    const panel = await openMemory({ memories: many });
    expect(panel.rows()).toHaveLength(200);
    await click(panel.button('Show 200 more')!);
    await click(panel.button('Show 50 more')!);
    expect(panel.rows()).toHaveLength(450);
  });

  it('show at once what the agent has written', async () => {
    const panel = await openMemory({ memories });
    await panel.tell({ memories: [...memories, memoryRow('m4', 'New')] });
    expect(textsOf(panel.rows())).toEqual(['Use tabs', 'Test first', 'Be kind', 'New']);
  });
});

describe('forgetting', () => {
  it('can be undone in the same place, and the focus goes there and back', async () => {
    const panel = await openMemory({ memories });
    await click(panel.button('Delete: Test first')!);
    expect(panel.bodiesOf('forgetMemory')).toEqual([{ id: 'm2' }]);
    expect(textsOf(panel.rows())).toEqual(['Use tabs', 'Forgotten: Test first', 'Be kind']);
    expect(accessibleName(document.activeElement!)).toBe('Undo: forgetting Test first');
    await panel.tell({ memories: [tabs, kind] });
    expect(textsOf(panel.rows())).toEqual(['Use tabs', 'Forgotten: Test first', 'Be kind']);
    expect(accessibleName(document.activeElement!)).toBe('Undo: forgetting Test first');
    await click(panel.button('Undo: forgetting Test first')!);
    expect(panel.bodiesOf('restoreMemory')).toEqual([{ id: 'm2' }]);
    await panel.tell({ memories });
    expect(textsOf(panel.rows())).toEqual(['Use tabs', 'Test first', 'Be kind']);
    expect(accessibleName(document.activeElement!)).toBe('Delete: Test first');
  });

  it('is offered to be undone for a while, and as long as the focus is there', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const panel = await openMemory({ memories });
    await click(panel.button('Delete: Use tabs')!);
    await click(panel.button('Delete: Test first')!);
    await panel.tell({ memories: [kind] });
    await pauseFake(19_000);
    expect(panel.rows()).toHaveLength(3);
    await pauseFake(2_000);
    expect(textsOf(panel.rows())).toEqual(['Forgotten: Test first', 'Be kind']);
    panel.button('Delete: Be kind')!.focus();
    await pauseFake(10);
    expect(textsOf(panel.rows())).toEqual(['Be kind']);
  });

  it('that is refused changes nothing, and why is said', async () => {
    const panel = await openMemory(
      { memories },
      { answers: { forgetMemory: refuse('It is no longer there.') } },
    );
    await click(panel.button('Delete: Test first')!);
    expect(textsOf(panel.rows())).toEqual(['Use tabs', 'Test first', 'Be kind']);
    expect(accessibleName(document.activeElement!)).toBe('Delete: Test first');
    expect(panel.find('.memory-entries [role="alert"]').textContent).toContain('It is no longer there.');
  });

  it('stays undoable where undoing was refused', async () => {
    const panel = await openMemory(
      { memories },
      { answers: { restoreMemory: refuse('Its words are gone.') } },
    );
    await click(panel.button('Delete: Test first')!);
    await click(panel.button('Undo: forgetting Test first')!);
    expect(panel.button('Undo: forgetting Test first')).toBeDefined();
    expect(panel.find('.memory-entries [role="alert"]').textContent).toContain('Its words are gone.');
  });
});

describe('looking for a memory', () => {
  const SEARCH = 'input[aria-label="Search memories"]';

  it('shows what was found, best first, and everything again where nothing is looked for', async () => {
    const panel = await openMemory(
      { memories },
      { answers: { searchMemory: () => ({ ids: ['m3', 'm1', 'gone'] }) } },
    );
    await type(panel.find(SEARCH), 'k');
    await type(panel.find(SEARCH), 'kind');
    await pause(TYPED_MS);
    expect(panel.bodiesOf('searchMemory')).toEqual([{ query: 'kind' }]);
    expect(textsOf(panel.rows())).toEqual(['Be kind', 'Use tabs']);
    expect(panel.find('.memory-search [role="status"]').textContent).toBe('2 found');
    await press(panel.find(SEARCH), 'Escape');
    expect(panel.rows()).toHaveLength(3);
    expect((panel.find(SEARCH) as HTMLInputElement).value).toBe('');
  });

  it('has no use for an answer that comes too late', async () => {
    const answers = [later<unknown>(), later<unknown>()];
    let asked = 0;
    const panel = await openMemory(
      { memories },
      { answers: { searchMemory: () => answers[asked++]!.promise } },
    );
    await type(panel.find(SEARCH), 'tabs');
    await pause(TYPED_MS);
    await type(panel.find(SEARCH), 'kind');
    await pause(TYPED_MS);
    answers[1]!.give({ ids: ['m3'] });
    await pause(0);
    answers[0]!.give({ ids: ['m1'] });
    await pause(0);
    expect(textsOf(panel.rows())).toEqual(['Be kind']);
  });

  it('that fails says why, and leaves the rows', async () => {
    const panel = await openMemory({ memories }, { answers: { searchMemory: refuse('No index.') } });
    await type(panel.find(SEARCH), 'tabs');
    await pause(TYPED_MS);
    expect(panel.rows()).toHaveLength(3);
    expect(panel.find('.memory-entries [role="alert"]').textContent).toContain('No index.');
  });
});

describe('a time in words', () => {
  const HOUR = 3_600_000;
  it.each([
    [-5, 'just now'],
    [59_000, 'just now'],
    [60_000, '1 minute ago'],
    [5 * HOUR, '5 hours ago'],
    [24 * HOUR, 'yesterday'],
    [70 * 24 * HOUR, '2 months ago'],
    [800 * 24 * HOUR, '2 years ago'],
  ])('%d milliseconds are %j', (past, words) => {
    expect(agoInWords(1e12 - past, 1e12)).toBe(words);
  });
});

async function pauseFake(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await pause(5);
}
