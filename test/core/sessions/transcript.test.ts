import { describe, expect, it } from 'vitest';
import { interruptedResults } from '../../../src/core/sessions/interrupted.ts';
import { waitingMessages } from '../../../src/core/sessions/queue.ts';
import { Transcript } from '../../../src/core/sessions/transcript.ts';
import { assistant, logOf, result, text, toolUse, user } from '../../support/builders/entries.ts';
import { MemoryLogStore } from '../../support/memory-log-store.ts';
import { fixedClock } from '../../support/fixed-clock.ts';

const open = async (store: MemoryLogStore) => Transcript.open('s', { store, clock: fixedClock() });

describe('the transcript', () => {
  it('holds what is on disk, numbered and dated, and reads it back the same', async () => {
    const store = new MemoryLogStore();
    const { transcript } = await open(store);
    await transcript.append(user('one'));
    await Promise.all([transcript.append(user('two')), transcript.append(user('three'))]);
    expect(transcript.entries.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3']);
    expect((await open(store)).transcript.entries).toEqual(transcript.entries);
  });

  it('does not take what could not be written, and goes on after it', async () => {
    const store = new MemoryLogStore();
    const { transcript } = await open(store);
    store.failNext = new Error('ENOSPC: no space left on device');
    await expect(transcript.append(user('lost?'))).rejects.toThrow('ENOSPC');
    expect(transcript.entries).toEqual([]);
    await transcript.append(user('kept'));
    expect((await open(store)).transcript.entries).toEqual(transcript.entries);
  });

  it('loses a damaged line and no other, counts it, and never uses a number twice', async () => {
    const store = new MemoryLogStore();
    const { transcript } = await open(store);
    for (const words of ['one', 'two', 'three']) await transcript.append(user(words));
    const lines = store.lines('s');
    lines.splice(1, 1, '{"id":"e2","kind":"us', '', '[]', '{"id":"e9","at":"x","kind":"user"}');
    const reopened = await open(store);
    expect(reopened.badLines).toBe(3);
    expect(reopened.transcript.entries.map(({ id }) => id)).toEqual(['e1', 'e3']);
    expect((await reopened.transcript.append(user('four'))).id).toBe('e4');
  });
});

describe('a line that no transcript wrote', () => {
  it('is damaged: an id twice, one too large to count on from, a date that is none', async () => {
    const store = new MemoryLogStore();
    const line = (id: string, at = '2026-03-01T12:00:00.000Z') =>
      JSON.stringify({ id, at, kind: 'user', text: id });
    store
      .lines('s')
      .push(line('e1'), line('e1'), line('e999999999999999999999'), line('e2', 'yesterday'), line('e3'));
    const { transcript, badLines } = await open(store);
    expect(transcript.entries.map(({ id }) => id)).toEqual(['e1', 'e3']);
    expect(badLines).toBe(3);
    expect((await transcript.append(user('next'))).id).toBe('e4');
  });
});

describe('calls that a crash left open', () => {
  it('C3: get a result that tells a started call from one that never was', () => {
    const entries = logOf(
      user('hi'),
      assistant(toolUse('a'), toolUse('b', { command: 'make' }, 'run_command'), toolUse('c')),
      result('a'),
      { kind: 'tool_intent', toolUseId: 'b', name: 'run_command', target: 'make', consent: 'once' },
    );
    expect(interruptedResults(entries)).toMatchObject([
      {
        toolUseId: 'b',
        target: 'make',
        status: 'interrupted',
        content: [{ text: expect.stringContaining('outcome is unknown') as string }],
      },
      {
        toolUseId: 'c',
        status: 'interrupted',
        content: [{ text: 'Interrupted: this call was not started.' }],
      },
    ]);
  });

  it('C3: name the file of what was printed, how to read it, and carry it for the pager', () => {
    const output = (path: string) => ({
      path,
      parts: [{ file: `/ws/${path}`, bytes: 9 }],
      bytes: 9,
      lines: 1,
    });
    const entries = logOf(
      user('hi'),
      assistant(toolUse('a', { command: 'make' }, 'run_command')),
      { kind: 'tool_intent', toolUseId: 'a', name: 'run_command', target: 'make', consent: 'once' },
      { kind: 'output', toolUseId: 'a', output: output('.plimsoll/tool_results/s/0001-run_command.txt') },
      { kind: 'output', toolUseId: 'a', output: output('.plimsoll/tool_results/s/0002-run_command.txt') },
    );
    const path = '.plimsoll/tool_results/s/0002-run_command.txt';
    const [interrupted] = interruptedResults(entries);
    expect(interrupted).toMatchObject({
      status: 'interrupted',
      details: { output: { ...output(path), isUnfinished: true } },
    });
    const told = JSON.stringify(interrupted);
    expect(told).toContain('outcome is unknown');
    expect(told).toContain(JSON.stringify(`read_file {"path": "${path}", "offset": 1}`).slice(1, -1));
  });

  it('are none where all were answered, also when a server used an id before', () => {
    expect(
      interruptedResults(logOf(user('hi'), assistant(toolUse('a')), result('a'), assistant(text('done')))),
    ).toEqual([]);
    const again = logOf(user('hi'), assistant(toolUse('a')), result('a'), assistant(toolUse('a')));
    expect(interruptedResults(again)).toHaveLength(1);
  });
});

describe('queued messages', () => {
  it('wait until a user entry takes them up, in the order they were typed', () => {
    const queue = (words: string) => ({ kind: 'queue', text: words }) as const;
    const entries = logOf(user('go'), queue('one'), queue('two'), {
      kind: 'user',
      text: 'one',
      queueId: 'e2',
    });
    expect(waitingMessages(entries).map((entry) => entry.text)).toEqual(['two']);
  });
});
