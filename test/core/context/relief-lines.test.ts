import { describe, expect, it } from 'vitest';
import { assemble } from '../../../src/core/context/assemble.ts';
import { decideRelief } from '../../../src/core/context/relief.ts';
import { TokenTable } from '../../../src/core/context/token-table.ts';
import type { Entry, EntryDraft } from '../../../src/core/model/entry.ts';
import type { ModelInfo } from '../../../src/core/model/request.ts';
import type { ContextSettings } from '../../../src/core/model/settings.ts';
import { contextRulesFor, DEFAULT_CONTEXT } from '../../../src/core/model/settings.ts';
import {
  assistant,
  logOf,
  MODEL,
  prompt,
  PROVIDER,
  result,
  toolUse,
  usageReport,
  user,
} from '../../support/builders/entries.ts';

/** A window of which a hundred thousand tokens are the budget, but for rounding. */
const info: ModelInfo = {
  id: MODEL,
  displayName: 'Test',
  provider: PROVIDER,
  thinking: 'none',
  window: 105_211,
};

/** Thirty commands of equal size; the provider said of the last request that it fills `percent` of the budget. */
function logAt(percent: number, more: readonly EntryDraft[]): readonly Entry[] {
  const drafts: EntryDraft[] = [prompt(), user('go')];
  for (let round = 0; round < 30; round += 1) {
    const command = `step ${round}`;
    drafts.push(assistant(toolUse(`c${round}`, { command }, 'run_command')));
    if (round === 29) {
      const last = drafts.length;
      drafts.push(usageReport(`e${last}`, `e${last - 1}`, { input: percent * 1_000 }));
    }
    drafts.push(result(`c${round}`, `${command}\n${'out '.repeat(900)}`, { name: 'run_command' }));
  }
  // The newest result is small, so that the load is what was billed.
  drafts.splice(-1, 1, result('c29', 'ok', { name: 'run_command' }));
  return logOf(...drafts, ...more);
}

function decided(
  percent: number,
  rules: Partial<ContextSettings> = {},
  { model = info, more = [] }: { readonly model?: ModelInfo; readonly more?: readonly EntryDraft[] } = {},
) {
  const context = { ...DEFAULT_CONTEXT, ...rules };
  const settings = { model: '', maxOutputTokens: 1_000, approvalMode: 'ask', maxRounds: 9, context } as const;
  const entries = logAt(percent, more);
  const { ledger } = assemble(entries, { info: model, settings, tokens: new TokenTable() });
  return decideRelief({ entries, ledger, info: model, rules: contextRulesFor(context, model.id) });
}

const nothing = { kind: 'none', prepares: false };

describe('at its load line', () => {
  it('nothing is done below, and each means from its line on', () => {
    expect(decided(55)).toEqual(nothing);
    expect(decided(65)).toMatchObject({ kind: 'evict' });
    expect(decided(82)).toEqual({ kind: 'compact', trigger: 'line' });
    expect(decided(96)).toEqual({ kind: 'fold', trigger: 'line' });
  });

  it('a summary is prepared only where the compact line is near', () => {
    expect(decided(72, { evictAt: null })).toEqual(nothing);
    expect(decided(79, { evictAt: null })).toEqual({ kind: 'none', prepares: true });
  });
});

describe('a line that is off', () => {
  it('evict: nothing is evicted, and everything else is as it was', () => {
    expect(decided(65, { evictAt: null })).toEqual(nothing);
    expect(decided(82, { evictAt: null })).toEqual({ kind: 'compact', trigger: 'line' });
  });

  it('prepare: a summary is written when it is needed', () => {
    expect(decided(79, { evictAt: null, prepareAt: null })).toEqual(nothing);
    expect(decided(82, { prepareAt: null })).toEqual({ kind: 'compact', trigger: 'line' });
  });

  it('compact: old results still leave, and the fold is the end', () => {
    expect(decided(90, { compactAt: null })).toMatchObject({ kind: 'evict' });
    expect(decided(96, { compactAt: null })).toEqual({ kind: 'fold', trigger: 'line' });
  });

  it('fold: compaction goes on up to the budget', () => {
    expect(decided(98, { foldAt: null })).toEqual({ kind: 'compact', trigger: 'line' });
    expect(decided(101, { foldAt: null })).toEqual({ kind: 'fold', trigger: 'line' });
  });

  it('all of them: nothing is done, however full it is', () => {
    const off = { evictAt: null, prepareAt: null, compactAt: null, foldAt: null };
    expect(decided(130, off)).toEqual(nothing);
  });
});

describe('the rules', () => {
  it('an economy cap compacts there, whatever the window, and says so', () => {
    expect(decided(42, { maxTokens: 40_000 })).toEqual({ kind: 'compact', trigger: 'cap' });
    expect(decided(25, { maxTokens: 40_000 })).toEqual(nothing);
  });

  it('of one model win over those of all', () => {
    const perModel = { [MODEL]: { compactAt: 0.5, evictAt: null } };
    expect(decided(55, { perModel })).toEqual({ kind: 'compact', trigger: 'line' });
    expect(decided(55, { perModel: { other: { compactAt: 0.5 } } })).toEqual(nothing);
  });

  it.each(['fold', 'slidingWindow'] as const)('with %s no model is asked, and none prepared', (strategy) => {
    expect(decided(79, { strategy, evictAt: null })).toEqual(nothing);
    expect(decided(82, { strategy })).toEqual({ kind: 'fold', trigger: 'line' });
  });

  it('where thinking is bound to its prefix nothing is evicted by itself', () => {
    expect(decided(65, {}, { model: { ...info, traits: { bindsThinking: true } } })).toEqual(nothing);
  });

  it('where nobody knows the window, only a cap can be crossed', () => {
    const { window: _, ...unknown } = info;
    expect(decided(130, {}, { model: unknown })).toEqual(nothing);
    expect(decided(130, { maxTokens: 40_000 }, { model: unknown })).toEqual({
      kind: 'compact',
      trigger: 'cap',
    });
  });
});

it('after a relief in vain nothing is tried before the load has grown, but for what would not fit at all', () => {
  const note: EntryDraft = { kind: 'note', level: 'info', text: '', relief: 'skipped', load: 0 };
  expect(decided(65, {}, { more: [note] })).toEqual(nothing);
  expect(decided(79, { evictAt: null }, { more: [note] })).toEqual(nothing);
  expect(decided(82, {}, { more: [note] })).toEqual(nothing);
  expect(decided(96, {}, { more: [note] })).toEqual(nothing);
  expect(decided(101, {}, { more: [note] })).toEqual({ kind: 'fold', trigger: 'line' });
});
