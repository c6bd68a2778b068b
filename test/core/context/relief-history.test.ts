import { describe, expect, it } from 'vitest';
import { reliefHistoryOf } from '../../../src/core/context/relief-history.ts';
import type { EntryDraft } from '../../../src/core/model/entry.ts';
import {
  compaction,
  eviction,
  logOf,
  pin,
  rewind,
  undo,
  usageReport,
} from '../../support/builders/entries.ts';

const billed = (input: number) => usageReport('e1', 'e1', { input });
const folded = (before = 0, trigger: 'line' | 'asked' = 'line') =>
  compaction('e1', { method: 'fold', before, trigger });
const note = (load: number): EntryDraft => ({
  kind: 'note',
  level: 'info',
  text: '',
  relief: 'skipped',
  load,
});
const historyOf = (...drafts: readonly EntryDraft[]) => reliefHistoryOf(logOf(...drafts));

describe('what a log remembers of relief', () => {
  it('the next bill judges each: one that gained nothing is a strike, and a gain forgives it', () => {
    expect(historyOf(billed(1_000), folded(), billed(990))).toMatchObject({ strikes: 1, waitsUntil: 0 });
    expect(historyOf(billed(1_000), folded(), billed(990), folded(), billed(500)).strikes).toBe(0);
  });

  it('two in vain pause the engine until the load has really grown', () => {
    const { strikes, waitsUntil } = historyOf(billed(1_000), folded(), billed(990), folded(), billed(1_000));
    expect(strikes).toBe(2);
    expect(waitsUntil).toBeCloseTo(1_050);
  });

  it('a gain of 5% is a real one', () => {
    expect(historyOf(billed(1_000), folded(), billed(950)).strikes).toBe(0);
    expect(historyOf(billed(1_000), folded(), billed(951)).strikes).toBe(1);
  });

  it('several before one bill are judged together, by what was billed before the first', () => {
    const log = [billed(1_000), eviction(), folded(), billed(900)];
    expect(historyOf(...log)).toMatchObject({ strikes: 0, before: undefined });
    expect(historyOf(folded(1_000), folded(700), billed(700)).strikes).toBe(0);
  });

  it('one that came before any bill is judged by what it said itself', () => {
    expect(historyOf(folded(1_000), billed(999)).strikes).toBe(1);
  });

  it('a report of nothing judges nothing', () => {
    const history = historyOf(billed(1_000), folded(), usageReport('e1', 'e1', {}));
    expect(history).toMatchObject({ before: 1_000, isUnbilled: true, billed: 1_000 });
  });

  it('T13: what a server read of a request that it clipped is no gain: the estimate judges', () => {
    const clipped = { ...billed(4_096), isClipped: true, estimated: 9_000 } as EntryDraft;
    expect(historyOf(billed(9_000), folded(), clipped)).toMatchObject({ strikes: 1, billed: 9_000 });
  });

  it.each([
    ['a compaction', folded(0, 'asked')],
    ['a pin', pin('e1')],
    ['a rewind', rewind('e1')],
  ])('%s that the person asks for arms the engine again', (_, draft) => {
    const paused = [billed(1_000), folded(), billed(990), folded(), billed(1_000)];
    expect(historyOf(...paused).waitsUntil).toBeGreaterThan(0);
    expect(historyOf(...paused, draft)).toMatchObject({ strikes: 0, waitsUntil: 0 });
  });

  it('one taken back is left alone until the load is 5% over what it brought back', () => {
    const history = historyOf(billed(1_000), folded(2_000), billed(300), undo('e2'));
    expect(history.waitsUntil).toBeCloseTo(2_100);
    expect(history.before).toBeUndefined();
  });

  it('one that was given up is not tried again before the load has grown by 5%', () => {
    expect(historyOf(billed(1_000), note(1_200)).waitsUntil).toBeCloseTo(1_260);
    expect(historyOf(billed(1_000), note(800)).waitsUntil).toBeCloseTo(1_050);
  });

  it('a round adds what the last few added, and a relief is no shrinking round', () => {
    const grown = historyOf(billed(1_000), billed(2_000), billed(3_000));
    expect(grown.growth).toBeGreaterThan(300);
    expect(grown.growth).toBeLessThan(1_000);
    const relieved = historyOf(billed(1_000), billed(2_000), billed(3_000), folded(), billed(500));
    expect(relieved.growth).toBe(grown.growth);
  });
});
