import { describe, expect, it } from 'vitest';
import type { EntryDraft } from '../../src/core/model/entry.ts';
import type { PanelEvent } from '../../src/protocol/messages.ts';
import { initialPanelState, reduce, resumedPanelState } from '../../src/protocol/reduce.ts';
import {
  asEvents,
  assistant,
  beginning,
  budget,
  call,
  compaction,
  failure,
  foldEvents,
  intent,
  ledger,
  log,
  reliefNote,
  result,
  text,
  toolOf,
  user,
} from './panel-builders.ts';

describe('a resumed panel', () => {
  it('shows the conversation of the log: messages, cards with their results, notes', () => {
    const state = resumedPanelState(
      beginning,
      log(
        user('fix it'),
        assistant(
          { type: 'thinking', thinking: 'hm', signature: 's' },
          text('Looking.'),
          call('t1', 'edit_file', { path: 'src/a.ts' }),
        ),
        intent('t1', 'edit_file', 'src/a.ts'),
        result('t1', 'edit_file', { output: 'edited', details: { patch: '@@', added: 3, removed: 1 } }),
        { kind: 'note', level: 'info', text: 'Stopped.' },
      ),
    );
    expect(state.items).toEqual([
      { kind: 'user', id: 'e1', text: 'fix it' },
      { kind: 'assistant', id: 'e2', text: 'Looking.', thinking: 'hm' },
      {
        kind: 'tool',
        toolUseId: 't1',
        tool: 'edit_file',
        target: 'src/a.ts',
        state: 'ok',
        output: 'edited',
        startedAt: Date.UTC(2026, 0, 1, 0, 0, 2),
        durationMs: 12,
        callId: 'e2',
        resultId: 'e4',
        patch: '@@',
        added: 3,
        removed: 1,
      },
      { kind: 'note', id: 'e5', level: 'info', text: 'Stopped.' },
    ]);
    expect(state.activity).toEqual({ kind: 'idle' });
  });

  it('shows a call that never got its result as interrupted', () => {
    const state = resumedPanelState(
      beginning,
      log(assistant(call('t1', 'run_command', { command: 'sleep 9' })), intent('t1', 'run_command')),
    );
    expect(toolOf(state, 't1')).toMatchObject({ state: 'interrupted', target: 'sleep 9' });
  });

  it('says no more of an answer without words than its calls', () => {
    const state = resumedPanelState(
      beginning,
      log(assistant(text(' \n'), call('t1', 'list_files', {})), result('t1', 'list_files')),
    );
    expect(state.items.map((item) => item.kind)).toEqual(['tool']);
  });

  it('still asks whether to go on where only reliefs came after the round limit', () => {
    const limit: EntryDraft = { kind: 'note', level: 'info', text: 'Paused.', isLimit: true };
    const afterRelief = resumedPanelState(
      beginning,
      log(user('go'), limit, compaction(), reliefNote('skipped')),
    );
    expect(afterRelief.activity).toEqual({ kind: 'limit' });
    const afterMore = resumedPanelState(beginning, log(user('go'), limit, user('another')));
    expect(afterMore.activity).toEqual({ kind: 'idle' });
  });

  it('keeps what a failed turn had to say', () => {
    const state = resumedPanelState(
      beginning,
      log({ kind: 'note', level: 'error', text: failure.title, error: failure }),
    );
    expect(state.items).toMatchObject([{ kind: 'note', error: failure }]);
  });

  it('moves a queued message to where it entered the conversation', () => {
    const [queued, answer, sent] = log({ kind: 'queue', text: 'also the tests' }, assistant(text('done')), {
      kind: 'user',
      text: 'also the tests',
      queueId: 'e1',
    });
    expect(resumedPanelState(beginning, [queued!]).items).toMatchObject([{ isQueued: true }]);
    expect(resumedPanelState(beginning, [queued!, answer!, sent!]).items).toEqual([
      { kind: 'assistant', id: 'e2', text: 'done', thinking: '' },
      { kind: 'user', id: 'e3', text: 'also the tests' },
    ]);
  });

  it('T10: shows the load that the last usage in the log tells, cached tokens included', () => {
    const state = resumedPanelState(
      beginning,
      log({
        kind: 'usage',
        assistantId: 'e1',
        lastEntryId: 'e1',
        provider: 'test',
        model: 'model-1',
        usage: { input: 3, cacheRead: 19_464, cacheWrite: 1_124, output: 7 },
        estimated: 9,
        budget,
      }),
    );
    expect(state.ledger).toMatchObject({ phase: 'usage', total: 20_591, budget });
  });
});

describe('an answer that streams', () => {
  const streamed: readonly PanelEvent[] = [
    { type: 'turn_started' },
    { type: 'thinking_delta', text: 'hm' },
    { type: 'text_delta', text: 'Hel' },
    { type: 'text_delta', text: 'lo' },
    { type: 'tool_use_started', toolUseId: 't1', name: 'read_file' },
  ];

  it('grows one live answer, and the calls stand after it', () => {
    const state = foldEvents(streamed);
    expect(state.items).toMatchObject([
      { kind: 'assistant', id: 'live', text: 'Hello', thinking: 'hm' },
      { kind: 'tool', toolUseId: 't1', state: 'composing', target: '' },
    ]);
    expect(state.activity).toEqual({ kind: 'streaming' });
  });

  it('is replaced by its entry', () => {
    const entries = log(assistant(text('Hello'), call('t1', 'read_file', { path: 'a.ts' })));
    const state = foldEvents(asEvents(entries), foldEvents(streamed));
    expect(state.items).toEqual(foldEvents(asEvents(entries)).items);
  });

  it('is gone when the stream is void, and a wait that was announced stays', () => {
    const retry = { attempt: 2, of: 5, delayMs: 12_000, reason: 'Rate limited' };
    const state = foldEvents([
      ...streamed,
      { type: 'retry_scheduled', ...retry },
      { type: 'stream_discarded' },
    ]);
    expect(state.items).toEqual([]);
    expect(state.activity).toEqual({ kind: 'retrying', ...retry });
  });

  it('stands before calls that were announced first', () => {
    const state = foldEvents([streamed[4]!, { type: 'text_delta', text: 'late' }]);
    expect(state.items.map((item) => item.kind)).toEqual(['assistant', 'tool']);
  });

  it('U2: takes ten thousand pieces without losing one', () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => `${index} `);
    const state = foldEvents(pieces.map((piece) => ({ type: 'text_delta', text: piece })));
    expect(state.items).toMatchObject([{ text: pieces.join('') }]);
  });
});

describe('the activity', () => {
  it.each([
    ['done', { kind: 'idle' }],
    ['stopped', { kind: 'idle' }],
    ['limit', { kind: 'limit' }],
  ] as const)('after a turn that is %s', (end, activity) => {
    expect(foldEvents([{ type: 'turn_started' }, { type: 'turn_ended', end }]).activity).toEqual(activity);
  });

  it('says why a turn failed, until the next one starts', () => {
    const failed = foldEvents([{ type: 'turn_ended', end: 'failed', error: failure }]);
    expect(failed.activity).toEqual({ kind: 'failed', error: failure });
    expect(reduce(failed, { type: 'turn_started' }).activity).toEqual({ kind: 'calling' });
  });

  it('goes back to calling when the last result is in', () => {
    const state = foldEvents([
      { type: 'turn_started' },
      ...asEvents(log(assistant(call('t1', 'read_file', {})))),
      { type: 'tool_started', toolUseId: 't1' },
    ]);
    expect(state.activity).toEqual({ kind: 'running_tools' });
    expect(foldEvents(asEvents(log(result('t1', 'read_file'))), state).activity).toEqual({ kind: 'calling' });
  });
});

describe('the ledger', () => {
  it('is the estimate before the call and the usage after it', () => {
    const prepared = foldEvents([{ type: 'request_prepared', ledger: ledger(100), model: 'Model One' }]);
    expect(prepared).toMatchObject({ ledger: { phase: 'estimate', total: 100 }, model: 'Model One' });
    const reported = ledger(120, { phase: 'usage' });
    expect(reduce(prepared, { type: 'usage_reported', ledger: reported }).ledger).toEqual(reported);
  });
});

describe('what surrounds the session', () => {
  it('changes by itself, and another session replaces everything', () => {
    const environment = { hasKey: false, isTrusted: false, hasFolder: false };
    const state = foldEvents([{ type: 'environment_changed', environment }]);
    expect(state.environment).toEqual(environment);
    expect(reduce(state, { type: 'model_resolved', model: 'Model One' }).model).toBe('Model One');
    const other = initialPanelState({ ...beginning, sessionId: 's2' });
    expect(reduce(state, { type: 'session_opened', state: other })).toEqual(other);
  });
});
