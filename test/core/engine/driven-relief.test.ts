import { DEFAULT_MEMORY, DEFAULT_OFFLOAD } from '../../../src/core/model/settings.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContextFullError } from '../../../src/core/agent/error-report.ts';
import { prepareRequest } from '../../../src/core/agent/prepare-request.ts';
import { SummaryDesk } from '../../../src/core/agent/summary-desk.ts';
import type { Turn, TurnDeps } from '../../../src/core/agent/turn-deps.ts';
import type { Assembled } from '../../../src/core/context/assemble.ts';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import { shrinkPlan } from '../../../src/core/context/shrink.ts';
import { TokenTable } from '../../../src/core/context/token-table.ts';
import type { Entry, EntryDraft } from '../../../src/core/model/entry.ts';
import type { AgentEvent } from '../../../src/core/model/event.ts';
import type { ModelPort } from '../../../src/core/ports/model.ts';
import { sha256 } from '../../../src/node/hash.ts';
import { deepFreeze, text } from '../../support/builders/entries.ts';
import { randomLog } from '../../support/builders/random-log.ts';
import type { Policy } from '../../support/builders/random-policy.ts';
import { randomPolicy } from '../../support/builders/random-policy.ts';
import { textIn } from '../../support/builders/request-text.ts';
import { objectionTo } from '../../support/builders/strict-request.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { workingModel } from '../../support/builders/working-model.ts';

const RULE = 'Never touch db.sqlite.';

describe('relief on random transcripts', () => {
  it('brings the request under the budget or says why it cannot, and keeps what the user said', async () => {
    await fc.assert(
      fc.asyncProperty(randomLog, randomPolicy, fc.boolean(), async (log, policy, fails) => {
        const entries: Entry[] = [...log];
        append(entries, { kind: 'user', text: `${RULE} And now go on.` });
        const before = JSON.stringify(entries);
        const turn = turnOn(entries, policy, fails);
        const outcome = await prepared(turn);
        expect(JSON.stringify(entries.slice(0, log.length + 1))).toBe(before);
        if (outcome instanceof ContextFullError) expectNothingToShrink(entries, outcome);
        else expectWhole(outcome, policy);
      }),
      { numRuns: 500 },
    );
  }, 100_000);
});

function expectWhole({ ledger, request }: Assembled, { info }: Policy): void {
  const { window = Number.POSITIVE_INFINITY, margin } = ledger.budget;
  expect(ledger.total + request.maxTokens + margin).toBeLessThanOrEqual(window);
  expect(objectionTo(request, info)).toBeUndefined();
  expect(textIn(request)).toContain(RULE);
}

/** What is left is what nobody may take away: the prompt, the user's words, what is held, the newest round. */
function expectNothingToShrink(entries: readonly Entry[], { ledger }: ContextFullError): void {
  const { lines } = ledger.budget;
  if (lines.compact === undefined && lines.fold === undefined && ledger.budget.cap === undefined) return;
  expect(shrinkPlan(conversationOf(entries), ledger, 0).items).toEqual([]);
}

async function prepared(turn: Turn): Promise<Assembled | ContextFullError> {
  const steps: AsyncGenerator<AgentEvent, Assembled> = prepareRequest(turn);
  try {
    for (let next = await steps.next(); ; next = await steps.next()) if (next.done) return next.value;
  } catch (error) {
    if (error instanceof ContextFullError) return error;
    throw error;
  } finally {
    turn.deps.desk.drop();
  }
}

function append(entries: Entry[], draft: EntryDraft): Entry {
  const entry = { id: `e${entries.length + 1}`, at: '2026-03-01T12:00:00.000Z', ...draft } as Entry;
  entries.push(deepFreeze(entry));
  return entry;
}

function turnOn(entries: Entry[], { info, settings }: Policy, fails: boolean): Turn {
  const model: ModelPort = workingModel({
    info,
    work: () => new Error('nobody asked it to work'),
    ...(fails && { summary: () => ({ blocks: [text('no')] }) }),
  });
  const prompt = conversationOf(entries).prompt;
  const deps = {
    transcript: { entries, append: (draft: EntryDraft) => Promise.resolve(append(entries, draft)) },
    model,
    tools: { schemas: prompt?.tools ?? [] },
    world: { hash: sha256 },
    clock: fixedClock(),
    counter: { count: () => Promise.resolve(undefined) },
    tokens: new TokenTable(),
    desk: new SummaryDesk(),
    unsigned: new Set<string>(),
    learntWindows: new Map<string, number>(),
    sections: () => Promise.resolve(prompt?.sections ?? []),
    tell: () => undefined,
    random: () => 0,
  };
  return {
    deps: deps as unknown as TurnDeps,
    info,
    settings: {
      model: '',
      approvalMode: 'ask',
      maxRounds: 50,
      offload: DEFAULT_OFFLOAD,
      memory: DEFAULT_MEMORY,
      ...settings,
    },
    signal: new AbortController().signal,
  };
}
