import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MEMORY_NUDGE, memoryNudge } from '../../../src/core/agent/nudges.ts';
import type { Entry, EntryDraft } from '../../../src/core/model/entry.ts';
import {
  assistant,
  compaction,
  logOf,
  prompt,
  reminder,
  result,
  text,
  toolUse,
  user,
} from '../../support/builders/entries.ts';

const begun: EntryDraft[] = [
  user('Do it.'),
  {
    ...prompt(),
    tools: [{ name: 'memory_write', description: 'Remembers.', inputSchema: {} }],
  } as EntryDraft,
];
const round = (name = 'read_file', status: 'ok' | 'error' = 'ok'): EntryDraft[] => [
  assistant(toolUse('c', {}, name)),
  result('c', 'fine', { name, status }),
];
const rounds = (count: number) => Array.from({ length: count }, () => round()).flat();
const nudge: EntryDraft = { ...reminder(MEMORY_NUDGE, 'Remember?'), isTurnScoped: true } as EntryDraft;

const isDue = (drafts: readonly EntryDraft[], clearsNudges = true) =>
  memoryNudge(logOf(...drafts), { clearsNudges }) !== undefined;

describe('the nudge to write to the memory', () => {
  it('comes after 15 rounds with tools, at the tail, and holds for its turn only', () => {
    expect(isDue([...begun, ...rounds(14)])).toBe(false);
    expect(memoryNudge(logOf(...begun, ...rounds(15)), { clearsNudges: true })).toMatchObject({
      kind: 'reminder',
      topic: 'memory_nudge',
      isTurnScoped: true,
    });
  });

  it('counts a round once, however many calls it has, and no round without calls', () => {
    const two = [assistant(toolUse('a'), toolUse('b')), result('a'), result('b')];
    expect(isDue([...begun, ...Array.from({ length: 14 }, () => two).flat()])).toBe(false);
    const talk = Array.from({ length: 20 }, () => [assistant(text('Well.')), user('Go on.')]).flat();
    expect(isDue([...begun, ...talk, ...rounds(14)])).toBe(false);
  });

  it('begins anew with a write; one that was refused is none, and a search neither', () => {
    expect(isDue([...begun, ...rounds(10), ...round('memory_write'), ...rounds(14)])).toBe(false);
    expect(isDue([...begun, ...rounds(10), ...round('memory_write'), ...rounds(15)])).toBe(true);
    expect(isDue([...begun, ...rounds(13), ...round('memory_write', 'error'), ...round()])).toBe(true);
    expect(isDue([...begun, ...rounds(14), ...round('memory_search')])).toBe(true);
  });

  it('comes again after 15 more rounds only', () => {
    expect(isDue([...begun, ...rounds(15), nudge])).toBe(false);
    expect(isDue([...begun, ...rounds(15), nudge, ...rounds(14)])).toBe(false);
    expect(isDue([...begun, ...rounds(15), nudge, ...rounds(15)])).toBe(true);
  });

  it('never stands in the view twice: where it stays until the next break, it waits for that', () => {
    const log = [...begun, ...rounds(15), nudge, ...rounds(40)];
    expect(isDue(log, false)).toBe(false);
    expect(isDue([...log, ...begun.slice(1), ...round()], false)).toBe(true);
    expect(isDue([...log, compaction('e35'), ...begun.slice(1), ...round()], false)).toBe(true);
  });

  it('never stands in the view twice: not either where it shares its place with what stays', () => {
    const log = [...begun, ...rounds(15), nudge, reminder('environment', 'Tuesday'), ...rounds(20)];
    expect(isDue(log)).toBe(false);
  });

  it('does not come before the user’s words are answered, or without a memory to write to', () => {
    expect(isDue([...begun, ...rounds(15), assistant(text('Done.')), user('And now?')])).toBe(false);
    expect(isDue([user('Do it.'), prompt(), ...rounds(20)])).toBe(false);
  });

  it('is the same on replay: a fold over the log, told apart by nothing else', () => {
    const step = fc.oneof(
      { weight: 12, arbitrary: fc.constant(round()) },
      fc.constant(round('memory_write')),
      fc.constant([assistant(text('Done.')), user('Next.')]),
      fc.constant(begun.slice(1)),
      fc.constant([reminder('environment', 'Tuesday')]),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 80 }), fc.boolean(), (steps, clearsNudges) => {
        const growing: Entry[] = [...logOf(...begun)];
        const append = (draft: EntryDraft) =>
          growing.push({ ...draft, id: `e${growing.length + 1}`, at: '2026-03-01T12:00:00.000Z' });
        for (const drafts of steps) {
          drafts.forEach(append);
          const live = memoryNudge(growing, { clearsNudges });
          expect(memoryNudge([...growing], { clearsNudges })).toEqual(live);
          if (live !== undefined) append(live);
        }
        const at = growing.flatMap((entry, index) =>
          entry.kind === 'reminder' && entry.topic === MEMORY_NUDGE ? [index] : [],
        );
        at.slice(1).forEach((later, index) => {
          const between = growing.slice(at[index], later).filter(({ kind }) => kind === 'tool_result');
          expect(between.length).toBeGreaterThanOrEqual(15);
        });
      }),
      { numRuns: 50 },
    );
  });
});
