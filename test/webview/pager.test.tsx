// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import type { OutputPageRequest } from '../../src/protocol/output-pages.ts';
import type { SavedState } from '../../webview/saved-state.ts';
import { giveLayout, hostOf, numbered } from './fake-output.ts';
import type { FakeOutput } from './fake-output.ts';
import { card, mountWith, openPager, pause } from './pager-harness.tsx';
import { click, mountPanel, press, type } from './panel-harness.tsx';

beforeEach(giveLayout);

describe('the pager', () => {
  it('opens in the place of the conversation, and goes back to where it was opened', async () => {
    const panel = await openPager({ rows: numbered(2_500) });
    expect(panel.pager()).not.toBeNull();
    expect(document.activeElement).toBe(panel.content());
    expect(panel.find('.scroller').hasAttribute('inert')).toBe(true);
    await press(panel.content(), 'Escape');
    expect(panel.pager()).toBeNull();
    expect(document.activeElement).toBe(panel.link());
    await click(panel.link());
    await click(panel.button('Back to conversation')!);
    expect(panel.pager()).toBeNull();
  });

  it('draws what is in sight, and asks for what is near it', async () => {
    const panel = await openPager({ rows: numbered(84_210) });
    expect(panel.status()).toBe('Lines 1–1,000 of 84,210');
    expect(panel.lines().slice(0, 3)).toEqual([1, 2, 3]);
    expect(panel.lines().length).toBeLessThan(60);
    await panel.scroll(18 * 5_000);
    await pause(0);
    expect(panel.lines()).toContain(5_010);
    const pages = panel.asked.filter(({ request }) => request === 'outputPage').map(({ body }) => body);
    expect(pages).toEqual([0, 4_000, 5_000].map((row) => ({ toolUseId: 't1', at: { row }, rows: 1_000 })));
  });

  it('goes from page to page', async () => {
    const panel = await openPager({ rows: numbered(2_500) });
    expect(panel.button('Previous page')!.getAttribute('aria-disabled')).toBe('true');
    await click(panel.button('Next page')!);
    await pause(0);
    expect(panel.status()).toBe('Lines 1,001–2,000 of 2,500');
    await click(panel.button('Next page')!);
    await pause(0);
    expect(panel.status()).toBe('Lines 2,001–2,500 of 2,500');
    expect(panel.lines()).toContain(2_001);
    expect(panel.button('Next page')!.getAttribute('aria-disabled')).toBe('true');
    await click(panel.button('Previous page')!);
    await pause(0);
    expect(panel.status()).toBe('Lines 1,001–2,000 of 2,500');
  });

  it('goes to a line, and says where there is none', async () => {
    const panel = await openPager({ rows: numbered(2_500) });
    const field = panel.field('Go to line');
    await type(field, '1,234');
    await press(field, 'Enter');
    await pause(0);
    expect(panel.find('.pager-row.target').textContent).toBe('1,234row 1234');
    for (const [text, words] of [
      ['9999', 'There is no line 9,999: the output has 2,500 lines.'],
      ['0', 'There is no line 0: the output has 2,500 lines.'],
      ['x', '“x” is not the number of a line.'],
    ] as const) {
      await type(field, text);
      await press(field, 'Enter');
      expect(panel.find('[role="alert"] .pager-message').textContent).toBe(words);
      expect(field.getAttribute('aria-invalid')).toBe('true');
    }
    await type(field, '1');
    expect(panel.root.querySelector('.pager-message')).toBeNull();
  });

  it.each(['1234', ' 1,234 ', '1 234', '1\u00a0234', '1\u2009234', '1\u202f234'])(
    'takes %j for line 1,234',
    async (text) => {
      const panel = await openPager({ rows: numbered(2_500) });
      await type(panel.field('Go to line'), text);
      await press(panel.field('Go to line'), 'Enter');
      await pause(0);
      expect(panel.find('.pager-row.target').textContent).toBe('1,234row 1234');
    },
  );

  it.each(['1.5', '1.234', '1,5', '12,34', '1 2', '1,234.5', '-5', '1e3', '99999999999999999'])(
    'takes %j for no line',
    async (text) => {
      const panel = await openPager({ rows: numbered(2_500) });
      await type(panel.field('Go to line'), text);
      await press(panel.field('Go to line'), 'Enter');
      await pause(0);
      expect(panel.find('[role="alert"]').textContent).toBe(`“${text}” is not the number of a line.`);
      expect(panel.root.querySelector('.pager-row.target')).toBeNull();
    },
  );

  it('goes to both ends by key', async () => {
    const panel = await openPager({ rows: numbered(2_500) });
    await press(panel.content(), 'End');
    await pause(0);
    expect(panel.lines()).toContain(2_500);
    await press(panel.content(), 'Home');
    expect(panel.lines()).toContain(1);
  });

  it('moves through outputs that are longer than a browser can scroll', async () => {
    const panel = await openPager({ rows: numbered(450_000) });
    await press(panel.content(), 'End');
    await pause(0);
    expect(panel.lines().at(-1)).toBe(450_000);
    await type(panel.field('Go to line'), '225000');
    await press(panel.field('Go to line'), 'Enter');
    await pause(0);
    expect(panel.find('.pager-row.target').textContent).toContain('row 225000');
  });

  it('tells rows where a line is longer than a page', async () => {
    const rows = [{ text: 'a', line: 1 }, ...Array.from({ length: 2_499 }, () => ({ text: 'b' }))];
    const panel = await openPager({ rows });
    expect(panel.status()).toBe('Lines 1–1 of 1');
    await click(panel.button('Next page')!);
    await pause(0);
    expect(panel.status()).toBe('Rows 1,001–2,000 of 2,500');
  });

  it('says that it still counts', async () => {
    const panel = await openPager({ rows: numbered(1_500), size: { isCounted: false } });
    expect(panel.status()).toBe('Lines 1–1,000 of …');
  });

  it('copies a page, a long line as one', async () => {
    const written: string[] = [];
    const writeText = (text: string) => Promise.resolve(void written.push(text));
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    const panel = await openPager({
      rows: [{ text: '\u001b[31mred', line: 1 }, { text: ' and on' }, { text: 'two', line: 2 }],
    });
    await click(panel.button('Copy page')!);
    expect(written).toEqual(['red and on\ntwo']);
  });

  it('shows a line that counts up in place as one, what is written over as such, and copies its end', async () => {
    const written: string[] = [];
    const writeText = (text: string) => Promise.resolve(void written.push(text));
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    const panel = await openPager({
      rows: [
        { text: 'begin', line: 1 },
        { text: '\r 1%\r 2%', line: 2 },
        { text: '\r 3%\r 4%' },
        { text: '\r 5%\rdone' },
        { text: 'end', line: 3 },
      ],
    });
    const rows = [...panel.root.querySelectorAll('.pager-row')];
    expect(rows.map(({ className }) => className)).toEqual([
      'pager-row',
      'pager-row written-over',
      'pager-row continued written-over',
      'pager-row continued',
      'pager-row',
    ]);
    expect(rows.map((row) => row.getAttribute('role'))).toEqual([null, 'deletion', 'deletion', null, null]);
    await click(panel.button('Copy page')!);
    expect(written).toEqual(['begin\ndone\nend']);
  });

  it('opens and reveals the file', async () => {
    const panel = await openPager({ rows: numbered(3) });
    await click(panel.button('Open in editor')!);
    await click(panel.button('Reveal in explorer')!);
    expect(panel.asked.slice(-2)).toMatchObject([
      { request: 'openOutput', body: { toolUseId: 't1' } },
      { request: 'revealOutput', body: { toolUseId: 't1' } },
    ]);
  });

  it('says why a file is missing, and shows what the conversation still has', async () => {
    const panel = await openPager({ rows: [], missing: 'The file was removed.' });
    expect(panel.find('.pager [role="alert"]').textContent).toBe('The file was removed.');
    expect(panel.find('.pager pre').textContent).toBe(card.output);
    expect(document.activeElement).toBe(panel.content());
  });

  it('tries again where the host failed', async () => {
    const output: FakeOutput = { rows: numbered(3) };
    const host = hostOf(output);
    let isDown = true;
    const outputPage: typeof host.outputPage = (body) => {
      if (isDown) throw new Error('The disk is asleep.');
      return host.outputPage(body);
    };
    const panel = await mountPanel({ items: [card] }, { answers: { ...host, outputPage } });
    await click(panel.find('a[data-output]'));
    await pause(0);
    expect(panel.find('.pager [role="alert"]').textContent).toBe('The disk is asleep.');
    isDown = false;
    await click(panel.button('Try again')!);
    await pause(0);
    expect(panel.find('.pager-status').textContent).toBe('Lines 1–3 of 3');
  });

  it('comes back after a reload where it was, and takes no focus', async () => {
    const output = { rows: numbered(2_500) };
    const before = await openPager(output);
    await click(before.button('Next page')!);
    await click(before.button('Wrap lines')!);
    await pause(200);
    const saved = before.editor.saved as SavedState;
    const after = await mountWith(output, { saved });
    await pause(0);
    expect(after.status()).toBe('Lines 1,001–2,000 of 2,500');
    expect(after.button('Wrap lines')!.getAttribute('aria-pressed')).toBe('false');
    expect(document.activeElement).toBe(document.body);
    await press(after.content(), 'Escape');
    expect(document.activeElement).toBe(after.link());
  });

  it('comes back from what the host has kept, where the editor has lost it or has an older one, and is kept as it changes', async () => {
    const kept: unknown[] = [];
    const open = { sessionId: 's1', toolUseId: 't1', row: 1_500, isWrapped: true };
    const answers = {
      ...hostOf({ rows: numbered(2_500) }),
      loadOutput: () => ({ output: open }),
      saveOutput: ({ output }: { readonly output: unknown }) => void kept.push(output),
    };
    const older: SavedState = { draft: '', output: { ...open, row: 3 } };
    const panel = await mountPanel({ items: [card] }, { answers, saved: older });
    await pause(50);
    expect(panel.find('.pager-status').textContent).toBe('Lines 1,001–2,000 of 2,500');
    await press(panel.find('[role="document"]'), 'Escape');
    await pause(400);
    expect(kept.at(-1)).toBeUndefined();
    await click(panel.find('a[data-output]'));
    await pause(400);
    expect(kept.at(-1)).toEqual({ ...open, row: 0 });
  });

  it.each([[{ toolUseId: 't1' }], ['t1'], [undefined]])(
    'is not opened by %j from the host',
    async (output) => {
      const answers = { ...hostOf({ rows: numbered(3) }), loadOutput: () => ({ output }) };
      const panel = await mountPanel({ items: [card] }, { answers });
      expect(panel.root.querySelector('.pager')).toBeNull();
    },
  );

  it('comes back at the end of an output that has become shorter', async () => {
    const saved = { draft: '', output: { sessionId: 's1', toolUseId: 't1', row: 5_400, isWrapped: true } };
    const panel = await mountWith({ rows: numbered(2_500) }, { saved });
    for (let round = 0; round < 4; round++) await pause(0); // each draws, and asks for what is drawn
    expect(panel.lines()).toContain(2_500);
    expect(panel.status()).toBe('Lines 2,001–2,500 of 2,500');
  });

  it('asks for the rest where the host gives less than a page', async () => {
    const output: FakeOutput = { rows: numbered(2_500) };
    const { outputPage } = hostOf(output);
    const answers = {
      outputPage: (body: OutputPageRequest) => outputPage({ ...body, rows: Math.min(body.rows, 300) }),
    };
    const panel = await mountPanel({ items: [card] }, { answers });
    await click(panel.find('a[data-output]'));
    await pause(20);
    expect(panel.find('.pager-status').textContent).toBe('Lines 1–1,000 of 2,500');
  });

  it('is not open in another session', async () => {
    const saved = { draft: '', output: { sessionId: 'other', toolUseId: 't1', row: 0, isWrapped: true } };
    const panel = await mountWith({ rows: numbered(3) }, { saved });
    expect(panel.pager()).toBeNull();
  });

  it('says when the agent waits for an approval', async () => {
    const panel = await openPager({ rows: numbered(3) });
    const approval = { toolUseId: 't2', tool: 'x', target: '', action: 'edit', canRemember: true } as const;
    await panel.push({ type: 'turn_started' }, { type: 'approval_requested', approval });
    expect(panel.find('.pager [role="status"]').textContent).toContain('waits for your approval');
    await click(panel.button('Show the question')!);
    expect(panel.pager()).toBeNull();
  });
});
