// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { giveLayout, hostOf, linesOf, numbered } from './fake-output.ts';
import type { FakeOutput } from './fake-output.ts';
import { card, openPager, pause } from './pager-harness.tsx';
import { click, mountPanel, press, type } from './panel-harness.tsx';

beforeEach(giveLayout);

const CHANGED = 'The file was changed';

describe('an output whose file is changed while it is read', () => {
  const others = (count: number) => linesOf(Array.from({ length: count }, (_, row) => `other ${row + 1}`));
  const change = (output: FakeOutput, rows: FakeOutput['rows']) =>
    Object.assign(output, { rows, size: { generation: (output.size?.generation ?? 0) + 1 } });

  async function read(rows: FakeOutput['rows'] = numbered(3_000)) {
    const output: FakeOutput = { rows };
    const panel = await openPager(output);
    const notice = () => panel.find('.pager').textContent.includes(CHANGED);
    expect(notice()).toBe(false);
    return { ...panel, output, notice };
  }

  it('is read anew, all of it, as soon as any answer says so; a status line says it too', async () => {
    const panel = await read();
    change(panel.output, others(5_000));
    await panel.scroll(18 * 2_500); // a page that was not read yet
    await pause(20);
    expect(panel.find('[role="document"]').textContent).toContain('other 2501');
    expect(panel.notice()).toBe(true);
    const [said] = [...panel.root.querySelectorAll('.pager [role="status"]')].filter(({ textContent }) =>
      textContent.includes(CHANGED),
    );
    expect(said).toBeDefined();
    await panel.scroll(0);
    await pause(20);
    expect(panel.find('[role="document"]').textContent).toContain('other 1');
    expect(panel.find('[role="document"]').textContent).not.toContain('row ');
    expect(panel.status()).toBe('Lines 1–1,000 of 5,000');
  });

  it('is noticed while nobody does anything, and left alone while nothing happens', async () => {
    const panel = await read(numbered(20));
    await pause(3_300);
    expect(panel.notice()).toBe(false);
    change(panel.output, others(10));
    await pause(3_300);
    expect(panel.notice()).toBe(true);
    expect(panel.lines()).toHaveLength(10);
    expect(panel.find('[role="document"]').textContent).toContain('other 10');
  }, 15_000);

  it('stays as it was shown where it can not be read for a moment', async () => {
    const panel = await read(numbered(20));
    panel.output.missing = 'It is no longer there.';
    await pause(3_300);
    expect(panel.find('[role="document"]').textContent).toContain('row 20');
    delete panel.output.missing;
    change(panel.output, others(10));
    await pause(3_300);
    expect(panel.notice()).toBe(true);
  }, 15_000);

  it('is searched again, and the reader stays', async () => {
    const panel = await read([...numbered(2_900), ...linesOf(['tide'])]);
    await type(panel.field('Search output'), 'tide');
    await press(panel.field('Search output'), 'Enter');
    await pause(20);
    expect(panel.find('.pager-count').textContent).toBe('1 of 1');
    change(panel.output, linesOf(['tide', 'low tide', ...others(2_998).map(({ text }) => text)]));
    await panel.scroll(18 * 1_500);
    for (let round = 0; round < 3; round++) await pause(20); // each draws, and what is drawn is searched anew
    expect(panel.find('.pager-count').textContent).toBe('2');
    expect(panel.root.querySelector('.current-match')).toBeNull();
    expect(panel.lines()).toContain(1_501);
    await click(panel.button('Previous match')!);
    await pause(20);
    expect(panel.find('.pager-count').textContent).toBe('2 of 2');
    expect(panel.find('.current-match').parentElement?.textContent).toBe('low tide');
  });

  it('is read anew where a search was the first to see it', async () => {
    const panel = await read(numbered(20));
    change(panel.output, others(30));
    await type(panel.field('Search output'), 'other 2');
    await press(panel.field('Search output'), 'Enter');
    await pause(50);
    expect(panel.notice()).toBe(true);
    expect(panel.find('.pager-count').textContent).toBe('11');
    expect(panel.root.querySelectorAll('mark')).toHaveLength(11);
  });

  it('has no line any more that was gone to', async () => {
    const panel = await read();
    await type(panel.field('Go to line'), '5');
    await press(panel.field('Go to line'), 'Enter');
    await pause(20);
    expect(panel.root.querySelector('.pager-row.target')).not.toBeNull();
    change(panel.output, others(3_000));
    await panel.scroll(18 * 2_500);
    await pause(20);
    await panel.scroll(0);
    await pause(20);
    expect(panel.lines()).toContain(5);
    expect(panel.root.querySelector('.pager-row.target')).toBeNull();
  });

  it('shows no page of two files, where it is changed between two answers', async () => {
    const output: FakeOutput = { rows: numbered(900) };
    const { outputPage } = hostOf(output);
    let asked = 0;
    const answers = {
      outputPage: (body: Parameters<typeof outputPage>[0]) => {
        if (++asked === 2) change(output, others(900));
        return outputPage({ ...body, rows: Math.min(body.rows, 300) });
      },
    };
    const panel = await mountPanel({ items: [card] }, { answers });
    await click(panel.find('a[data-output]'));
    await pause(50);
    const text = panel.find('[role="document"]').textContent;
    expect(text).toContain('other 1');
    expect(text).not.toContain('row 1');
  });
});
