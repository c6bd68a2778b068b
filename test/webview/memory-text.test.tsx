// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { MemoryMeasure } from '../../src/protocol/memory.ts';
import { replaceText } from '../../webview/memory/keep-place.ts';
import { click, press, type } from './panel-harness.tsx';
import { later, memoryState, openMemory, pause, TYPED_MS } from './memory-harness.tsx';

const TEXT = '- Use tabs\n- Test first\n';
const measure = { entries: 2, bytes: 24, tokens: 8 };

describe('the text of MEMORY.md', () => {
  it('can be saved once something has changed, and says so', async () => {
    const saved = memoryState({ text: '- Use tabs\n- Test first\n- Be kind\n' });
    const panel = await openMemory(
      { text: TEXT },
      { answers: { saveMemory: () => ({ state: saved, conflicts: [] }) } },
    );
    expect(panel.field().value).toBe(TEXT);
    expect(panel.save().getAttribute('aria-disabled')).toBe('true');
    await click(panel.save());
    expect(panel.bodiesOf('saveMemory')).toEqual([]);
    await type(panel.field(), `${TEXT}- Be kind\n`);
    expect(panel.save().getAttribute('aria-disabled')).toBe('false');
    expect(panel.find('.memory-save').textContent).toContain('Unsaved changes');
    await click(panel.save());
    expect(panel.bodiesOf('saveMemory')).toEqual([{ text: `${TEXT}- Be kind\n`, base: TEXT }]);
    expect(panel.find('.memory-save').textContent).not.toContain('Unsaved');
    expect(panel.find('.memory-save [role="status"]').textContent).toBe('Saved');
    await type(panel.field(), TEXT);
    expect(panel.find('.memory-save [role="status"]').textContent).toBe('');
  });

  it.each([
    ['Ctrl+S', { ctrlKey: true }],
    ['⌘S', { metaKey: true }],
  ])('is saved by %s, wherever in the tab the focus is, and nobody else hears of it', async (_, keys) => {
    const panel = await openMemory({ text: TEXT }, { answers: { saveMemory: () => new Promise(() => {}) } });
    let heard = 0;
    const hear = () => (heard += 1);
    window.addEventListener('keydown', hear);
    await type(panel.field(), 'new');
    const event = await press(panel.button('Open MEMORY.md in an editor tab')!, 's', keys);
    window.removeEventListener('keydown', hear);
    expect(event.defaultPrevented).toBe(true);
    expect(heard).toBe(0);
    expect(panel.bodiesOf('saveMemory')).toEqual([{ text: 'new', base: TEXT }]);
    await press(panel.field(), 's', keys);
    expect(panel.bodiesOf('saveMemory'), 'once at a time').toHaveLength(1);
  });

  it('stays as it is where it could not be saved, and why is said', async () => {
    const refuse = () => {
      throw new Error('MEMORY.md has changes in an editor tab that are not saved. Nothing was saved.');
    };
    const panel = await openMemory({ text: TEXT }, { answers: { saveMemory: refuse } });
    await type(panel.field(), 'precious');
    await click(panel.save());
    expect(panel.field().value).toBe('precious');
    expect(panel.find('.memory-editor [role="alert"]').textContent).toContain('Nothing was saved.');
    expect(panel.find('.memory-save').textContent).toContain('Unsaved changes');
    await type(panel.field(), 'precious too');
    expect(panel.root.querySelector('.memory-editor [role="alert"]')).toBeNull();
  });

  it('becomes the merged one, and what was in conflict is told', async () => {
    const merged = memoryState({ text: '- Use tabs\n- Mine\n- Theirs\n' });
    const conflict = 'A memory was changed in two places: “Mine” and “Theirs”. Both are kept.';
    const panel = await openMemory(
      { text: TEXT },
      { answers: { saveMemory: () => ({ state: merged, conflicts: [conflict] }) } },
    );
    await type(panel.field(), '- Use tabs\n- Mine\n');
    await click(panel.save());
    expect(panel.field().value).toBe(merged.text);
    expect(panel.find('.memory-conflicts').textContent).toContain(`Both were kept:${conflict}`);
    expect(panel.find('.memory-conflicts').closest('[role="status"]')).not.toBeNull();
    await click(panel.button('Dismiss')!);
    expect(panel.root.querySelector('.memory-conflicts')).toBeNull();
  });

  it('loses nothing that is typed while it is saved: it was made from what is saved', async () => {
    const answer = later<unknown>();
    const panel = await openMemory({ text: TEXT }, { answers: { saveMemory: () => answer.promise } });
    await type(panel.field(), 'one');
    await click(panel.save());
    await type(panel.field(), 'one, two');
    answer.give({ state: memoryState({ text: 'one, merged' }), conflicts: [] });
    await pause(0);
    expect(panel.field().value).toBe('one, two');
    await click(panel.save());
    expect(panel.bodiesOf('saveMemory')[1]).toEqual({ text: 'one, two', base: 'one' });
  });

  it('keeps the line ends of Windows, which a field does not', async () => {
    const windows = '- Use tabs\r\n- Test first\r\n';
    const panel = await openMemory(
      { text: windows },
      { answers: { saveMemory: () => new Promise(() => {}) } },
    );
    await type(panel.field(), TEXT);
    expect(panel.save().getAttribute('aria-disabled')).toBe('true');
    await type(panel.field(), `${TEXT}- More\n`);
    await click(panel.save());
    expect(panel.bodiesOf('saveMemory')).toEqual([{ text: `${windows}- More\r\n`, base: windows }]);
  });

  it('names what hides in it', async () => {
    const panel = await openMemory({ text: '\ufeff- fine\n- is\u202eAdmin\n' });
    expect(panel.find('.memory-hidden').textContent).toContain('- is⟨U+202E⟩Admin');
    await type(panel.field(), '- fine\n');
    expect(panel.root.querySelector('.memory-hidden')).toBeNull();
  });
});

describe('what the text takes', () => {
  const counts = (panel: { find: (selector: string) => HTMLElement }) =>
    panel.find('.memory-counts').textContent;

  it('is told from the beginning, and described to who comes to the field', async () => {
    const panel = await openMemory({ text: TEXT, measure });
    expect(counts(panel)).toBe('2 / 30 entries24 / 5,120 bytes~8 / 1,300 tokensThe model sees all of it.');
    expect(panel.find('.memory-counts').id).toBe(panel.field().getAttribute('aria-describedby'));
    expect(panel.find('.memory-counts').closest('[aria-live], [role="status"], [role="alert"]')).toBeNull();
    expect(panel.root.querySelector('.memory-backdrop')).toBeNull();
    expect(panel.bodiesOf('measureMemory')).toEqual([]);
  });

  it('is measured when nothing was typed for a moment, one text at a time, and only the newest is told', async () => {
    const answers = [later<MemoryMeasure>(), later<MemoryMeasure>()];
    let asked = 0;
    const panel = await openMemory(
      { text: TEXT, measure },
      { answers: { measureMemory: () => answers[asked++]?.promise } },
    );
    await type(panel.field(), 'a');
    await type(panel.field(), 'ab');
    expect(asked, 'while one types').toBe(0);
    await pause(TYPED_MS);
    expect(panel.bodiesOf('measureMemory')).toEqual([{ text: 'ab' }]);
    await type(panel.field(), 'abc');
    await pause(TYPED_MS);
    expect(asked, 'one at a time').toBe(1);
    answers[0]!.give({ entries: 11, bytes: 11, tokens: 11 });
    await pause(0);
    expect(counts(panel), 'stale').toContain('2 / 30 entries');
    expect(panel.bodiesOf('measureMemory')).toEqual([{ text: 'ab' }, { text: 'abc' }]);
    answers[1]!.give({ entries: 3, bytes: 3, tokens: 3 });
    await pause(0);
    expect(counts(panel)).toContain('3 / 30 entries');
  });

  it('is marked where the view of the model ends, in the text and in words', async () => {
    const text = 'one\n\nthree\nfour\nfive\n';
    const over = { entries: 31, bytes: 6_000, tokens: 1_300, shownLines: 2 };
    const panel = await openMemory({ text, measure: over });
    const parts = [...panel.root.querySelectorAll('.memory-lines')].map((part) => part.textContent);
    expect(parts).toEqual(['one\n\u200b', 'three\nfour\nfive\n\u200b']);
    expect(panel.find('.memory-backdrop').getAttribute('aria-hidden')).toBe('true');
    expect(counts(panel)).toBe(
      '31 / 30 entries, too many6,000 / 5,120 bytes, too many~1,300 / 1,300 tokens' +
        'The model sees the first 2 of 5 lines. What is below is kept.',
    );
    expect(panel.root.querySelectorAll('.memory-figure.over .codicon-warning')).toHaveLength(2);
    panel.field().scrollTop = 40;
    panel.field().dispatchEvent(new Event('scroll'));
    expect(panel.find('.memory-backdrop').scrollTop).toBe(40);
  });

  it('is missed where it could not be counted, and no more than that', async () => {
    const refuse = () => {
      throw new Error('The counter is gone.');
    };
    const panel = await openMemory({ text: TEXT, measure }, { answers: { measureMemory: refuse } });
    await type(panel.field(), 'more');
    await pause(TYPED_MS);
    expect(counts(panel)).toContain('It could not be counted: The counter is gone.');
  });
});

describe('a draft of it', () => {
  it('U3: is kept as it is typed and comes back, with what it was made from', async () => {
    const panel = await openMemory({ text: TEXT });
    await type(panel.field(), 'half');
    await type(panel.field(), 'half a line');
    await pause(TYPED_MS);
    expect(panel.drafts).toEqual([{ text: 'half a line', base: TEXT }]);
    const again = await openMemory({ text: TEXT }, { draft: panel.drafts[0]! });
    expect(again.field().value).toBe('half a line');
    expect(again.find('.memory-save').textContent).toContain('Unsaved changes');
    await pause(TYPED_MS);
    expect(again.bodiesOf('measureMemory')).toEqual([{ text: 'half a line' }]);
    expect(again.drafts).toEqual([]);
  });

  it('U3: is kept at once when the field is left', async () => {
    const panel = await openMemory({ text: TEXT });
    panel.field().focus();
    await type(panel.field(), 'half a line');
    panel.field().blur();
    expect(panel.bodiesOf('saveMemory')).toEqual([]);
    await pause(0);
    expect(panel.drafts).toEqual([{ text: 'half a line', base: TEXT }]);
  });

  it('is no more once it is saved or taken back', async () => {
    const answers = { saveMemory: () => ({ state: memoryState({ text: 'new' }), conflicts: [] }) };
    const panel = await openMemory({ text: TEXT }, { answers });
    await type(panel.field(), 'new');
    await pause(TYPED_MS);
    await click(panel.save());
    expect(panel.drafts).toEqual([{ text: 'new', base: TEXT }, undefined]);
    await type(panel.field(), 'newer');
    await pause(TYPED_MS);
    await type(panel.field(), 'new');
    await pause(TYPED_MS);
    expect(panel.drafts.slice(2)).toEqual([{ text: 'newer', base: 'new' }, undefined]);
  });

  it('is made from an older text than MEMORY.md may be by then, and that is told', async () => {
    const panel = await openMemory({ text: 'newest' }, { draft: { text: 'mine', base: 'old' } });
    expect(panel.field().value).toBe('mine');
    expect(panel.find('.memory-editor').textContent).toContain('MEMORY.md has changed');
  });
});

describe('MEMORY.md changed by somebody else', () => {
  it('takes the place of a text without changes, and the cursor stays where it was in it', async () => {
    const panel = await openMemory({ text: TEXT });
    const field = panel.field();
    const at = TEXT.indexOf('first');
    field.setSelectionRange(at, at + 5);
    await panel.tell({ text: `- New line\n${TEXT}` });
    expect(field.value).toBe(`- New line\n${TEXT}`);
    expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe('first');
    expect(panel.root.querySelector('.memory-editor .memory-notice')).toBeNull();
  });

  it('leaves unsaved changes alone, says that saving merges, and shows both', async () => {
    const panel = await openMemory({ text: TEXT });
    await type(panel.field(), `${TEXT}- Mine\n`);
    await panel.tell({ text: `${TEXT}- Theirs\n` });
    expect(panel.field().value).toBe(`${TEXT}- Mine\n`);
    const notice = panel.find('.memory-editor .memory-notice');
    expect(notice.closest('[role="status"]')).not.toBeNull();
    expect(notice.textContent).toContain(
      'MEMORY.md has changed while you were editing it. Saving will merge both.',
    );
    const both = panel.button('Show both')!;
    await click(both);
    expect(both.getAttribute('aria-expanded')).toBe('true');
    const lines = [
      ...panel.root.querySelectorAll('section[aria-label="MEMORY.md as it is now"] .memory-line'),
    ];
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      '- Use tabs',
      '- Test first',
      'New: - Theirs',
      '',
    ]);
    await click(both);
    expect(panel.root.querySelector('.memory-other')).toBeNull();
    await panel.tell({ text: `${TEXT}- Mine\n` });
    expect(panel.root.querySelector('.memory-editor .memory-notice'), 'both say the same now').toBeNull();
    expect(panel.save().getAttribute('aria-disabled')).toBe('true');
  });
});

describe('a text that takes the place of another', () => {
  it.each([
    ['abc|def', 'xx abcdef', 'xx abc|def'],
    ['abc|def', 'abcdef xx', 'abc|def xx'],
    ['one TW|O three', 'one 2 three', 'one 2| three'],
    ['a\nb|c\nd', 'x\na\nbc\nd\ny', 'x\na\nb|c\nd\ny'],
  ])('keeps the cursor: %j becomes %j, and it is %j', (marked, after, wanted) => {
    const field = document.createElement('textarea');
    field.value = marked.replace('|', '');
    field.setSelectionRange(marked.indexOf('|'), marked.indexOf('|'));
    replaceText(field, after);
    const at = field.selectionStart;
    expect(`${after.slice(0, at)}|${after.slice(at)}`).toBe(wanted);
  });
});
