import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../src/core/context/conversation.ts';
import { tokensClipped } from '../../../src/core/context/usage-check.ts';
import type { EntryDraft } from '../../../src/core/model/entry.ts';
import { assistant, logOf, prompt, text, usageReport, user } from '../../support/builders/entries.ts';

const usage = (input: number, cacheRead = 0, cacheWrite = 0) => ({
  input,
  cacheRead,
  cacheWrite,
  output: 50,
});

describe('T13: a server that clips what does not fit', () => {
  it('is found out by its own count: 4,096 tokens of a prompt of 9,000', () => {
    expect(tokensClipped(usage(4_096), 9_000)).toBe(4_904);
  });

  it.each<[string, Parameters<typeof tokensClipped>]>([
    ['counts a little less than the estimate', [usage(7_000), 9_000]],
    ['counts more', [usage(12_000), 9_000]],
    ['reads most of it from its cache', [usage(3, 19_464, 1_124), 21_000]],
    ['has a short request', [usage(100), 900]],
    ['tells no usage', [undefined, 9_000]],
    ['tells a usage of zero', [usage(0), 9_000]],
  ])('is not one that %s', (_, args) => {
    expect(tokensClipped(...args)).toBeUndefined();
  });

  it('is found out where it reports less than the request can be, whatever was reported before', () => {
    expect(tokensClipped(usage(7), 40, 1_200)).toBe(1_193);
    expect(tokensClipped(usage(900), 1_000, 1_200)).toBeUndefined();
  });

  it('its report anchors nothing and teaches nothing, and the one before stays the anchor', () => {
    const counted = { tokens: 9_000, billed: 4_096 };
    const clipped = { ...usageReport('e6', 'e5', { input: 4_096 }), isClipped: true, counted } as EntryDraft;
    const before = [prompt(), user('hi'), assistant(text('ho')), usageReport('e3', 'e2', { input: 900 })];
    const log = logOf(...before, user('more'), assistant(text('yes')), clipped);
    expect(conversationOf(log)).toMatchObject({ anchor: { usage: { id: 'e4' } }, calibration: {} });
  });
});
