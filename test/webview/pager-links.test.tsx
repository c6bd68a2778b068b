// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import type { PanelItem, ToolItem } from '../../src/protocol/view-model.ts';
import { giveLayout, numbered } from './fake-output.ts';
import { card, mountWith, path, pause } from './pager-harness.tsx';
import { accessibleName, click, mountPanel } from './panel-harness.tsx';

const said = (text: string): PanelItem => ({ kind: 'assistant', id: 'e9', text, thinking: '' });

beforeEach(giveLayout);

describe('the link to an output', () => {
  it('is on its card, with how much it is', async () => {
    const panel = await mountWith({ rows: numbered(3) });
    expect(accessibleName(panel.link())).toBe('Open output run_command npm test');
    expect(panel.link().textContent).toBe('Open output (5.2 MB, 84,210 lines)');
  });

  it('is there while the command runs, and not where nothing is kept', async () => {
    const running = await mountWith({ rows: [] }, { items: [{ ...card, state: 'running' }] });
    expect(running.link().textContent).toContain('5.2 MB');
    const { kept: _, ...bare } = card;
    const panel = await mountPanel({ items: [bare] });
    expect(panel.root.querySelector('[data-output]')).toBeNull();
  });

  it('does not say how much it is where a crash left that unknown', async () => {
    const left: ToolItem = { ...card, state: 'interrupted', kept: { ...card.kept!, isUnfinished: true } };
    const panel = await mountWith({ rows: numbered(3) }, { items: [left] });
    expect(panel.link().textContent.trim()).toBe('Open output');
  });

  it('is wherever an answer names the file: as code, as a link, at a line', async () => {
    const answer = said(`See \`${path}\`, [there](./${path}) and [line 7](${path}:7); not \`other.txt\`.`);
    const panel = await mountWith({ rows: numbered(50) }, { items: [card, answer] });
    const links = [...panel.root.querySelectorAll<HTMLElement>('.markdown a[data-output]')];
    expect(links.map(accessibleName)).toEqual(Array(3).fill('Open output run_command npm test'));
    await click(links[2]!);
    await pause(0);
    expect(panel.find('.pager-row.target').textContent).toContain('row 7');
    expect(panel.asked.map(({ request }) => request)).not.toContain('openFile');
  });

  it('is the same one while the output grows, below a box that does not: no click is lost', async () => {
    const running: ToolItem = { ...card, state: 'running', output: 'wave 1\n' };
    const panel = await mountWith({ rows: numbered(50) }, { items: [running] });
    const before = panel.link();
    for (const lines of [90_000, 100_000]) {
      const output = { path, parts: [], bytes: lines * 60, lines };
      await panel.push(
        { type: 'tool_output', toolUseId: 't1', text: 'wave\n'.repeat(50) },
        { type: 'tool_output_kept', toolUseId: 't1', output },
      );
      expect(panel.link()).toBe(before);
      expect(before.textContent).toContain(lines.toLocaleString('en-US'));
    }
    expect(panel.find('.output.live').className).toContain('steady');
    await click(before);
    expect(panel.pager()).not.toBeNull();
  });

  it('names what its words hide', async () => {
    const answer = said(`[the \u202e**log\u200b**](./${path})`);
    const hidden = { ...card, target: 'npm \u202etest' };
    const panel = await mountWith({ rows: [] }, { items: [hidden, answer] });
    const link = panel.find('.markdown a[data-output]');
    expect(link.textContent).toBe('the ⟨U+202E⟩log⟨U+200B⟩');
    expect(link.querySelectorAll('.unseen')).toHaveLength(2);
    expect(accessibleName(link)).toBe('Open output run_command npm ⟨U+202E⟩test');
  });

  it('is on the row of its eviction', async () => {
    const evicted: PanelItem = {
      kind: 'eviction',
      id: 'e8',
      trigger: 'asked',
      results: [{ entryId: 'e5', tool: 'run_command', target: 'npm test', reason: 'large' }],
      before: 2_000,
      after: 1_000,
    };
    const panel = await mountWith({ rows: [] }, { items: [{ ...card, resultId: 'e5' }, evicted] });
    await click(panel.find('.relief-row button'));
    expect(accessibleName(panel.find('.evicted a'))).toBe('Open output run_command npm test');
  });
});
