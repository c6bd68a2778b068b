import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/core/context/evict.ts';
import type { Economy } from '../../../src/core/context/price.ts';
import { worthwhileBatch } from '../../../src/core/context/price.ts';

const candidate = (index: number, frees: number): Candidate => ({
  index,
  frees,
  item: { entryId: `e${index}`, reason: 'large' },
});

/** 120k of 200k are full; each place in the conversation is a thousand tokens further on; the line is far away. */
const economy: Economy = {
  load: 120_000,
  line: 160_000,
  floor: 30_000,
  growth: 1_000,
  before: (index) => index * 1_000,
};
const idsOf = (candidates: readonly Candidate[], least: number, change: Partial<Economy> = {}) =>
  worthwhileBatch(candidates, least, { ...economy, ...change }).map(({ item }) => item.entryId);

describe('a batch of evictions', () => {
  it('goes where little is sent anew for what it frees, and not where nearly all of the window is', () => {
    expect(idsOf([candidate(70, 50_000)], 20_000)).toEqual(['e70']);
    expect(idsOf([candidate(2, 50_000)], 20_000)).toEqual([]);
  });

  it('does not go where the compaction that is near would do the work anyway', () => {
    expect(idsOf([candidate(70, 50_000)], 20_000, { load: 158_000 })).toEqual([]);
  });

  it('goes sooner where rounds are large, and so compactions frequent', () => {
    expect(idsOf([candidate(95, 25_000)], 20_000)).toEqual([]);
    expect(idsOf([candidate(95, 25_000)], 20_000, { growth: 5_000 })).toEqual(['e95']);
  });

  it('goes whatever it costs where no compaction will come', () => {
    expect(idsOf([candidate(2, 2_500)], 2_000, { line: undefined })).toEqual(['e2']);
  });

  it('does not go where it frees less than the least', () => {
    const two = [candidate(70, 25_000), candidate(80, 25_000)];
    expect(idsOf(two, 50_001)).toEqual([]);
    expect(idsOf(two, 50_000)).toEqual(['e70', 'e80']);
  });

  it('begins where it pays best: what stands far ahead and frees little is left alone', () => {
    const batch = [candidate(1, 300), candidate(90, 30_000), candidate(95, 20_000)];
    expect(idsOf(batch, 20_000)).toEqual(['e90', 'e95']);
  });
});
