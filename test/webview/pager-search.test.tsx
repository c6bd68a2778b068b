// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { giveLayout, linesOf, numbered } from './fake-output.ts';
import type { FakeOutput } from './fake-output.ts';
import { openPager, pause } from './pager-harness.tsx';
import { click, press, type } from './panel-harness.tsx';

beforeEach(giveLayout);

describe('searching an output', () => {
  const rows = linesOf(['Tide', 'low tide, high tide', 'ship', '\u001b[34mTI\u001b[31mDE\u001b[0m']);

  async function searched(text: string) {
    const panel = await openPager({ rows });
    const field = panel.field('Search output');
    await type(field, text);
    await pause(300);
    return { ...panel, field, count: () => panel.find('.pager-count').textContent };
  }

  it('counts, marks, and goes on and back, around the ends', async () => {
    const panel = await searched('tide');
    expect(panel.count()).toBe('1 of 4');
    const marks = [...panel.root.querySelectorAll('mark')].map((mark) => mark.textContent);
    expect(marks).toEqual(['Tide', 'tide', 'tide', 'TI', 'DE']);
    await press(panel.field, 'Enter');
    await click(panel.button('Next match')!);
    expect(panel.count()).toBe('3 of 4');
    expect(panel.find('.current-match').previousSibling?.textContent).toContain('high');
    await press(panel.field, 'Enter', { shiftKey: true });
    await click(panel.button('Previous match')!);
    await click(panel.button('Previous match')!);
    expect(panel.count()).toBe('4 of 4');
  });

  it('asks once for what is typed in one go', async () => {
    const panel = await openPager({ rows });
    for (const text of ['t', 'ti', 'tid']) await type(panel.field('Search output'), text);
    await pause(300);
    const searches = panel.asked.filter(({ request }) => request === 'searchOutput');
    expect(searches.map(({ body }) => body)).toEqual([
      { toolUseId: 't1', text: 'tid', isCaseSensitive: false },
    ]);
  });

  it('minds the case when asked to', async () => {
    const panel = await searched('Tide');
    await click(panel.button('Match case')!);
    expect(panel.count()).toBe('1 of 1');
    expect(panel.root.querySelectorAll('mark')).toHaveLength(1);
  });

  it('says exactly how many there are, also where it does not go through all of them', async () => {
    const panel = await openPager({ rows: numbered(50), mostMatched: 20 });
    await type(panel.field('Search output'), 'row');
    await pause(300);
    expect(panel.find('.pager-count').textContent).toBe(
      '1 of 50; goes through the first 20 rows with matches',
    );
  });

  it('says that there is nothing, and forgets what is no longer asked', async () => {
    const panel = await searched('whale (');
    expect(panel.count()).toBe('No results');
    await type(panel.field, '');
    expect(panel.count()).toBe('');
  });

  describe('for what a command has not printed yet', () => {
    const late = [...numbered(300), ...linesOf(['tide one', 'tide two'])];

    async function searchedEarly(isFollowed: boolean) {
      const output: FakeOutput = { rows: numbered(100), size: { isGrowing: true } };
      const panel = await openPager(output);
      if (isFollowed) await click(panel.button('Follow')!);
      const field = panel.field('Search output');
      await type(field, 'tide');
      await pause(300);
      const count = () => panel.find('.pager-count').textContent;
      expect(count()).toBe('No results');
      return { ...panel, output, field, count };
    }

    it('goes to the first match when the command has ended', async () => {
      const panel = await searchedEarly(false);
      panel.output.rows = [...late, ...numbered(300)];
      panel.output.size = { isGrowing: false };
      await pause(500);
      await pause(0);
      expect(panel.count()).toBe('1 of 2');
      expect(panel.find('.current-match').parentElement?.textContent).toContain('tide one');
      await click(panel.button('Next match')!);
      expect(panel.count()).toBe('2 of 2');
    });

    it.each([
      ['Next match', '1 of 2'],
      ['Previous match', '2 of 2'],
    ])('leaves who follows at the end, and %s still goes to a match', async (name, count) => {
      const panel = await searchedEarly(true);
      panel.output.rows = [...late, ...numbered(300)];
      panel.output.size = { isGrowing: false };
      await pause(500);
      await pause(0);
      expect(panel.count()).toBe('2');
      expect(panel.status()).toContain('of 602');
      expect(panel.root.querySelector('.current-match')).toBeNull();
      await click(panel.button(name)!);
      await pause(0);
      expect(panel.count()).toBe(count);
      expect(panel.root.querySelector('.current-match')).not.toBeNull();
    });

    it.each([
      ['Next match', '3 of 4'],
      ['Previous match', '4 of 4'],
    ])('looks again where %s would go around an end while the command runs', async (name, count) => {
      const panel = await searchedEarly(false);
      panel.output.rows = late;
      await press(panel.field, 'Enter');
      await pause(0);
      if (name === 'Next match') await click(panel.button(name)!);
      panel.output.rows = [...late, ...linesOf(['tide three', 'tide four'])];
      await click(panel.button(name)!);
      await pause(0);
      expect(panel.count()).toBe(count);
    });

    it('looks again at Enter while the command runs', async () => {
      const panel = await searchedEarly(false);
      panel.output.rows = late;
      await press(panel.field, 'Enter');
      await pause(0);
      expect(panel.count()).toBe('1 of 2');
    });
  });

  it('brings a match that is far away into sight', async () => {
    const panel = await openPager({ rows: [...numbered(3_000), { text: 'the needle', line: 3_001 }] });
    await type(panel.field('Search output'), 'needle');
    await press(panel.field('Search output'), 'Enter');
    await pause(0);
    expect(panel.find('.current-match').textContent).toBe('needle');
  });
});

describe('following a command that runs', () => {
  it('stays at the end as rows come, until the reader scrolls up', async () => {
    const output: FakeOutput = { rows: numbered(100), size: { isGrowing: true } };
    const panel = await openPager(output);
    await click(panel.button('Follow')!);
    expect(panel.lines()).toContain(100);
    output.rows = numbered(300);
    await pause(500);
    expect(panel.lines()).toContain(300);
    await panel.scroll(0);
    expect(panel.button('Follow')!.getAttribute('aria-pressed')).toBe('false');
    output.rows = numbered(500);
    output.size = { isGrowing: false };
    await pause(500);
    expect(panel.lines()).toContain(1);
    expect(panel.status()).toBe('Lines 1–500 of 500');
    expect(panel.button('Follow')!.getAttribute('aria-disabled')).toBe('true');
  });

  it.each(['a line', 'a match', 'the next match'])(
    'ends where the reader goes to %s, also in sight, and they stay there',
    async (where) => {
      const tides = [11, 12].map((line) => ({ text: 'tide', line }));
      const output: FakeOutput = { rows: [...numbered(10), ...tides], size: { isGrowing: true } };
      const panel = await openPager(output);
      const scrollHeight = () => Math.max(540, output.rows.length * 18);
      Object.defineProperty(panel.content(), 'scrollHeight', { get: scrollHeight });
      const search = panel.field('Search output');
      if (where === 'the next match') {
        await type(search, 'tide');
        await pause(300);
      }
      await click(panel.button('Follow')!);
      await pause(50);
      expect(panel.lines()).toContain(12);
      if (where === 'the next match') await click(panel.button('Next match')!);
      else
        await type(
          where === 'a line' ? panel.field('Go to line') : search,
          where === 'a line' ? '11' : 'tide',
        );
      if (where === 'a line') await press(panel.field('Go to line'), 'Enter');
      await pause(300);
      output.rows = [...output.rows, ...numbered(3_000).slice(12)];
      await pause(500);
      expect(panel.button('Follow')!.getAttribute('aria-pressed')).toBe('false');
      expect(panel.lines()).toContain(12);
    },
  );

  it('is not offered for what has ended', async () => {
    const panel = await openPager({ rows: numbered(100) });
    expect(panel.button('Follow')).toBeUndefined();
  });
});
