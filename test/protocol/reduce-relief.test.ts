import { describe, expect, it } from 'vitest';
import type { ReliefEvent } from '../../src/core/model/event.ts';
import type { EntryDraft } from '../../src/core/model/entry.ts';
import type { PanelEvent } from '../../src/protocol/messages.ts';
import { canUndo, indexOfEntry } from '../../src/protocol/entry-items.ts';
import { forPanel } from '../../src/protocol/for-panel.ts';
import { resumedPanelState } from '../../src/protocol/reduce.ts';
import type { PanelState } from '../../src/protocol/view-model.ts';
import {
  asEvents,
  assistant,
  beginning,
  call,
  compaction,
  eviction,
  failure,
  foldEvents,
  ledger,
  log,
  reliefNote,
  result,
  text,
  user,
  workState,
} from './panel-builders.ts';

const waitedFor: ReliefEvent = { type: 'relief_started', isWaitedFor: true, before: 131_000 };
const prepared: ReliefEvent = { type: 'relief_started', isWaitedFor: false, before: 120_000 };
const ended = (outcome: (ReliefEvent & { type: 'relief_ended' })['outcome']): ReliefEvent => ({
  type: 'relief_ended',
  outcome,
});
const turnStarted: PanelEvent = { type: 'turn_started' };
const OUTCOMES = ['applied', 'skipped', 'failed', 'cancelled'] as const;

const undo = (of: `e${number}`): EntryDraft => ({ kind: 'undo', of });
const resumed = (...drafts: readonly EntryDraft[]) => resumedPanelState(beginning, log(...drafts));

function expectNothingLeft(state: PanelState): void {
  expect(state.afterRelief).toBeUndefined();
  expect(state.isPreparing).toBeUndefined();
}

describe('a row', () => {
  it('tells of a compaction what it saved and cost, with its summary and state, and not its facts', () => {
    const cost = { input: 10, cacheRead: 120_000, cacheWrite: 0, output: 900 };
    const state = resumed(compaction({ cost, model: 'model-1', focus: 'the tests', fallback: 'no model' }));
    expect(state.items).toEqual([
      {
        kind: 'compaction',
        id: 'e1',
        method: 'summary',
        trigger: 'line',
        before: 131_000,
        after: 42_000,
        summary: [{ title: 'Goal', bullets: [{ text: 'Fix the tide', sources: ['e1'] }] }],
        state: workState,
        text: 'What was done.',
        cost,
        model: 'model-1',
        focus: 'the tests',
        fallback: 'no model',
      },
    ]);
  });

  it('shows the words of a signed summary, whose block nobody can read', () => {
    const signed = { provider: 'test', model: 'm', text: 'Signed words.', block: { data: 'opaque' } };
    const [row] = resumed(compaction({ method: 'signed', signed, text: 'The facts.' })).items;
    expect(row).toMatchObject({ method: 'signed', text: 'Signed words.\n\nThe facts.' });
    expect(JSON.stringify(row)).not.toContain('opaque');
  });

  it('names the results that an eviction took, by their cards', () => {
    const state = resumed(
      assistant(call('t1', 'read_file', { path: 'src/a.ts' })),
      result('t1', 'read_file'),
      eviction({ entryId: 'e2', reason: 'superseded', see: 'e9' }, { entryId: 'e77', reason: 'image' }),
    );
    expect(state.items.at(-1)).toEqual({
      kind: 'eviction',
      id: 'e3',
      trigger: 'line',
      results: [
        { entryId: 'e2', tool: 'read_file', target: 'src/a.ts', reason: 'superseded', see: 'e9' },
        { entryId: 'e77', tool: '', target: '', reason: 'image' },
      ],
      before: 98_000,
      after: 61_000,
    });
  });

  it.each(['skipped', 'failed', 'cancelled'] as const)(
    'U5: says of a relief that it was %s, and why',
    (outcome) => {
      expect(resumed(reliefNote(outcome, 'Because.')).items).toEqual([
        { kind: 'relief_note', id: 'e1', outcome, text: 'Because.' },
      ]);
    },
  );

  it('says that it was undone, once, and what is unknown to undo changes nothing', () => {
    const state = resumed(compaction(), eviction(), undo('e2'), undo('e2'), undo('e40'));
    expect(state.items).toMatchObject([{ kind: 'compaction' }, { kind: 'eviction', isUndone: true }]);
    expect(state.items[0]).not.toHaveProperty('isUndone');
  });

  it('can be taken back as long as no later compaction stands for it', () => {
    const drafts = [eviction(), compaction(), eviction(), compaction()];
    const ids = ['e1', 'e2', 'e3', 'e4'] as const;
    const undoable = (state: PanelState) => ids.filter((id) => canUndo(state.items, id));
    expect(undoable(resumed(...drafts.slice(0, 3)))).toEqual(['e2', 'e3']);
    expect(undoable(resumed(...drafts))).toEqual(['e4']);
    expect(undoable(resumed(...drafts, undo('e4')))).toEqual(['e2', 'e3', 'e4']);
  });
});

describe('a relief that is waited for', () => {
  it.each(OUTCOMES)('U5: in a turn, %s, gives way to the next request', (outcome) => {
    const during = foldEvents([turnStarted, waitedFor]);
    expect(during.activity).toEqual({ kind: 'compacting', before: 131_000 });
    const after = foldEvents([ended(outcome)], during);
    expect(after.activity).toEqual({ kind: 'calling' });
    expectNothingLeft(after);
  });

  it.each(OUTCOMES)('U5: between turns, %s, leaves the panel at rest', (outcome) => {
    const after = foldEvents([waitedFor, ended(outcome)]);
    expect(after.activity).toEqual({ kind: 'idle' });
    expectNothingLeft(after);
  });

  it('gives back the failure or the question that was open before it', () => {
    const failed = foldEvents([{ type: 'turn_ended', end: 'failed', error: failure }]);
    expect(foldEvents([waitedFor, ended('applied')], failed).activity).toEqual(failed.activity);
    const limit = foldEvents([{ type: 'turn_ended', end: 'limit' }]);
    expect(foldEvents([waitedFor, ended('cancelled')], limit).activity).toEqual({ kind: 'limit' });
  });

  it('C29: says that it waits for the provider, and ends from there as well', () => {
    const retry = { attempt: 1, of: 3, delayMs: 30_000, reason: 'Rate limited' };
    const waiting = foldEvents([waitedFor, { type: 'retry_scheduled', ...retry }]);
    expect(waiting.activity).toEqual({ kind: 'retrying', isCompacting: true, ...retry });
    const later = foldEvents([ended('applied'), { type: 'retry_scheduled', ...retry }], waiting);
    expect(later.activity).toEqual({ kind: 'retrying', ...retry });
    const after = foldEvents([ended('failed')], waiting);
    expect(after.activity).toEqual({ kind: 'idle' });
    expectNothingLeft(after);
  });

  it.each([
    [{ type: 'turn_ended', end: 'stopped' }, 'idle'],
    [{ type: 'turn_ended', end: 'failed', error: failure }, 'failed'],
    [{ type: 'request_prepared', ledger: ledger(1), model: 'm' }, 'calling'],
  ] as const)('U5: does not outlive %o', (event, kind) => {
    const after = foldEvents([turnStarted, waitedFor, event]);
    expect(after.activity.kind).toBe(kind);
    expect(after.afterRelief).toBeUndefined();
    expect(foldEvents([ended('cancelled')], after).activity.kind).toBe(kind);
  });

  it('C10: is waited for by a turn that a message began meanwhile', () => {
    const queued = asEvents(log({ kind: 'queue', text: 'probe-1' }, { kind: 'queue', text: 'probe-2' }));
    const during = foldEvents([waitedFor, ...queued, turnStarted]);
    expect(during.activity.kind).toBe('compacting');
    expect(during.items.map((item) => item.kind === 'user' && item.text)).toEqual(['probe-1', 'probe-2']);
    expect(foldEvents([ended('failed')], during).activity).toEqual({ kind: 'calling' });
  });

  it('U5: is not there after a reload: what it came to is', () => {
    const state = resumed(user('go'), assistant(text('Hi.')), compaction());
    expect(state.activity).toEqual({ kind: 'idle' });
    expectNothingLeft(state);
  });
});

describe('a summary that is prepared in the background', () => {
  it.each([...OUTCOMES, 'prepared'] as const)('changes nothing of what goes on, and ends %s', (outcome) => {
    const during = foldEvents([turnStarted, prepared, { type: 'text_delta', text: 'Hi' }]);
    expect(during).toMatchObject({ activity: { kind: 'streaming' }, isPreparing: true });
    const after = foldEvents([ended(outcome)], during);
    expect(after.activity).toEqual({ kind: 'streaming' });
    expectNothingLeft(after);
  });

  it('ends without ending the relief that is waited for by then', () => {
    const both = foldEvents([turnStarted, prepared, waitedFor, ended('prepared')]);
    expect(both.activity.kind).toBe('compacting');
    expect(foldEvents([ended('applied')], both).activity).toEqual({ kind: 'calling' });
  });

  it('that fails ends quietly, also beside the relief that is waited for by then', () => {
    const failedQuietly: ReliefEvent = { type: 'relief_ended', outcome: 'failed', isWaitedFor: false };
    const alone = foldEvents([turnStarted, prepared, failedQuietly]);
    expect(alone.activity).toEqual({ kind: 'calling' });
    expect(alone.items).toEqual([]);
    expectNothingLeft(alone);
    const both = foldEvents([turnStarted, prepared, waitedFor, failedQuietly]);
    expect(both.activity.kind).toBe('compacting');
    expect(both.isPreparing).toBeUndefined();
  });

  it('does not outlive its turn', () => {
    expectNothingLeft(foldEvents([turnStarted, prepared, { type: 'turn_ended', end: 'done' }]));
  });
});

describe('the load', () => {
  const loaded = foldEvents([{ type: 'usage_reported', ledger: ledger(131_000, { phase: 'usage' }) }]);

  it('T1: is what the relief left, as an estimate without parts, until the next request has them', () => {
    const after = foldEvents(asEvents(log(compaction())), loaded);
    expect(after.ledger).toMatchObject({ phase: 'estimate', total: 42_000, items: [] });
    expect(foldEvents(asEvents(log(compaction(), eviction())), loaded).ledger?.total).toBe(61_000);
  });

  it('comes back with an undo, beside what was added since', () => {
    const [entry, back] = log(compaction(), undo('e1'));
    const after = foldEvents(asEvents([entry!]), loaded);
    const grown = foldEvents([{ type: 'usage_reported', ledger: ledger(45_000) }], after);
    expect(foldEvents(asEvents([back!]), grown).ledger?.total).toBe(45_000 + 131_000 - 42_000);
  });
});

describe('the load after an undo during a call', () => {
  const billed = { input: 45_000, cacheRead: 0, cacheWrite: 0, output: 10 };
  const usageOf = (lastEntryId: `e${number}`): EntryDraft => ({
    ...{ kind: 'usage', assistantId: 'e3', lastEntryId, provider: 'test', model: 'm' },
    ...{ usage: billed, estimated: 44_000, budget: ledger(1).budget },
  });

  it('is not what the call was billed: what came back is counted with it', () => {
    const state = resumed(compaction(), undo('e1'), assistant(text('Hi.')), usageOf('e1'));
    expect(state.ledger).toMatchObject({ phase: 'estimate', total: 45_000 + 131_000 - 42_000 });
  });

  it('is the next bill again, once a request was made with it', () => {
    const state = resumed(compaction(), undo('e1'), assistant(text('Hi.')), usageOf('e2'));
    expect(state.ledger).toMatchObject({ phase: 'usage', total: 45_000 });
    expect(state.broughtBack).toBeUndefined();
  });
});

describe('a compaction that waits for the next request', () => {
  it('is there until it begins or is taken back, whatever goes on meanwhile', () => {
    const queued = foldEvents([turnStarted, { type: 'compaction_queued', focus: 'the tide' }]);
    expect(queued).toMatchObject({ activity: { kind: 'calling' }, queuedCompaction: { focus: 'the tide' } });
    const later = foldEvents(
      [
        { type: 'text_delta', text: 'Hi' },
        { type: 'turn_ended', end: 'done' },
      ],
      queued,
    );
    expect(later.queuedCompaction).toEqual({ focus: 'the tide' });
    expect(foldEvents([{ type: 'compaction_unqueued' }], later).queuedCompaction).toBeUndefined();
  });
});

describe('where an entry is shown', () => {
  const { items } = resumed(
    user('go'),
    assistant(call('t1', 'read_file', { path: 'a' })),
    result('t1', 'read_file'),
    { kind: 'reminder', topic: 'day', text: 'Tuesday' },
    assistant(text('Done.')),
  );

  it.each([
    ['e1', 0],
    ['e2', 1],
    ['e3', 1],
    ['e5', 2],
  ] as const)('%s has its item', (id, index) => {
    expect(indexOfEntry(items, id)).toBe(index);
  });

  it('an entry without one is found at the last that comes before it', () => {
    expect(indexOfEntry(items, 'e4')).toBe(1);
    expect(indexOfEntry([], 'e4')).toBe(-1);
  });
});

describe('what is sent to the webview', () => {
  it('leaves out what only the engine reads, and shows the same', () => {
    const signed = { provider: 'test', model: 'm', text: 'Signed.', block: { data: 'x'.repeat(1_000) } };
    const events = log(user('go'), compaction({ signed })).map(
      (entry) => ({ type: 'entry', entry }) as const,
    );
    const slim = events.map(forPanel);
    expect(JSON.stringify(slim)).not.toMatch(/xxx|Fix it/);
    expect(foldEvents(slim)).toEqual(foldEvents(events));
  });
});
