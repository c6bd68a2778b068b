import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EntryDraft, ToolStatus } from '../../src/core/model/entry.ts';
import type { PanelEvent } from '../../src/protocol/messages.ts';
import { resumedPanelState } from '../../src/protocol/reduce.ts';
import type { PanelItem } from '../../src/protocol/view-model.ts';
import {
  assistant,
  beginning,
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
  user,
} from './panel-builders.ts';

type Step = { readonly entry: EntryDraft } | { readonly passing: PanelEvent };

interface CallPlan {
  readonly status: ToolStatus;
  readonly asks: boolean;
  readonly outputs: readonly string[];
}

const callPlan: fc.Arbitrary<CallPlan> = fc.record({
  status: fc.constantFrom('ok', 'error', 'denied', 'interrupted'),
  asks: fc.boolean(),
  outputs: fc.array(fc.string(), { maxLength: 3 }),
});

/** A relief before a request, in the background or waited for, and how it ends. */
const reliefPlan = fc.record({
  isWaitedFor: fc.boolean(),
  outcome: fc.constantFrom('applied', 'skipped', 'failed', 'cancelled'),
  isUndone: fc.boolean(),
});
type ReliefPlan = typeof reliefPlan extends fc.Arbitrary<infer Plan> ? Plan : never;

function reliefSteps({ isWaitedFor, outcome, isUndone }: ReliefPlan): readonly Step[] {
  const entry = outcome === 'applied' ? compaction() : reliefNote(outcome);
  return [
    { passing: { type: 'relief_started', isWaitedFor, before: 9 } },
    { entry },
    { passing: { type: 'relief_ended', outcome } },
    ...(isUndone ? [{ entry: { kind: 'undo', of: 'e2' } } satisfies Step] : []),
  ];
}

const round = fc.record({
  relief: fc.option(reliefPlan),
  words: fc.array(fc.string(), { maxLength: 5 }),
  isCutOnce: fc.boolean(),
  calls: fc.array(callPlan, { maxLength: 4 }),
});

function callSteps(id: string, plan: CallPlan): readonly Step[] {
  const name = 'run_command';
  const approval = { toolUseId: id, tool: name, target: 'x', action: 'command', canRemember: true } as const;
  const ask: readonly Step[] = [
    { passing: { type: 'approval_requested', approval } },
    { passing: { type: 'approval_resolved', toolUseId: id } },
  ];
  const run: readonly Step[] = [
    { entry: intent(id, name, 'x') },
    { passing: { type: 'tool_started', toolUseId: id } },
    ...plan.outputs.map((output): Step => ({
      passing: { type: 'tool_output', toolUseId: id, text: output },
    })),
  ];
  return [
    ...(plan.asks ? ask : []),
    ...(plan.status === 'denied' ? [] : run),
    { entry: result(id, name, { status: plan.status }) },
  ];
}

function streamSteps(words: readonly string[], ids: readonly string[]): readonly Step[] {
  return [
    ...words.map((word): Step => ({ passing: { type: 'text_delta', text: word } })),
    ...ids.map((id): Step => ({ passing: { type: 'tool_use_started', toolUseId: id, name: 'run_command' } })),
  ];
}

/** The steps of parallel calls, mixed by `order`, each call's own order kept. */
function interleave(lanes: readonly (readonly Step[])[], order: readonly number[]): readonly Step[] {
  const queues = lanes.map((lane) => [...lane]);
  const mixed: Step[] = [];
  for (let pick = 0; queues.some((queue) => queue.length > 0); pick++) {
    const waiting = queues.filter((queue) => queue.length > 0);
    const next = waiting[(order[pick % order.length] ?? 0) % waiting.length]?.shift();
    if (next) mixed.push(next);
  }
  return mixed;
}

const turn = fc
  .tuple(
    fc.array(round, { minLength: 1, maxLength: 4 }),
    fc.array(fc.nat(7), { minLength: 1, maxLength: 20 }),
  )
  .map(([rounds, order]) => {
    const steps: Step[] = [{ entry: user('go') }, { passing: { type: 'turn_started' } }];
    rounds.forEach(({ words, isCutOnce, calls, relief }, index) => {
      const ids = calls.map((_, position) => `r${index}c${position}`);
      if (relief !== null) steps.push(...reliefSteps(relief));
      steps.push({ passing: { type: 'request_prepared', ledger: ledger(index), model: 'm' } });
      if (isCutOnce) steps.push(...streamSteps(['cut'], ['gone']), { passing: { type: 'stream_discarded' } });
      steps.push(...streamSteps(words, ids));
      const blocks = ids.map((id) => call(id, 'run_command', { command: 'x' }));
      steps.push({ entry: assistant(text(words.join('')), ...blocks) });
      steps.push(
        ...interleave(
          calls.map((plan, position) => callSteps(ids[position]!, plan)),
          order,
        ),
      );
    });
    return [...steps, { passing: { type: 'turn_ended', end: 'done' } } satisfies Step];
  });

const isEntry = (step: Step): step is { readonly entry: EntryDraft } => 'entry' in step;

/** Events as the host hears them, the entries numbered in order. */
function asEventStream(steps: readonly Step[]): readonly PanelEvent[] {
  const entries = [...log(...steps.filter(isEntry).map((step) => step.entry))];
  return steps.flatMap((step): readonly PanelEvent[] => {
    if (!isEntry(step)) return [step.passing];
    const entry = entries.shift();
    return entry ? [{ type: 'entry', entry }] : [];
  });
}

const isOver = (item: PanelItem) =>
  item.kind !== 'tool' || ['ok', 'error', 'denied', 'interrupted'].includes(item.state);

describe('the fold', () => {
  it('S11: ends every turn with what the entries alone tell, however the parallel calls interleave', () => {
    fc.assert(
      fc.property(turn, (steps) => {
        const watched = foldEvents(asEventStream(steps));
        const entries = log(...steps.filter(isEntry).map((step) => step.entry));
        expect(watched.items).toEqual(resumedPanelState(beginning, entries).items);
        expect(watched.items.every(isOver)).toBe(true);
      }),
    );
  });

  it('leaves nothing open when a turn is stopped anywhere', () => {
    fc.assert(
      fc.property(turn, fc.nat(), fc.constantFrom('stopped', 'failed', 'limit'), (steps, where, end) => {
        const events = asEventStream(steps);
        const cut = events.slice(0, where % (events.length + 1));
        const state = foldEvents([...cut, { type: 'turn_ended', end, error: failure }]);
        expect(state.items.every(isOver)).toBe(true);
        expect(state.items.some((item) => item.kind === 'assistant' && item.id === 'live')).toBe(false);
        expect(state).not.toHaveProperty('afterRelief');
        expect(state).not.toHaveProperty('isPreparing');
        expect(state.activity.kind).toBe(end === 'stopped' ? 'idle' : end);
      }),
    );
  });

  it('takes events in any order without a throw', () => {
    fc.assert(
      fc.property(turn, fc.array(fc.nat(), { maxLength: 60 }), (steps, picks) => {
        const events = asEventStream(steps);
        const shuffled = picks.flatMap((pick) => events[pick % events.length] ?? []);
        expect(() => foldEvents(shuffled)).not.toThrow();
      }),
    );
  });
});
