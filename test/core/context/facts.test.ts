import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import { extendFacts } from '../../../src/core/context/facts.ts';
import type { EntryDraft } from '../../../src/core/model/entry.ts';
import type { CarriedFacts, CompactionEntry } from '../../../src/core/model/relief-entry.ts';
import { assistant, compaction, logOf, result, text, toolUse, user } from '../../support/builders/entries.ts';

const factsOf = (...drafts: readonly EntryDraft[]) =>
  extendFacts(undefined, conversationOf(logOf(...drafts)).spoken);

/** What the log behind a compaction with such facts adds. */
function carriedOn(facts: CarriedFacts, ...drafts: readonly EntryDraft[]): CarriedFacts {
  const before = { id: 'e0', at: '', ...compaction('e0', { facts }) } as CompactionEntry;
  return extendFacts(before, conversationOf(logOf(...drafts)).spoken);
}

describe('the facts of a stretch', () => {
  it('are what the user said, word for word', () => {
    const { messages } = factsOf(user('Fix it.'), assistant(text('ok')), user('  Never touch db.sqlite \n'));
    expect(messages).toEqual([
      { entryId: 'e1', text: 'Fix it.' },
      { entryId: 'e3', text: '  Never touch db.sqlite \n' },
    ]);
  });

  it('are what was said and called, round by round, and what failed', () => {
    const { steps } = factsOf(
      user('go'),
      assistant(text('First  I\nlook.'), toolUse('a', { path: 'src/a.ts' })),
      result('a'),
      assistant(toolUse('b', { command: 'make' }, 'run_command'), toolUse('c', { path: 'b.ts' })),
      result('b', 'hello\nTypeError: x is not a function\nat y', { status: 'error' }),
    );
    expect(steps).toEqual([
      {
        entryId: 'e2',
        said: 'First I look.',
        calls: [{ entryId: 'e3', what: 'read_file src/a.ts', outcome: '' }],
      },
      {
        entryId: 'e4',
        said: '',
        calls: [
          {
            entryId: 'e5',
            what: 'run_command `make`',
            outcome: 'error: TypeError: x is not a function',
          },
          { entryId: 'e4', what: 'read_file b.ts', outcome: 'no result' },
        ],
      },
    ]);
  });

  it('are the files, the last touched last, with the ids of reads and edits', () => {
    const { files } = factsOf(
      assistant(toolUse('1', { path: 'a', start_line: 3, end_line: 9 })),
      result('1'),
      assistant(toolUse('2', { path: 'b' })),
      result('2'),
      assistant(toolUse('3', { path: 'a', new_text: '{\nconst low = 1;' }, 'edit_file')),
      result('3'),
    );
    expect(files).toEqual([
      { path: 'b', reads: ['e4'], edits: [], lines: '' },
      { path: 'a', reads: ['e2'], edits: ['e6'], lines: '3-9' },
    ]);
  });

  it('say of an edit what it wrote', () => {
    const edit = toolUse('1', { path: 'a', new_text: '{\n  const low = 1;' }, 'edit_file');
    const [step] = factsOf(assistant(edit), result('1')).steps;
    expect(step?.calls[0]?.what).toBe('edit_file a: `const low = 1;`');
  });

  it('are well-formed Unicode, whatever was typed', () => {
    const { messages } = factsOf(user(`broken \ud83d here`), user(`${'😀'.repeat(8_000)}`));
    for (const { text: said } of messages) expect(said.isWellFormed()).toBe(true);
  });
});

describe('facts carried from compaction to compaction', () => {
  const round = (n: number): readonly EntryDraft[] => [
    user(`message ${n} ${'word '.repeat(n % 50 === 0 ? 5_000 : 5)}`),
    assistant(
      text('Looking at it. '.repeat(60)),
      toolUse('c', { path: `src/f${n}.ts` }),
      toolUse('d', { path: 'same.ts' }),
    ),
    result('c', 'x'),
    result('d', 'x'),
  ];

  it('stay bounded over a thousand rounds, with the goal first and the newest of everything', () => {
    let facts: CarriedFacts = { messages: [], files: [], steps: [] };
    const sizes: number[] = [];
    for (let n = 1; n <= 1_000; n += 1) {
      facts = carriedOn(facts, ...round(n));
      if (n % 100 === 0) sizes.push(JSON.stringify(facts).length);
    }
    expect(sizes.at(-1)).toBeLessThan(1.05 * sizes[5]!);
    expect(facts.messages[0]?.text).toContain('message 1 word');
    expect(facts.messages.at(-1)?.text).toContain('message 1000 ');
    expect(facts.steps.at(-1)?.calls[0]?.what).toBe('read_file src/f1000.ts');
    expect(facts.files.slice(-2).map(({ path }) => path)).toEqual(['src/f1000.ts', 'same.ts']);
    expect(facts.files.at(-1)?.reads).toHaveLength(3);
  });

  it('are the same in one stretch as in many', () => {
    const all = Array.from({ length: 12 }, (_, n) => round(n + 1));
    const log = logOf(...all.flat());
    const { spoken } = conversationOf(log);
    let facts: CarriedFacts = { messages: [], files: [], steps: [] };
    for (let at = 0; at < spoken.length; at += 4) {
      const before = { id: 'e0', at: '', ...compaction('e0', { facts }) } as CompactionEntry;
      facts = extendFacts(before, spoken.slice(at, at + 4));
    }
    expect(facts).toEqual(extendFacts(undefined, spoken));
  });
});
