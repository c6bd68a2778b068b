import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { assemble } from '../../../src/core/context/assemble.ts';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import { reliefHistoryOf } from '../../../src/core/context/relief-history.ts';
import { repair } from '../../../src/core/context/repair.ts';
import { TokenTable } from '../../../src/core/context/token-table.ts';
import { signedFor, viewOf } from '../../../src/core/context/view.ts';
import type { Block } from '../../../src/core/model/content.ts';
import type { Entry } from '../../../src/core/model/entry.ts';
import type { ModelRequest } from '../../../src/core/model/request.ts';
import { MODEL } from '../../support/builders/entries.ts';
import { randomLog } from '../../support/builders/random-log.ts';
import type { Policy } from '../../support/builders/random-policy.ts';
import { randomPolicy } from '../../support/builders/random-policy.ts';
import { objectionTo } from '../../support/builders/strict-request.ts';

/** Every log is looked at from all sides, so the runs are shared among the properties below. */
const RUNS = Number(process.env['PLIMSOLL_RANDOM_RUNS'] ?? 1_000);

/** What the logs hold, to see that nothing is missing: share of the logs, in percent. */
const seen = new Map<string, number>();
const see = (what: string, isThere: boolean) => seen.set(what, (seen.get(what) ?? 0) + (isThere ? 1 : 0));

describe(`${RUNS} random transcripts under random policies`, () => {
  it('give a request that a strict server takes, the same every time, whose parts sum to its total', () => {
    fc.assert(
      fc.property(randomLog, randomPolicy, (entries, policy) => {
        tally(entries);
        const first = assembled(entries, policy);
        expect(objectionTo(first.request, policy.info)).toBeUndefined();
        const bytes = JSON.stringify(first.request);
        expect(JSON.stringify(assembled(entries, policy).request)).toBe(bytes);
        expect(JSON.stringify(assembled(structuredClone(entries), policy).request)).toBe(bytes);
        const { items, total } = first.ledger;
        expect(items.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(total);
        expect(items.every(({ tokens }) => Number.isInteger(tokens))).toBe(true);
        expectThinkingWhole(first.request, entries);
        expectRepairedOnce(entries, policy);
      }),
      { numRuns: RUNS },
    );
  }, 120_000);

  it('are folded as they grow to what folding them from the start gives', () => {
    fc.assert(
      fc.property(randomLog, (entries) => {
        const growing: Entry[] = [];
        for (const entry of entries) {
          growing.push(entry);
          const { billed: _, ...grown } = conversationOf(growing);
          const { billed: __, ...fresh } = conversationOf([...growing]);
          if (!isDeepStrictEqual(grown, fresh)) expect(grown).toEqual(fresh);
          expect(reliefHistoryOf(growing)).toEqual(reliefHistoryOf([...growing]));
        }
      }),
      { numRuns: RUNS / 5 },
    );
  });

  afterAll(() => {
    const shares = [...seen].map(([what, count]) => `${what} ${Math.round((100 * count) / RUNS)}%`);
    console.log(`of ${RUNS} logs: ${shares.join(', ')}`);
    for (const [what, count] of seen) expect(count / RUNS, what).toBeGreaterThanOrEqual(0.05);
  });
});

function assembled(entries: readonly Entry[], { info, settings }: Policy) {
  return assemble(entries, { info, settings, tokens: new TokenTable() });
}

/** Signed thinking goes out as it came, and no one else's does. */
function expectThinkingWhole({ messages, model }: ModelRequest, entries: readonly Entry[]): void {
  const own = entries.flatMap((entry) =>
    entry.kind === 'assistant' && entry.model === model ? entry.blocks.filter(isThinking) : [],
  );
  const sent = messages.flatMap(({ content }) => (content as readonly Block[]).filter(isThinking));
  for (const block of sent) expect(own).toContain(block);
}

const isThinking = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking';

function expectRepairedOnce(entries: readonly Entry[], { info }: Policy) {
  const conversation = conversationOf(entries);
  const options = { isBehindSummary: signedFor(conversation, info) !== undefined };
  const once = repair(viewOf(conversation, info), options);
  expect(isDeepStrictEqual(repair(once, options), once)).toBe(true);
}

function tally(entries: readonly Entry[]): void {
  const has = (test: (entry: Entry) => boolean) => entries.some(test);
  const uses = entries.flatMap((entry) =>
    entry.kind === 'assistant' ? entry.blocks.filter(({ type }) => type === 'tool_use') : [],
  ) as readonly { id: string }[];
  const answered = new Set(
    entries.flatMap((entry) => (entry.kind === 'tool_result' ? [entry.toolUseId] : [])),
  );
  const texts = entries.map((entry) => JSON.stringify(entry));
  see(
    'parallel calls',
    has(
      (entry) =>
        entry.kind === 'assistant' && entry.blocks.filter(({ type }) => type === 'tool_use').length > 1,
    ),
  );
  see(
    'calls without result',
    uses.some(({ id }) => !answered.has(id)),
  );
  see('results without call', answered.has('nobody_asked'));
  see('ids given twice', new Set(uses.map(({ id }) => id)).size < uses.length);
  see(
    'own thinking',
    has(
      (entry) => entry.kind === 'assistant' && entry.model === MODEL && entry.blocks[0]?.type === 'thinking',
    ),
  );
  see(
    'thinking of another model',
    has(
      (entry) => entry.kind === 'assistant' && entry.model !== MODEL && entry.blocks[0]?.type === 'thinking',
    ),
  );
  see(
    'images',
    texts.some((one) => one.includes('image/png')),
  );
  see(
    'lone surrogates',
    texts.some((one) => one.includes('\\ud83d here')),
  );
  see(
    'blank texts',
    has((entry) => entry.kind === 'user' && entry.text.trim() === ''),
  );
  see(
    'oversized rounds',
    texts.some((one) => one.length > 16_000),
  );
  see(
    'evictions',
    has(({ kind }) => kind === 'eviction'),
  );
  for (const method of ['summary', 'signed', 'fold', 'window'])
    see(
      `compaction: ${method}`,
      has((entry) => entry.kind === 'compaction' && entry.method === method),
    );
  for (const kind of ['undo', 'pin', 'rewind'] as const)
    see(
      kind,
      has((entry) => entry.kind === kind),
    );
  see(
    'reminders',
    has((entry) => entry.kind === 'reminder' && entry.isTurnScoped !== true),
  );
  see(
    'turn-scoped reminders',
    has((entry) => entry.kind === 'reminder' && entry.isTurnScoped === true),
  );
}
