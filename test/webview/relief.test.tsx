// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import type { EntryDraft } from '../../src/core/model/entry.ts';
import { resumedPanelState } from '../../src/protocol/reduce.ts';
import {
  asEvents,
  assistant,
  beginning,
  call,
  compaction,
  eviction,
  ledger,
  log,
  reliefNote,
  result,
  user,
} from '../protocol/panel-builders.ts';
import { click, mountPanel, press } from './panel-harness.tsx';

const work: readonly EntryDraft[] = [
  user('Fix the tide'),
  assistant(call('t1', 'read_file', { path: 'src/tide.js' })),
  result('t1', 'read_file'),
];
const cost = { input: 1_000, cacheRead: 120_000, cacheWrite: 0, output: 900 };
const summary = [
  {
    title: 'Decisions',
    bullets: [
      { text: 'The range keeps its sign', sources: ['e3', 'e1'] },
      { text: 'It was always so', sources: [] },
    ],
  },
] as const;

const mount = (...drafts: readonly EntryDraft[]) => mountPanel(resumedPanelState(beginning, log(...drafts)));
type Panel = Awaited<ReturnType<typeof mountPanel>>;
const row = (panel: Panel) => panel.find('.relief-row');
/** what stands where everything has its place in the row */
const words = (element: Element) => element.textContent.replaceAll(/\s+/g, ' ');

const scrolledTo: Element[] = [];
beforeEach(() => {
  scrolledTo.length = 0;
  Element.prototype.scrollIntoView = function (this: Element) {
    scrolledTo.push(this);
  };
});

describe('the row of a compaction', () => {
  it('says before and after, how, why and at what cost', async () => {
    const panel = await mount(...work, compaction({ cost, summary }));
    expect(row(panel).getAttribute('aria-label')).toBe('Conversation compacted, from 131k to 42k tokens');
    expect(words(row(panel))).toContain('131k → 42k tokens');
    expect(words(row(panel))).toContain(
      'summary · automatic · cost 121k tokens in (120k from the cache), 900 out',
    );
  });

  it.each([
    ['signed', 'asked', 'signed summary · asked'],
    ['fold', 'too_long', 'without a model · too long'],
    ['window', 'cap', 'sliding window · economy'],
  ] as const)('made by %s because of %s says so', async (method, trigger, said) => {
    const panel = await mount(...work, compaction({ method, trigger }));
    expect(words(row(panel))).toContain(said);
  });

  it('shows the summary on a click, and what it could not find marked', async () => {
    const panel = await mount(...work, compaction({ summary, focus: 'the sign', fallback: 'It was empty.' }));
    expect(panel.root.querySelector('.relief-content')).toBeNull();
    const toggle = panel.button('Summary')!;
    await click(toggle);
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    const content = panel.find('.relief-content');
    expect(toggle.getAttribute('aria-controls')).toBe(content.id);
    expect(content.querySelector('h4')?.textContent).toBe('Decisions');
    const [found, unmatched] = [...content.querySelectorAll('section:first-of-type li')];
    expect(words(found!)).toBe('The range keeps its sign Read src/tide.jsYou: Fix the tide');
    expect(words(unmatched!)).toContain('no source found');
    for (const said of ['the sign', 'It was empty.', 'What was done.'])
      expect(words(content)).toContain(said);
  });

  it('names a place once, and leads to the newest of that name', async () => {
    const again: readonly EntryDraft[] = [
      assistant(call('t2', 'read_file', { path: 'src/tide.js' })),
      result('t2', 'read_file'),
    ];
    const bullets = [{ text: 'The range keeps its sign', sources: ['e3', 'e5'] }] as const;
    const panel = await mount(...work, ...again, compaction({ summary: [{ title: 'Decisions', bullets }] }));
    await click(panel.button('Summary')!);
    expect(panel.root.querySelectorAll('.source-link')).toHaveLength(1);
    await click(panel.button('Go to Read src/tide.js')!);
    expect(document.activeElement).toBe(panel.find('[data-key="t2"]'));
  });

  it('shows the state of the work: goal, step, completed, pending, errors, files', async () => {
    const panel = await mount(...work, compaction());
    await click(panel.button('Summary')!);
    const told = [...panel.find('.work-state').querySelectorAll('dl > div')].map((part) => [
      part.querySelector('dt')?.textContent,
      part.querySelector('dd')?.textContent,
    ]);
    expect(told).toEqual([
      ['Goal', 'Fix the tide'],
      ['Step', 'Run the tests'],
      ['Completed', 'Read src/tide.js'],
      ['Pending', 'Write a test'],
      ['Errors', '1 test failed'],
      ['Files', 'src/tide.js'],
    ]);
  });

  it('leads from a bullet to the card it came from', async () => {
    const panel = await mount(...work, compaction({ summary }));
    await click(panel.button('Summary')!);
    await click(panel.button('Go to Read src/tide.js')!);
    const card = panel.find('[data-key="t1"]');
    expect(scrolledTo).toEqual([card]);
    expect(document.activeElement).toBe(card);
  });

  it('leads to an entry that is too long ago to be drawn yet', async () => {
    const many = Array.from({ length: 400 }, (_, index) => user(`message ${index + 2}`));
    const panel = await mount(...work, ...many, compaction({ summary }));
    expect(panel.root.querySelector('[data-key="t1"]')).toBeNull();
    await click(panel.button('Summary')!);
    await click(panel.button('Go to Read src/tide.js')!);
    expect(document.activeElement).toBe(panel.find('[data-key="t1"]'));
  });

  it('is undone on a click, and says so', async () => {
    const drafts = [...work, compaction()];
    const panel = await mount(...drafts);
    await click(panel.button('Undo compaction')!);
    expect(panel.asked).toMatchObject([{ request: 'undo', body: { entryId: 'e4' } }]);
    await panel.push(...asEvents(log(...drafts, { kind: 'undo', of: 'e4' }).slice(-1)));
    expect(panel.button('Undo compaction')).toBeUndefined();
    expect(row(panel).getAttribute('aria-label')).toContain('undone');
    expect(document.activeElement).toBe(panel.button('Summary'));
  });

  it('says why an undo was refused', async () => {
    const state = resumedPanelState(beginning, log(...work, compaction()));
    const panel = await mountPanel(state, { refusals: { undo: 'This can no longer be undone.' } });
    await click(panel.button('Undo compaction')!);
    expect(panel.find('[role="alert"]').textContent).toContain('no longer be undone');
    expect(panel.button('Undo compaction')).toBeDefined();
  });

  it('offers no undo of what a later compaction has covered', async () => {
    const panel = await mount(...work, compaction(), eviction(), compaction());
    expect(panel.root.querySelectorAll('[aria-label="Undo compaction"]')).toHaveLength(1);
    expect(panel.button('Undo eviction')).toBeUndefined();
  });
});

describe('the row of an eviction', () => {
  it('says what it brought, lists what left and why, leads there, and is undone', async () => {
    const panel = await mount(
      ...work,
      eviction({ entryId: 'e3', reason: 'superseded', see: 'e1' }, { entryId: 'e77', reason: 'large' }),
    );
    expect(words(row(panel))).toContain('2 old results moved out of the view');
    expect(words(row(panel))).toContain('98k → 61k tokens');
    await click(panel.button('Results')!);
    const items = [...panel.find('.evicted').querySelectorAll('li')].map(words);
    expect(items).toEqual([
      'Read src/tide.jsread again or changed since, see You: Fix the tide',
      expect.stringContaining('large and old'),
    ]);
    await click(panel.button('Go to Read src/tide.js')!);
    expect(document.activeElement).toBe(panel.find('[data-key="t1"]'));
    await click(panel.button('Undo eviction')!);
    expect(panel.asked).toMatchObject([{ request: 'undo', body: { entryId: 'e4' } }]);
  });
});

describe('while the conversation is compacted', () => {
  it('U5: the panel says so, can cancel, and ends in a row', async () => {
    const panel = await mountPanel();
    await panel.push({ type: 'relief_started', isWaitedFor: true, before: 131_000 });
    expect(panel.find('.status-line').textContent).toContain('Compacting the conversation (131k tokens)…');
    expect(panel.find('main > [role="status"]').textContent).toContain('Compacting');
    await click(panel.button('Cancel compaction')!);
    expect(panel.asked).toMatchObject([{ request: 'cancelRelief' }]);
    expect(document.activeElement).toBe(panel.find('textarea'));
    await panel.push(...asEvents(log(reliefNote('cancelled', 'You asked for it.'))), {
      type: 'relief_ended',
      outcome: 'cancelled',
    });
    expect(panel.root.querySelector('.status-line')).toBeNull();
    expect(words(panel.find('[role="log"]'))).toBe('Compaction cancelled. You asked for it.');
  });

  it('C29: a wait for the provider is counted down and can be cancelled', async () => {
    const panel = await mountPanel();
    await panel.push(
      { type: 'relief_started', isWaitedFor: true, before: 9_000 },
      { type: 'retry_scheduled', attempt: 1, of: 3, delayMs: 30_000, reason: 'Rate limited' },
    );
    expect(panel.find('.status-line').textContent).toContain(
      'The compaction waits: Rate limited. Trying again in 30 s (1 of 3)',
    );
    expect(panel.find('main > [role="status"]').textContent).toContain('The compaction waits');
    expect(panel.button('Cancel compaction')).toBeDefined();
  });

  it('is stopped by Escape as everything is', async () => {
    const panel = await mountPanel();
    await panel.push({ type: 'relief_started', isWaitedFor: true, before: 9_000 });
    await press(document.body, 'Escape');
    expect(panel.asked.map(({ request }) => request)).toEqual(['stop']);
  });

  it('says quietly that a summary is being prepared', async () => {
    const panel = await mountPanel({ ledger: ledger(120_000) });
    await panel.push({ type: 'relief_started', isWaitedFor: false, before: 120_000 });
    expect(panel.find('.preparing').textContent).toBe('Preparing a summary');
    expect(panel.button('Stop')).toBeUndefined();
    await panel.push({ type: 'relief_ended', outcome: 'prepared' });
    expect(panel.root.querySelector('.preparing')).toBeNull();
  });

  it.each([
    ['skipped', 'Compaction skipped.'],
    ['failed', 'Compaction failed.'],
  ] as const)('U5: one that %s says why', async (outcome, title) => {
    const panel = await mount(reliefNote(outcome, 'The summary was empty.'));
    expect(words(panel.find('.relief-note'))).toBe(`${title} The summary was empty.`);
  });

  it('says the same thing once', async () => {
    const panel = await mount(reliefNote('cancelled', 'Compaction cancelled.'));
    expect(words(panel.find('.relief-note')).trim()).toBe('Compaction cancelled.');
  });
});

describe('a compaction that is asked for while a turn runs', () => {
  it('is shown as queued at once, and no longer when it begins', async () => {
    const panel = await mountPanel({ activity: { kind: 'running_tools' } });
    const place = panel.find('.dock > [role="status"]');
    expect(place.textContent).toBe('');
    await panel.push({ type: 'compaction_queued', focus: 'the tide' });
    expect(words(place)).toContain('Compaction queued: it comes before the next request. Focus: the tide');
    await panel.push({ type: 'compaction_unqueued' });
    expect(place.textContent).toBe('');
  });

  it('can be taken back', async () => {
    const panel = await mountPanel({ activity: { kind: 'running_tools' }, queuedCompaction: {} });
    await click(panel.button('Take back the queued compaction')!);
    expect(panel.asked).toMatchObject([{ request: 'withdrawCompaction' }]);
    expect(document.activeElement).toBe(panel.find('textarea'));
  });
});
