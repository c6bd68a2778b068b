// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import { giveLayout, numbered } from './fake-output.ts';
import { card, openPager } from './pager-harness.tsx';

beforeEach(giveLayout);

it.each([
  ['its end', { lostBytes: 38_400 }, 'The last 38.4 kB could not be kept.'],
  ['its beginning', { lostBytes: 38_400, lostFirstBytes: 38_400 }, 'The first 38.4 kB could not be kept.'],
  [
    'both ends',
    { lostBytes: 40_400, lostFirstBytes: 38_400 },
    'The first 38.4 kB and the last 2 kB could not be kept.',
  ],
])('O6: the pager says what of an output is lost: %s', async (_, lost, words) => {
  const items = [{ ...card, kept: { ...card.kept!, ...lost } }];
  const panel = await openPager({ rows: numbered(10) }, { items });
  expect(panel.find('.pager-notice').textContent).toBe(words);
});
