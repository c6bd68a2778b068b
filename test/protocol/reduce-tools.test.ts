import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../src/core/model/event.ts';
import { OUTPUT_LIMIT } from '../../src/protocol/bounded-text.ts';
import { initialPanelState, reduce } from '../../src/protocol/reduce.ts';
import { asEvents, assistant, beginning, call, foldEvents, log, result, toolOf } from './panel-builders.ts';

const approval: ApprovalRequest = {
  toolUseId: 't1',
  tool: 'run_command',
  target: 'npm test',
  action: 'command',
  command: 'npm test',
  canRemember: true,
};

describe('a tool card', () => {
  const started = foldEvents([
    { type: 'turn_started' },
    ...asEvents(
      log(
        assistant(
          call('t1', 'run_command', { command: 'npm test' }),
          call('t2', 'read_file', { path: 'a.ts' }),
        ),
      ),
    ),
  ]);

  it('carries its question, and the turn waits for the person', () => {
    const state = reduce(started, { type: 'approval_requested', approval });
    expect(toolOf(state, 't1')).toMatchObject({ state: 'approval', approval });
    expect(state.activity).toEqual({ kind: 'awaiting_approval' });
  });

  it('runs once it is allowed, while another still asks', () => {
    const second = { ...approval, toolUseId: 't2' };
    const state = foldEvents(
      [
        { type: 'approval_requested', approval },
        { type: 'approval_requested', approval: second },
        { type: 'approval_resolved', toolUseId: 't1' },
        { type: 'tool_started', toolUseId: 't1' },
      ],
      started,
    );
    expect(toolOf(state, 't1')).toMatchObject({ state: 'running' });
    expect(toolOf(state, 't1')).not.toHaveProperty('approval');
    expect(state.activity).toEqual({ kind: 'awaiting_approval' });
  });

  it('shows a question even where no call was announced', () => {
    const state = reduce(initialPanelState(beginning), { type: 'approval_requested', approval });
    expect(toolOf(state, 't1')).toMatchObject({ state: 'approval', target: 'npm test' });
  });

  it('shows output as it comes, then the result in its place', () => {
    const running = foldEvents(
      [
        { type: 'tool_started', toolUseId: 't1' },
        { type: 'tool_output', toolUseId: 't1', text: 'one ' },
        { type: 'tool_output', toolUseId: 't1', text: 'two' },
      ],
      started,
    );
    expect(toolOf(running, 't1').output).toBe('one two');
    const [entry] = log(result('t1', 'run_command', { output: 'all', details: { exitCode: 1 } }));
    const done = reduce(running, { type: 'entry', entry: entry! });
    expect(toolOf(done, 't1')).toMatchObject({ state: 'ok', output: 'all', exitCode: 1, durationMs: 12 });
    expect(done.items.map((item) => item.kind === 'tool' && item.toolUseId)).toEqual(['t1', 't2']);
  });

  it('C3: refers to its output when nothing but the log is left of a call that was broken off', () => {
    const output = { path: '1.txt', parts: [{ file: '/ws/1.txt', bytes: 9 }], bytes: 9, lines: 1 };
    const logged = foldEvents(asEvents(log({ kind: 'output', toolUseId: 't1', output })), started);
    expect(toolOf(logged, 't1').kept).toEqual(output);
    const left = { ...output, isUnfinished: true as const };
    const ended = result('t1', 'run_command', { status: 'interrupted', details: { output: left } });
    const reopened = foldEvents(asEvents(log(ended)), logged);
    expect(toolOf(reopened, 't1')).toMatchObject({ state: 'interrupted', kept: left });
  });

  it('is not reopened by an event that comes late', () => {
    const done = foldEvents(asEvents(log(result('t1', 'run_command', { status: 'denied' }))), started);
    const late = foldEvents(
      [
        { type: 'tool_started', toolUseId: 't1' },
        { type: 'tool_output', toolUseId: 't1', text: 'late' },
        { type: 'approval_requested', approval },
      ],
      done,
    );
    expect(toolOf(late, 't1')).toEqual(toolOf(done, 't1'));
  });

  it('C12: keeps a bounded output, without half characters', () => {
    const flood = '🎉'.repeat(OUTPUT_LIMIT);
    const running = reduce(started, { type: 'tool_output', toolUseId: 't1', text: `x${flood}` });
    const [entry] = log(result('t1', 'run_command', { output: `x${flood}y` }));
    const done = reduce(started, { type: 'entry', entry: entry! });
    for (const state of [running, done]) {
      const { output } = toolOf(state, 't1');
      expect(output.length).toBeLessThanOrEqual(OUTPUT_LIMIT + 60);
      expect(output.isWellFormed()).toBe(true);
    }
    expect(toolOf(done, 't1').output).toMatch(/… [\d,]+ characters not shown …/);
  });

  it('is interrupted when its turn ends without it', () => {
    const state = foldEvents(
      [
        { type: 'approval_requested', approval },
        { type: 'tool_started', toolUseId: 't2' },
        { type: 'turn_ended', end: 'stopped' },
      ],
      started,
    );
    expect(toolOf(state, 't1').state).toBe('interrupted');
    expect(toolOf(state, 't1')).not.toHaveProperty('approval');
    expect(toolOf(state, 't2').state).toBe('interrupted');
    expect(state.activity).toEqual({ kind: 'idle' });
  });
});
