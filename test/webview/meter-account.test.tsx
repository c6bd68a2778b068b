// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import { ledger } from '../protocol/panel-builders.ts';
import { click, mountPanel, press } from './panel-harness.tsx';

/** what stands where everything has its place in the row */
const words = (element: Element) => element.textContent.replaceAll(/\s+/g, ' ');

describe('the account behind the meter', () => {
  const items = [
    { category: 'summary', label: 'e1–e40', state: 'summarised', age: 12, tokens: 900 },
    { category: 'tool_result', label: 'read_file a.ts', state: 'evicted', age: 9, tokens: 20 },
    { category: 'tool_result', label: 'read_file b.ts', state: 'pinned', age: 0, tokens: 80 },
  ] as const;
  const load = ledger(1_000, { items });

  it('T1: lists every item by category, with tokens, age and state', async () => {
    const panel = await mountPanel({ ledger: load });
    await click(panel.button('Context budget details')!);
    const groups = [...panel.root.querySelectorAll('.meter-group')].map((group) => [
      words(group.querySelector('summary')!),
      ...[...group.querySelectorAll('li')].map(words),
    ]);
    expect(groups).toEqual([
      ['Summary (1 item), 900 tokens', 'e1–e40, summarised, 12 rounds ago, 900 tokens'],
      [
        'Tool results (2 items), 100 tokens',
        'read_file a.ts, evicted, 9 rounds ago, 20 tokens',
        'read_file b.ts, pinned, newest round, 80 tokens',
      ],
    ]);
  });

  it('stays short, without stops for Tab, where it is only pointed at', async () => {
    const panel = await mountPanel({ ledger: load });
    const button = panel.button('Context budget details')!;
    button.closest('.meter-row')!.dispatchEvent(new MouseEvent('mouseenter'));
    await vi.waitFor(() => expect(words(panel.find('.meter-details'))).toContain('What fills it'));
    expect(panel.root.querySelector('.meter-details summary')).toBeNull();
    await click(button);
    expect(panel.root.querySelectorAll('.meter-details summary')).toHaveLength(2);
  });

  it('opens and takes the focus when the command asks for it; Escape gives it to the meter', async () => {
    const panel = await mountPanel({ ledger: load });
    await panel.receive({ push: 'showContext' });
    const account = panel.find('.meter-details');
    expect(document.activeElement).toBe(account);
    await press(account, 'Escape');
    expect(panel.root.querySelector('.meter-details')).toBeNull();
    expect(document.activeElement).toBe(panel.button('Context budget details'));
  });

  it('takes the focus to the empty meter where nothing was sent yet', async () => {
    const panel = await mountPanel();
    await panel.receive({ push: 'showContext' });
    expect(document.activeElement?.textContent).toBe('nothing sent yet');
  });

  it('opens whole with a click on the bar too, and closes with the next', async () => {
    const panel = await mountPanel({ ledger: load });
    const bar = panel.find('[role="meter"]');
    await click(bar);
    expect(panel.root.querySelectorAll('.meter-details summary')).toHaveLength(2);
    expect(panel.button('Context budget details')!.getAttribute('aria-expanded')).toBe('true');
    await click(bar);
    expect(panel.root.querySelector('.meter-details')).toBeNull();
  });

  it.each(['Enter', ' '])('opens whole with %j on the bar, and nothing else happens', async (key) => {
    const panel = await mountPanel({ ledger: load, activity: { kind: 'streaming' } });
    const bar = panel.find('[role="meter"]');
    expect(bar.tabIndex).toBe(0);
    bar.focus();
    expect((await press(bar, key)).defaultPrevented).toBe(true);
    expect(panel.root.querySelectorAll('.meter-details summary')).toHaveLength(2);
    expect(document.activeElement).toBe(bar);
    await press(bar, 'Escape');
    expect(panel.root.querySelector('.meter-details')).toBeNull();
    expect(panel.asked).toEqual([]);
  });
});
