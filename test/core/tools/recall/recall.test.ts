import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../../src/core/context/estimate-tokens.ts';
import type { EntryDraft } from '../../../../src/core/model/entry.ts';
import { recallQuery } from '../../../../src/core/tools/recall/recall.ts';
import { hitPages, searchTranscript } from '../../../../src/core/tools/recall/recall-search.ts';
import { systemClock } from '../../../../src/node/clock.ts';
import {
  assistant,
  logOf,
  result,
  text,
  thinking,
  toolUse,
  user,
} from '../../../support/builders/entries.ts';
import { recall, refusal } from '../../../support/recall.ts';
import { toolBench } from '../../../support/tool-bench.ts';

const found = async (query: string, ...drafts: readonly EntryDraft[]) =>
  (await searchTranscript(logOf(...drafts), query)).hits.map(({ entry }) => entry.id);

const compaction: EntryDraft = {
  kind: 'compaction',
  method: 'summary',
  trigger: 'line',
  through: 'e1',
  text: 'The quota is 512.',
  summary: [],
  state: { goal: '', step: '', completed: [], pending: [], errors: [], files: [], updated: 'e1' },
  facts: { messages: [], files: [], steps: [] },
  before: 2,
  after: 1,
};

describe('recall by words', () => {
  it('shows the entry, who spoke, how long ago, and the lines around', async () => {
    const log = logOf(
      user('First line.\nThe deploy host is heron-7.\nLast line.'),
      assistant(text('Done.')),
      assistant(text('Anything else?')),
    );
    expect(await recall(log, { query: 'deploy host' })).toMatchInlineSnapshot(`
      "1 hit in 3 entries: messages, answers, calls and results of the whole session.

      1. e1 user, 2 rounds ago
          First line.
        > The deploy host is heron-7.
          Last line.

      [The whole of an entry: recall with entry "e1".]"
    `);
  });

  it('searches messages, answers, the inputs of calls, every text of a result, and summaries', async () => {
    const log: readonly EntryDraft[] = [
      user('the quota matters'),
      assistant(text('I set the quota.'), toolUse('a', { path: 'x', edits: [{ new: 'one\nquota = 1' }] })),
      result('a', '', {
        content: [
          { type: 'text', text: 'nothing' },
          { type: 'text', text: 'and QUOTA in the second' },
        ],
      }),
      compaction,
    ];
    expect(new Set(await found('quota', ...log))).toEqual(new Set(['e1', 'e2', 'e3', 'e4']));
    expect(await found('quota = 1', ...log)).toContain('e2');
  });

  it('a queued message is found once it was delivered; thinking, reminders and notes never are', async () => {
    const waiting: EntryDraft = { kind: 'queue', text: 'marmalade' };
    const rest: readonly EntryDraft[] = [
      assistant(thinking('marmalade'), text('hm')),
      { kind: 'reminder', topic: 'x', text: 'marmalade' },
      { kind: 'note', level: 'info', text: 'marmalade' },
    ];
    expect(await found('marmalade', waiting, ...rest)).toEqual([]);
    expect(
      await found('marmalade', waiting, ...rest, { kind: 'user', text: 'marmalade', queueId: 'e1' }),
    ).toEqual(['e5']);
  });

  it('does not find its own answers again', async () => {
    const echo = [
      assistant(toolUse('r', { query: 'deploy host' }, 'recall')),
      result('r', 'The deploy host is heron-7.', { name: 'recall', target: 'deploy host' }),
    ];
    expect(await found('deploy host', user('The deploy host is heron-7.'), ...echo)).toEqual(['e1']);
  });

  it('the words beside a call of recall, which repeat the question, come after the answer', async () => {
    const asking = assistant(text('Let me look up the deploy host.'), toolUse('r', {}, 'recall'));
    expect(await found('deploy host', user('Our machine for deploys: host heron-7'), asking)).toEqual([
      'e1',
      'e2',
    ]);
  });

  it('finds what was rewound, and says so', async () => {
    const log = logOf(user('go'), user('the key is plover'), { kind: 'rewind', to: 'e1' }, user('again'));
    expect(await recall(log, { query: 'key' })).toContain('e2 user, this round, rewound');
    expect(await recall(log, { entry: 'e2' })).toContain('rewound');
    expect(await recall(log, { entry: 'e1' })).not.toContain('rewound');
  });

  it.each([
    ['assemble view', 'const x = assembleView(log)'],
    ['assembleView', 'const x = assemble_view(log)'],
    ['assembleview', 'const x = assembleView(log)'],
    ['http server', 'new HTTPServer()'],
    ['max-tokens', 'MAX_TOKENS=5'],
    ['decisions', 'this was a decision'],
    ['CAFÉ', 'das Café am Eck'],
    ['настройки', 'Где Настройки?'],
    ['部署密码', '生产环境的部署密码是白鹭。'],
    ['デプロイ', '本番のデプロイは金曜'],
    ['비밀번호', '비밀번호는 왜가리'],
    ['รหัสผ่าน', 'นี่คือรหัสผ่านใหม่'],
    ['7', 'retries: 7'],
    ['3f2a9c1b', 'commit 3f2a9c1b fixes it'],
  ])('“%s” finds “%s”', async (query, line) => {
    expect(await found(query, user('something else entirely, in other words'), user(line))).toEqual(['e2']);
  });

  it('a rare word counts more than many common ones', async () => {
    const common = Array.from({ length: 50 }, (_, index) =>
      user(`the value of the setting is ${'x'.repeat(index)}`),
    );
    expect((await found('the value of the plover', ...common, user('plover: 12'), ...common))[0]).toBe('e51');
  });

  it('lines that differ only in what was asked for are one hit, newest first', async () => {
    const log = logOf(
      ...Array.from({ length: 8 }, (_, index) => user(`The port of service ${index} is ${4_000 + index}.`)),
    );
    const { hits } = await searchTranscript(log, 'the port of service is');
    expect(hits).toHaveLength(1);
    expect(hits[0]?.text).toMatchInlineSnapshot(`
      "8 lines alike, newest first:
        e8 user, this round: The port of service 7 is 4007.
        e7 user, this round: The port of service 6 is 4006.
        e6 user, this round: The port of service 5 is 4005.
        e5 user, this round: The port of service 4 is 4004.
        e4 user, this round: The port of service 3 is 4003.
        e3 user, this round: The port of service 2 is 4002.
        e2 user, this round: The port of service 1 is 4001.
        e1 user, this round: The port of service 0 is 4000."
    `);
  });

  it('hits close to each other in one entry are one hit, which shows them all', async () => {
    const log = logOf(user('one\nthe plover is here\ntwo\nanother plover there\nthree\n\nfour'));
    const { hits } = await searchTranscript(log, 'plover');
    expect(hits.map(({ text: shown }) => shown)).toEqual([
      'e1 user, this round\n    one\n  > the plover is here\n  > two\n  > another plover there\n    three',
    ]);
  });

  it('the same lines read again and again are shown once, with the other entries', async () => {
    const reads = Array.from({ length: 9 }, (_, index) => result(`c${index}`, 'a\nthe plover nests\nb'));
    expect(await recall(logOf(...reads), { query: 'plover' })).toContain(
      '(same in e8, e7, e6, e5 and 4 more)',
    );
  });

  it('says when nothing is found, and what was searched', async () => {
    expect(await recall(logOf(user('a'), assistant(text('b'))), { query: 'plover' })).toMatchInlineSnapshot(
      `"Nothing found for "plover" in 2 entries: messages, answers, calls and results of the whole session. Try other or fewer words."`,
    );
    expect(await recall([], { query: 'plover' })).toContain('in 0 entries');
  });

  it.each(['', ' \n', '…!?'])('the query “%s” has no words, and is an error', async (query) => {
    expect(await refusal(logOf(user('a')), { query })).toContain('no words');
  });

  it('wants a query or an entry, not both', async () => {
    expect(await refusal([], {})).toContain('either');
    expect(await refusal([], { query: 'a', entry: 'e1' })).toContain('either');
  });

  it('every hit is on one of the pages, each within 2,000 tokens', async () => {
    const filler = (index: number) => ['alpha beta', 'gamma, delta', 'epsilon'][index % 3];
    const log = logOf(
      ...Array.from({ length: 150 }, (_, index) =>
        user(`plover ${filler(index)} ${'abcdefghij'.slice(index % 10)} ${index}`),
      ),
    );
    const { hits } = await searchTranscript(log, 'plover');
    const pages = await Promise.all(
      hitPages(hits).map((_, index) => recallQuery(log, { query: 'plover', page: index + 1 })),
    );
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(estimateTokens(page)).toBeLessThanOrEqual(2_000);
    expect(pages[0]).toContain('the same query with page 2.');
    const ids = new Set(pages.join('\n').match(/\be\d+(?= user)/g));
    expect(ids.size).toBe(150);
    expect(await refusal(log, { query: 'plover', page: 99 })).toContain(
      `the hits fill ${pages.length} pages`,
    );
  });

  it('lets others have their turn while it reads', async () => {
    let now = 0;
    let slept = 0;
    const clock = {
      now: () => new Date((now += 10)),
      sleep: (ms: number, signal: AbortSignal) => {
        slept += 1;
        return systemClock.sleep(ms, signal);
      },
      deadline: (ms: number) => systemClock.deadline(ms),
    };
    const entries = logOf(...Array.from({ length: 20 }, () => user('plover')));
    const bench = toolBench({ context: { clock, transcript: () => entries } });
    await bench.text('recall', { query: 'plover' });
    bench.dispose();
    expect(slept).toBeGreaterThan(3);
  });

  it('never throws on any text, is bounded and well-formed', async () => {
    const words = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('plover', 'x'.repeat(3_000), '鹭', '\n'),
    );
    const sessions = fc.array(
      fc.array(words, { maxLength: 8 }).map((parts) => parts.join(' ')),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(sessions, words, async (texts, extra) => {
        const entries = logOf(
          ...texts.flatMap((value) => [user(value), result('c', value), assistant(toolUse('c', { value }))]),
        );
        const answer = await recallQuery(entries, { query: `plover ${extra}`, page: 1 });
        expect(answer.trim()).not.toBe('');
        expect(answer.isWellFormed()).toBe(true);
        expect(answer.length).toBeLessThan(8_500);
        expect(estimateTokens(answer)).toBeLessThanOrEqual(2_000);
      }),
      { numRuns: 200 },
    );
  });
});
