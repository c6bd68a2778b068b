import { describe, expect, it } from 'vitest';
import { stepLine } from '../../../src/core/context/carried-steps.ts';
import { compactionText } from '../../../src/core/context/compaction-text.ts';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import { extendFacts } from '../../../src/core/context/facts.ts';
import { workState } from '../../../src/core/context/work-state.ts';
import type { EntryDraft } from '../../../src/core/model/entry.ts';
import type { CarriedFacts, CompactionEntry } from '../../../src/core/model/relief-entry.ts';
import { assistant, compaction, logOf, result, text, toolUse, user } from '../../support/builders/entries.ts';

const NOTHING: CarriedFacts = { messages: [], files: [], steps: [] };

function carriedOn(facts: CarriedFacts, ...drafts: readonly EntryDraft[]): CarriedFacts {
  const before = { id: 'e0', at: '', ...compaction('e0', { facts }) } as CompactionEntry;
  return extendFacts(before, conversationOf(logOf(...drafts)).spoken);
}

const bytesOf = (facts: CarriedFacts) => new TextEncoder().encode(JSON.stringify(facts)).length;
const MOST = 152_000;

/** A round with as many calls, each with a long command, and half of them failing. */
const busy = (n: number, calls: number): readonly EntryDraft[] => [
  assistant(
    text(`Step ${n}. ${'I look at the harbour. '.repeat(40)}`),
    ...Array.from({ length: calls }, (_, at) =>
      toolUse(`c${at}`, { command: `make ${n} ${at} ${'very '.repeat(60)}` }, 'run_command'),
    ),
  ),
  ...Array.from({ length: calls }, (_, at) =>
    result(`c${at}`, `Error: ${'boom '.repeat(60)}`, { status: at % 2 === 0 ? 'ok' : 'error' }),
  ),
];
const chat = 'The window looks out over the water and the boats go by all day long. ';

describe('the facts that one entry carries are bounded', () => {
  it.each([
    ['long messages', (n: number) => [user(`message ${n}. ${chat.repeat(200)}`)]],
    [
      'long messages in Chinese',
      (n: number) => [user(`消息 ${n}。${'天气很好，船只来来往往。'.repeat(900)}`)],
    ],
    ['rules alone', (n: number) => [user(`${n}: ${'you must never do this or that, '.repeat(30)}`)]],
    ['lines', (n: number) => [user(`go on with ${n}`)]],
    ['steps with many calls', (n: number) => busy(n, 60)],
    [
      'files with long paths',
      (n: number) => [assistant(toolUse('1', { path: `${'deep/'.repeat(200)}${n}` })), result('1')],
    ],
    [
      'control characters',
      (n: number) => [user(`${n}${'\u0001'.repeat(9_000)}`), assistant(text('\u0001'.repeat(9_000)))],
    ],
  ])('whatever there is most of: %s', (_, round) => {
    let facts = carriedOn(NOTHING, user('the goal'), ...busy(0, 2));
    for (let n = 1; n <= 450; n += 1) {
      facts = carriedOn(facts, ...round(n));
      if (n % 50 === 0) expect(bytesOf(facts)).toBeLessThan(MOST);
    }
    expect(facts.messages[0]?.text).toBe('the goal');
  });

  it('by fewer characters for each message the more there are, with the rules of all of them', () => {
    let facts = carriedOn(NOTHING, user(`the goal. ${chat}`));
    const lengths: number[] = [];
    for (let n = 1; n <= 300; n += 1) {
      facts = carriedOn(
        facts,
        user(`${chat.repeat(20)}Never touch file${n}.sqlite. ${chat.repeat(40)}last of ${n}`),
      );
      if ([5, 40, 300].includes(n)) lengths.push(facts.messages.at(-2)!.text.length);
    }
    const [few, more, most] = lengths;
    expect(few).toBe(chat.length * 60 + 'Never touch file4.sqlite. last of 4'.length);
    expect(more).toBeLessThan(few!);
    expect(most).toBeLessThan(more!);
    expect(facts.messages.at(-1)?.text).toContain('last of 300');
    const all = facts.messages.map(({ text: said }) => said).join('\n');
    for (let n = 1; n <= 300; n += 1) expect(all).toContain(`Never touch file${n}.sqlite.`);
  });

  it('beyond any number of messages: chatter goes, and what rules or is said in a line stays', () => {
    let facts = carriedOn(NOTHING, user('the goal'), user('hands off legacy.py'), user('legacy.py: nope!'));
    for (let n = 1; n <= 380; n += 1) facts = carriedOn(facts, user(`${n} is ${chat.repeat(3)}`));
    expect(facts.messages.slice(0, 3).map(({ text: said }) => said)).toEqual([
      'the goal',
      'hands off legacy.py',
      'legacy.py: nope!',
    ]);
    expect(facts.messages.at(-1)?.text).toBe(`380 is ${chat.repeat(3)}`);
  });

  it('by a count of the calls of one message that are too many, failures first to be kept', () => {
    const { steps } = carriedOn(NOTHING, ...busy(1, 60));
    expect(steps[0]?.calls).toHaveLength(20);
    expect(steps[0]?.more).toBe(40);
    expect(steps[0]?.calls.filter(({ outcome }) => outcome !== '').length).toBeGreaterThanOrEqual(10);
    const text200k = compactionText({
      facts: { ...NOTHING, steps },
      summary: [],
      state: workState({ ...NOTHING, steps }, [], 'e1'),
      room: 180_000,
    });
    expect(text200k).toContain('→ 40 more calls');
  });
});

describe('a step that is carried in brief', () => {
  const call = (command: string, outcome: 'ok' | 'error') => [
    assistant(text(`I run ${command}.`), toolUse('c', { command }, 'run_command')),
    result('c', 'boom', { status: outcome }),
  ];

  it('is told as it was, and what is still open in it stays open; what was got over does not open again', () => {
    let facts = carriedOn(NOTHING, user('go'), ...call('open', 'error'), ...call('closed', 'error'));
    facts = carriedOn(facts, ...call('closed', 'ok'));
    for (let n = 0; n < 100; n += 1) facts = carriedOn(facts, ...busy(n, 1));
    const state = workState({ ...facts, steps: facts.steps.slice(0, 3) }, [], 'e1');
    expect(facts.steps.slice(0, 3).map(stepLine)).toEqual([
      '- e2 I run open. → run_command `open` (e3; error: boom)',
      '- e4 I run closed. → run_command `closed` (e5; error: boom)',
      '- e1 I run closed. → run_command `closed` (e2)',
    ]);
    expect(facts.steps[1]?.calls).toEqual([]);
    expect(state.errors).toEqual(['run_command `open`: error: boom']);
  });

  it('is as much as the largest text tells of it', () => {
    const rounds = Array.from({ length: 300 }, (_, n) => busy(n, 1));
    let facts = NOTHING;
    for (const round of rounds) facts = carriedOn(facts, ...round);
    const whole = { ...facts, steps: rounds.flatMap((round) => carriedOn(NOTHING, ...round).steps) };
    expect(bytesOf(facts)).toBeLessThan(0.5 * bytesOf(whole));
    const told = ({ steps }: CarriedFacts) =>
      compactionText({
        facts: { ...NOTHING, steps },
        summary: [],
        state: workState(whole, [], 'e1'),
        room: 200_000,
      });
    expect(told(facts)).toBe(told(whole));
  });
});
